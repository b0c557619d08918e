import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { insertDigest } from '../../store/digests.ts';
import { insertEvents } from '../../store/job-events.ts';
import { countOpenJobs, insertJob, type Lease } from '../../store/jobs.ts';
import type { DigestParts } from '../../digest/digest-parts.ts';
import { newDigestId } from '../../digest/digest-run.ts';
import { planDigest } from '../../digest/plan-digest.ts';
import type { DigestOrder } from '../../contract/digest-order.ts';
import { resolveOrder } from './resolve-order.ts';
import type { Worker } from './start-worker.ts';
import { TooManyDigestsError } from './too-many-digests-error.ts';

export interface AcceptOptions {
  /** Whether a caller waits for it: it goes before those that nobody waits for, and is not tried again when it fails. */
  readonly isAwaited: boolean;
  /** Most digests that the tenant may have under way. */
  readonly most: number;
  /** UTF-16 code units of all documents of a collection; any number by default. */
  readonly mostCharacters?: number;
  /** Written with it, or not at all. */
  readonly statements?: (id: string) => readonly BatchItem<'sqlite'>[];
}

/** How often a digest that nobody waits for is begun again after a failure that may pass. */
const RETRIES = 3;

/**
 * Takes a digest on: once this resolves, it will be made (promise P8). Where this process has a hand free it begins at once.
 *
 * @returns the digest's id
 * @throws TesseraError where the request cannot be served as it stands, or the tenant has too many under way
 */
export async function acceptDigest(
  order: DigestOrder,
  parts: DigestParts,
  worker: Worker,
  { isAwaited, most, mostCharacters, statements = () => [] }: AcceptOptions,
): Promise<string> {
  const { database } = parts;
  if ((await countOpenJobs(database)) >= most) throw new TooManyDigestsError(most);
  const { stored, request, characters } = await resolveOrder(order, database, mostCharacters);
  const { asksModel } = planDigest(request, parts); // whatever is wrong with the options is said now
  const id = newDigestId();
  const place = worker.reserve({ isAwaited, characters, asksModel });
  const job = {
    id,
    priority: isAwaited ? 1 : 0,
    retries: isAwaited ? 0 : RETRIES,
    callbackUrl: order.callbackUrl ?? null,
  };
  const { tenant } = database;
  const accepted = { number: 1, event: 'accepted', data: JSON.stringify({ id, location: `/v1/digests/${id}` }) };
  try {
    await database.commit([
      ...insertDigest(
        database,
        {
          id,
          request: JSON.stringify(stored),
          sources: stored.documents.map((document) => ({ documentId: document.id, documentHash: document.hash })),
        },
        most,
      ),
      insertJob(database, { ...job, lease: place && { owner: worker.owner, until: place.until } }),
      ...insertEvents(database, { id, tenant }, [accepted], sql`true`),
      ...statements(id),
    ]);
  } catch (failure) {
    place?.giveUp();
    if ((await countOpenJobs(database)) >= most) throw new TooManyDigestsError(most);
    throw failure;
  }
  const lease: Lease = { ...job, tenant, attempt: 1, crashes: 0, createdAt: database.now() };
  if (place === null) worker.wake(id);
  else place.begin(lease);
  return id;
}
