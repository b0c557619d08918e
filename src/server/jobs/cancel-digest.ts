import { cancelJob, insertLastEvent, insertWebhook, isOpen, readJob } from '../../store/index.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { webhookPayload } from '../webhooks/webhook-payload.ts';
import type { Worker } from './start-worker.ts';

/** Cancels a digest that is under way; whoever makes it stops. Tells whether it is cancelled now. */
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
