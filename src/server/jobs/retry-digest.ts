import type { Accepted } from '../../contract/index.ts';
import { countOpenJobs, type Database, readJob, retryJob } from '../../store/index.ts';
import { DigestNotFoundError } from '../stored/digest-not-found-error.ts';
import { RETRIES } from './accept-digest.ts';
import { DigestNotFailedError } from './digest-not-failed-error.ts';
import { TooManyDigestsError } from './too-many-digests-error.ts';

/**
 * Takes on again a digest that failed for good, with the request as it was: it is queued under its id, as one that nobody waits for.
 *
 * @param most digests that the tenant may have under way
 * @returns which run of it this is, from 2
 * @throws DigestNotFoundError, DigestNotFailedError, TooManyDigestsError
 */
export async function retryDigest(id: string, database: Database, most: number): Promise<number> {
  const before = await readJob(database, id);
  if (before === undefined) throw new DigestNotFoundError(id);
  if (before.state !== 'failed') throw new DigestNotFailedError(id);
  const accepted: Accepted = { id, location: `/v1/digests/${id}` };
  await database.commit(retryJob(database, id, { retries: RETRIES, most, accepted: JSON.stringify(accepted) }));
  const now = await readJob(database, id);
  if (now === undefined) throw new DigestNotFoundError(id);
  if (now.run > before.run) return now.run;
  if ((await countOpenJobs(database)) >= most) throw new TooManyDigestsError(most);
  throw new DigestNotFailedError(id);
}
