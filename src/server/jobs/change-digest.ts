import type { Accepted } from '../../contract/index.ts';
import {
  cancelJob,
  countOpenJobs,
  type Database,
  insertLastEvent,
  insertWebhook,
  isOpen,
  readJob,
  retryJob,
} from '../../store/index.ts';
import { NotFoundError, ServiceError, tooManyDigests } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { webhookPayload } from '../webhooks/deliver.ts';
import { RETRIES } from './accept-digest.ts';
import type { Worker } from './start-worker.ts';

export async function cancelDigest(id: string, { database }: ServiceDeps, worker: Worker): Promise<boolean> {
  const job = await readJob(database, id);
  if (job === undefined) return false;
  const open = isOpen(id);
  const data = JSON.stringify({ id, status: 'cancelled' });
  const payload = webhookPayload(id, 'cancelled', database.now());
  const { tenant } = database;
  const { callbackUrl: url } = job;
  await database.commit([
    insertLastEvent(database, { id, tenant }, { event: 'cancelled', data }, open),
    ...(url === null ? [] : [insertWebhook(database, { tenant, digestId: id, url, payload }, open)]),
    ...cancelJob(database, id),
  ]);
  const isCancelled = (await readJob(database, id))?.state === 'cancelled';
  if (isCancelled) worker.cancelled(id);
  return isCancelled;
}

/**
 * Requeues a failed digest, up to `most` unfinished ones of the tenant. Returns the number of the run, from 2.
 *
 * @throws NotFoundError; ServiceError if it has not failed, or too many are under way
 */
export async function retryDigest(id: string, database: Database, most: number): Promise<number> {
  const before = await readJob(database, id);
  if (before === undefined) throw new NotFoundError('digest');
  if (before.state !== 'failed') throw new ServiceError('digest-not-failed');
  const accepted: Accepted = { id, location: `/v1/digests/${id}` };
  await database.commit(retryJob(database, id, { retries: RETRIES, most, accepted: JSON.stringify(accepted) }));
  const now = await readJob(database, id);
  if (now === undefined) throw new NotFoundError('digest');
  if (now.run > before.run) return now.run;
  if ((await countOpenJobs(database)) >= most) throw tooManyDigests(most);
  throw new ServiceError('digest-not-failed');
}
