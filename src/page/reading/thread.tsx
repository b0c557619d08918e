import pLimit from 'p-limit';
import { type Client, isFinished, TesseraClientError } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Await, useLoaded } from '../parts/loading.tsx';
import { shortened } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { headingOf } from './intent.tsx';

const AT_ONCE = 4;
/** Max characters of an answer in the list. */
const MAX_ANSWER = 180;

interface ThreadProps {
  /** Ids of its digests, in order. */
  readonly thread: readonly string[];
  /** The one that is shown. */
  readonly id: string;
  readonly side: 'earlier' | 'later';
}

/** The questions of a thread before or after a digest, each a link, with the beginnings of their answers. Deleted ones are left out. */
export function Thread({ thread, id, side }: ThreadProps) {
  const { client } = useService();
  const place = thread.indexOf(id);
  const ids = side === 'earlier' ? thread.slice(0, place) : thread.slice(place + 1);
  const label = side === 'earlier' ? 'Earlier in this thread' : 'Later in this thread';
  const loading = useLoaded(ids.join(), (signal) => {
    const few = pLimit(AT_ONCE);
    return Promise.all(ids.map((id) => few(() => turnOf(client, id, signal))));
  });
  if (ids.length === 0) return null;
  return (
    <nav class="read-thread" aria-label={label}>
      <h2>{label}</h2>
      <Await of={loading} what="the thread">
        {(turns) => (
          <ol>
            {turns
              .filter((turn) => turn !== null)
              .map(({ id, question, answer }) => (
                <li key={id}>
                  <a href={hrefOf({ view: 'digest', id, face: 'read', thread })} dir="auto">
                    {question}
                  </a>
                  <p class="muted" dir="auto">
                    {answer}
                  </p>
                </li>
              ))}
          </ol>
        )}
      </Await>
    </nav>
  );
}

async function turnOf(client: Client, id: string, signal: AbortSignal) {
  try {
    const [digest, { intent }] = await Promise.all([
      client.digests.get(id, { include: ['summary'], signal }),
      client.digests.request(id, { signal }),
    ]);
    const isOpen = digest.status === 'queued' || digest.status === 'running';
    const said = isFinished(digest) ? digest.summary.sentences.map(({ text }) => text).join(' ') : '';
    return {
      id,
      question: headingOf(intent),
      answer: shortened(said, MAX_ANSWER) || (isOpen ? 'In progress' : 'No answer'),
    };
  } catch (failure) {
    if (failure instanceof TesseraClientError && failure.status === 404) return null;
    throw failure;
  }
}
