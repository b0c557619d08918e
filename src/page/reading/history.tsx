import type { Client, DigestEntry } from '../../client/index.ts';
import { moment } from '../parts/dates.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { fewAtATime } from './few-at-a-time.ts';
import { askedOf, NO_QUESTION } from './intent.ts';
import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';
import { shortened } from './words.ts';

/** Digests that are looked through, requests that are read of them, and how many at once. */
const MAX = { listed: 100, shown: 12, atOnce: 3, characters: 160 };

/** The other questions that the same documents were asked, the newest first. */
export function History() {
  const { digest, request } = useReading();
  const { client, session } = useService();
  const [loaded] = useLoaded(`${digest.id} ${session}`, (signal) => digestsOfSame(client, { request }, signal));
  // Without the list there is nothing to go back to, and nothing else is wrong.
  if (loaded.state !== 'there' || loaded.value.length === 0) return null;
  const newest = new Map([...loaded.value].reverse().map((entry) => [entry.intent, entry]));
  return (
    <section class="read-history" aria-labelledby="read-history">
      <h2 id="read-history">Other questions about these documents</h2>
      <ul>
        {[...newest.values()].reverse().map(({ id, intent, createdAt }) => (
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

/** Finished digests of the very same documents, by their ids and lengths, that another question was asked of. */
async function digestsOfSame(
  client: Client,
  { request }: Pick<StoredDigest, 'request'>,
  signal: AbortSignal,
): Promise<DigestEntry[]> {
  const asked = request.intent === null ? null : askedOf(request.intent).heading;
  const titles = request.documents.map(({ id, title }) => title ?? id);
  const readFew = fewAtATime(MAX.atOnce);
  for await (const { items } of client.digests.list({ limit: MAX.listed, signal }).pages()) {
    const alike = items.filter(
      (entry) =>
        entry.intent !== asked &&
        (entry.status === 'completed' || entry.status === 'partial') &&
        entry.documents === titles.length &&
        entry.titles.every((title, place) => title === titles[place]),
    );
    const found = await Promise.all(
      alike.slice(0, MAX.shown).map((entry) =>
        readFew(async () => {
          const { documents } = await client.digests.request(entry.id, { signal });
          return isSame(documents, request.documents) ? [entry] : [];
        }, signal),
      ),
    );
    return found.flat();
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
