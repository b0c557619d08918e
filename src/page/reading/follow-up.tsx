import pLimit from 'p-limit';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client, DigestEntry } from '../../client/index.ts';
import { useService, useWorkspace } from '../context.tsx';
import { Form } from '../parts/fields.tsx';
import { useLoaded } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { moment, shortened } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { followUpIntent, headingOf, NO_QUESTION } from './intent.tsx';
import { useReading } from './reading.ts';
import { loadDocuments, optionsOf, type StoredDigest } from './stored-digest.ts';
import { suggestionsFor } from './suggestions.ts';

export function FollowUp() {
  const { digest, request } = useReading();
  const { client } = useService();
  const { documents: atHand } = useWorkspace();
  const [question, setQuestion] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const suggested = useMemo(() => suggestionsFor(digest, headingOf(request.intent)), [digest, request]);
  const ask = async (problem: string): Promise<void> => {
    if (isAsking || problem === '') return;
    const { signal } = leaving.current;
    setAsking(true);
    setFailure(null);
    try {
      const documents = await loadDocuments(client, { digest, request }, atHand, { signal });
      const intent = followUpIntent(request.intent, problem);
      const { id } = await client.digests.submit({ documents, intent, ...optionsOf(request) }, { signal });
      location.hash = hrefOf({ view: 'digest', id, face: 'read' });
    } catch (reason) {
      if (signal.aborted) return;
      setFailure(reason);
      setAsking(false);
    }
  };
  return (
    <section aria-labelledby="read-follow">
      <h2 id="read-follow">Ask something else about these documents</h2>
      <Form class="read-ask" onSubmit={() => void ask(question.trim())}>
        <input
          type="text"
          aria-labelledby="read-follow"
          placeholder="Your next question"
          maxLength={10_000}
          value={question}
          readOnly={isAsking}
          onInput={({ currentTarget }) => setQuestion(currentTarget.value)}
        />
        <button type="submit" class="primary" aria-disabled={isAsking}>
          {isAsking ? 'Asking…' : 'Ask'}
        </button>
      </Form>
      {suggested.length > 0 && (
        <ul class="read-suggested" aria-label="Suggested questions">
          {suggested.map((each) => (
            <li key={each}>
              <button type="button" aria-disabled={isAsking} onClick={() => void ask(each)}>
                {each}
              </button>
            </li>
          ))}
        </ul>
      )}
      {failure !== null && <Problem failure={failure} />}
    </section>
  );
}

/** Max digests listed and compared, concurrent requests, and characters. */
const MAX = { listed: 100, compared: 12, atOnce: 3, characters: 160 };

export function History() {
  const { digest, request } = useReading();
  const { client, session } = useService();
  const [loaded] = useLoaded(`${digest.id} ${session}`, (signal) => digestsOfSame(client, request, signal));
  // A failed list is not worth an error message here.
  if (loaded.state !== 'there' || loaded.value.length === 0) return null;
  return (
    <section class="read-history" aria-labelledby="read-history">
      <h2 id="read-history">Other questions about these documents</h2>
      <ul>
        {loaded.value.map(({ id, intent, createdAt }) => (
          <li key={id}>
            <a href={hrefOf({ view: 'digest', id, face: 'read' })} dir="auto">
              {shortened(intent?.trim() || NO_QUESTION, MAX.characters)}
            </a>{' '}
            <span class="muted">{moment(createdAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Finished digests of the same documents (by ids and lengths), the newest of each other question. */
async function digestsOfSame(
  client: Client,
  request: StoredDigest['request'],
  signal: AbortSignal,
): Promise<DigestEntry[]> {
  const asked = request.intent === null ? null : headingOf(request.intent);
  const titles = request.documents.map(({ id, title }) => title ?? id);
  const few = pLimit(MAX.atOnce);
  for await (const { items } of client.digests.list({ limit: MAX.listed, signal }).pages()) {
    const alike = items.filter(
      (entry) =>
        entry.intent !== asked &&
        (entry.status === 'completed' || entry.status === 'partial') &&
        entry.documents === titles.length &&
        entry.titles.every((title, place) => title === titles[place]),
    );
    const found = await Promise.all(
      alike.slice(0, MAX.compared).map((entry) =>
        few(async () => {
          signal.throwIfAborted();
          const { documents } = await client.digests.request(entry.id, { signal });
          return isSame(documents, request.documents) ? [entry] : [];
        }),
      ),
    );
    const entries = found.flat();
    return entries.filter(({ intent }, index) => entries.findIndex((each) => each.intent === intent) === index);
  }
  return [];
}

type Documents = StoredDigest['request']['documents'];

function isSame(some: Documents, others: Documents): boolean {
  return (
    some.length === others.length &&
    some.every(({ id, characters }, place) => id === others[place].id && characters === others[place].characters)
  );
}
