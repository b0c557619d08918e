import { resendWebhook, retryDigest } from '../server/index.ts';
import { type Connection, forTenant, listFailedJobs, listFailedWebhooks } from '../store/index.ts';
import { parseUrl, TesseraError } from '../text/index.ts';
import { printTable } from './keys.node.ts';

/** Among what failed there is nothing with the id that was given. */
export class NotFailedError extends TesseraError {
  readonly code = 'not-failed';
}

/** What is to be retried. */
interface Chosen {
  /** Null for all. */
  readonly ids: readonly string[] | null;
  readonly tenant?: string | undefined;
}

/** Rows of a list. */
const LISTED = 100;
const ALL = Number.MAX_SAFE_INTEGER;

/** `jobs list`: the digests that failed last, and why. */
export async function listJobsCommand(database: Connection, tenant?: string): Promise<string> {
  const failed = await listFailedJobs(database, { tenant, limit: LISTED + 1 });
  if (failed.length === 0) return 'No digest has failed for good.\n';
  const rows = failed.map(({ id, tenant, attempt, problem, endedAt }) => [
    id,
    tenant,
    String(attempt),
    minute(endedAt),
    reasonIn(problem),
  ]);
  return printList(['digest', 'tenant', 'attempts', 'failed', 'why'], rows);
}

/**
 * `jobs retry`
 *
 * @throws NotFailedError before anything is retried
 */
export async function retryJobsCommand(database: Connection, chosen: Chosen): Promise<string> {
  const failed = await listFailedJobs(database, { tenant: chosen.tenant, limit: ALL });
  const retried = pick(failed, chosen, 'digest', 'tessera jobs list');
  for (const { id, tenant } of retried) await retryDigest(id, forTenant(database, tenant), ALL);
  return `${retried.length} of ${failed.length} failed digests are queued again.\n`;
}

/** `webhooks list`: the webhooks that were given up last, and why. */
export async function listWebhooksCommand(database: Connection, tenant?: string): Promise<string> {
  const failed = await listFailedWebhooks(database, { tenant, limit: LISTED + 1 });
  if (failed.length === 0) return 'Every webhook was delivered or is still waiting.\n';
  const rows = failed.map(({ id, tenant, url, attempt, endedAt, outcome }) => [
    id,
    tenant,
    parseUrl(url)?.origin ?? '',
    String(attempt),
    minute(endedAt),
    outcome ?? '-',
  ]);
  return printList(['webhook', 'tenant', 'target', 'attempts', 'failed', 'last outcome'], rows);
}

/**
 * `webhooks retry`
 *
 * @throws NotFailedError before anything is retried
 */
export async function retryWebhooksCommand(database: Connection, chosen: Chosen): Promise<string> {
  const failed = await listFailedWebhooks(database, { tenant: chosen.tenant, limit: ALL });
  const retried = pick(failed, chosen, 'webhook', 'tessera webhooks list');
  for (const { id, tenant } of retried) await resendWebhook(id, forTenant(database, tenant));
  return `${retried.length} of ${failed.length} failed webhooks are sent again.\n`;
}

function pick<Row extends { readonly id: string }>(
  failed: readonly Row[],
  { ids }: Chosen,
  what: string,
  list: string,
): readonly Row[] {
  if (ids === null) return failed;
  const byId = new Map(failed.map((row) => [row.id, row]));
  return [...new Set(ids)].map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw new NotFailedError(`There is no failed ${what} ${id}; "${list}" shows all.`);
    return row;
  });
}

function printList(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const more = rows.length > LISTED ? `Only the last ${LISTED} are listed.\n` : '';
  return printTable(heading, rows.slice(0, LISTED)) + more;
}

/** Why, in the words that the caller is answered with. */
function reasonIn(problem: string | null): string {
  const { title, detail }: { readonly title?: string; readonly detail?: string } = JSON.parse(problem ?? '{}');
  return title === undefined ? '-' : `${title}: ${detail}`;
}

function minute(time: number | null): string {
  return time === null ? '-' : `${new Date(time).toISOString().slice(0, 16)}Z`;
}
