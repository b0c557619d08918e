import { isNull, ne, sql } from 'drizzle-orm';
import { textTable } from '../lab/index.ts';
import type { OpenDatabase } from '../store/index.node.ts';
import {
  apiKeys,
  type Connection,
  countTenantRows,
  DEFAULT_TENANT,
  deleteTenant,
  digests,
  documents,
  forTenant,
  NOBODY,
  rotateWebhookSecret,
  tenantDeletion,
  tenants,
  webhookSecrets,
} from '../store/index.ts';
import { counted, TesseraError } from '../text/index.ts';
import { sqlConnection } from './keys.node.ts';

export class TenantNotDeletedError extends TesseraError {
  readonly code = 'tenant-not-deleted';
}

/** `tenants list`: active keys, digests and documents of each tenant. */
export async function listTenantsCommand({ query }: Connection): Promise<string> {
  const named = await query.select({ tenant: tenants.tenant }).from(tenants);
  const rowsOf = async (table: typeof apiKeys | typeof digests | typeof documents, rows = sql<number>`count(*)`) =>
    query.select({ tenant: table.tenant, rows }).from(table).where(ne(table.tenant, NOBODY)).groupBy(table.tenant);
  const keys = await rowsOf(apiKeys, sql<number>`sum(${isNull(apiKeys.revokedAt)})`);
  const counts = [keys, await rowsOf(digests), await rowsOf(documents)];
  const names = [...new Set([named, ...counts].flat().map(({ tenant }) => tenant))].sort();
  if (names.length === 0) return 'There are no tenants.';
  const countsOf = (name: string) => counts.map((all) => String(all.find(({ tenant }) => tenant === name)?.rows ?? 0));
  const rows = names.map((name) => [name, ...countsOf(name)]);
  return textTable(['tenant', 'keys', 'digests', 'documents'], rows);
}

/**
 * `tenants delete NAME --yes`: deletes all data of a tenant, and overwrites the free space of the file.
 * @throws TenantNotDeletedError without `yes`, listing the data; if there is none; if rows are left
 */
export async function deleteTenantCommand(database: OpenDatabase, tenant: string, yes: boolean): Promise<string> {
  const rows = tenant === NOBODY ? new Map() : await countTenantRows(database, tenant);
  if (rows.size === 0) throw new TenantNotDeletedError(`There is no tenant "${tenant}".`);
  const all = inWords(rows);
  if (!yes) throw new TenantNotDeletedError(`This would delete all of tenant "${tenant}": ${all}. Say --yes to do it.`);
  await deleteTenant(database, tenant);
  const compacted = compact(database);
  const left = await countTenantRows(database, tenant);
  if (left.size > 0) {
    throw new TenantNotDeletedError(
      `Work under way has written for tenant "${tenant}" since: ${inWords(left)}. Delete it again in a while.`,
    );
  }
  return `Tenant "${tenant}" is deleted: ${all}. Backups made before still hold it.\n${compacted}`;
}

/**
 * `tenants delete NAME --sql`: SQL that deletes a tenant in a database that this process cannot open, for `wrangler d1
 * execute DATABASE --remote --file FILE`. Can be repeated.
 * @throws TenantNotDeletedError for an invalid name
 */
export async function deleteTenantSql(tenant: string): Promise<string> {
  if (tenant === NOBODY) throw new TenantNotDeletedError('A tenant has a name.');
  const database = sqlConnection();
  await database.commit(tenantDeletion(database, tenant));
  return database.written();
}

/** The rows are gone, but free space cannot be reclaimed while others have the file open. */
function compact(database: OpenDatabase): string {
  try {
    database.compact();
    return '';
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return `The free space of the file may still hold parts of it, for it could not be compacted: ${reason}.\n`;
  }
}

function inWords(rows: ReadonlyMap<string, number>): string {
  return [...rows]
    .map(([table, count]) => {
      const many = table.replaceAll('_', ' ');
      return counted(count, many.replace(/s$/, ''), many);
    })
    .join(', ');
}

/** Milliseconds for which an old secret still signs beside the new one. */
const SECRET_OVERLAP = 24 * 60 * 60 * 1000;

/** `webhooks secret`: shows or rotates the secret of a tenant. */
export async function webhookSecret(database: Connection, rotate: boolean, tenant = DEFAULT_TENANT): Promise<string> {
  const own = forTenant(database, tenant);
  if (rotate) return rotateWebhookSecret(own, SECRET_OVERLAP);
  const [current] = await webhookSecrets(own);
  return current;
}
