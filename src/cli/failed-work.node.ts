import { resendWebhook, retryDigest } from '../server/index.ts';
import { type Connection, type Database, forTenant, listFailedJobs, listFailedWebhooks } from '../store/index.ts';
import { parseUrl, TesseraError } from '../text/index.ts';
import { minute, printTable } from './keys.node.ts';

export class NotFailedError extends TesseraError {
  readonly code = 'not-failed';
}

const LISTED = 100;
const ALL = Number.MAX_SAFE_INTEGER;

interface FailedRow {
  readonly id: string;
  readonly tenant: string;
  readonly cells: readonly string[];
}

interface Kind {
  readonly noun: string;
  readonly none: string;
  readonly heading: readonly string[];
  list(database: Connection, filter: { tenant: string | undefined; limit: number }): Promise<FailedRow[]>;
  retry(id: string, database: Database): Promise<unknown>;
  readonly retried: string;
}

const KINDS: Readonly<Record<'jobs' | 'webhooks', Kind>> = {
  jobs: {
    noun: 'digest',
    none: 'No digest has failed for good.\n',
    heading: ['attempts', 'failed', 'why'],
    async list(database, filter) {
      const failed = await listFailedJobs(database, filter);
      return failed.map(({ id, tenant, attempt, endedAt, problem }) => ({
        id,
        tenant,
        cells: [String(attempt), minute(endedAt), reasonIn(problem)],
      }));
    },
    retry: (id, database) => retryDigest(id, database, ALL),
    retried: 'queued again',
  },
  webhooks: {
    noun: 'webhook',
    none: 'Every webhook was delivered or is still waiting.\n',
    heading: ['target', 'attempts', 'failed', 'last outcome'],
    async list(database, filter) {
      const failed = await listFailedWebhooks(database, filter);
      return failed.map(({ id, tenant, url, attempt, endedAt, outcome }) => ({
        id,
        tenant,
        cells: [parseUrl(url)?.origin ?? '', String(attempt), minute(endedAt), outcome ?? '-'],
      }));
    },
    retry: resendWebhook,
    retried: 'sent again',
  },
};

/** `jobs list` and `webhooks list`: the latest failures with their reasons. */
export async function listFailed(group: keyof typeof KINDS, database: Connection, tenant?: string): Promise<string> {
  const { none, noun, heading, list } = KINDS[group];
  const failed = await list(database, { tenant, limit: LISTED + 1 });
  if (failed.length === 0) return none;
  const rows = failed.slice(0, LISTED).map(({ id, tenant, cells }) => [id, tenant, ...cells]);
  const more = failed.length > LISTED ? `Only the last ${LISTED} are listed.\n` : '';
  return printTable([noun, 'tenant', ...heading], rows) + more;
}

/** @param ids null for all @throws NotFailedError before anything is retried */
export async function retryFailed(
  group: keyof typeof KINDS,
  database: Connection,
  { ids, tenant }: { readonly ids: readonly string[] | null; readonly tenant?: string | undefined },
): Promise<string> {
  const { noun, list, retry, retried } = KINDS[group];
  const failed = new Map((await list(database, { tenant, limit: ALL })).map((row) => [row.id, row]));
  const chosen = [...new Set(ids ?? failed.keys())].map((id) => {
    const row = failed.get(id);
    if (row === undefined)
      throw new NotFailedError(`There is no failed ${noun} ${id}; "tessera ${group} list" shows all.`);
    return row;
  });
  for (const row of chosen) await retry(row.id, forTenant(database, row.tenant));
  return `${chosen.length} of ${failed.size} failed ${noun}s are ${retried}.\n`;
}

function reasonIn(problem: string | null): string {
  const { title, detail }: { readonly title?: string; readonly detail?: string } = JSON.parse(problem ?? '{}');
  return title === undefined ? '-' : `${title}: ${detail}`;
}
