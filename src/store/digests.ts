import { and, asc, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';
import { cell, cutText, fitting, jsonRows } from './rows.ts';
import { digestDocuments, digests, jobs } from './schema.ts';
import { insertDigestChunks, readDigestChunks } from './text-parts.ts';

interface DigestSource {
  readonly documentId: string;
  readonly documentHash: string;
}

interface NewDigest {
  readonly id: string;
  /** JSON of the request, with hashes in place of texts. */
  readonly request: string;
  readonly sources: readonly DigestSource[];
}

/**
 * Statements that insert a requested digest, whose texts are stored; its job's statement comes after them. If the tenant has
 * too many digests under way, nothing is inserted, the job's foreign key fails, and with it the whole commit.
 *
 * @throws TooLongError if the request does not fit into a row
 */
export function insertDigest(
  database: Database,
  { id, request, sources }: NewDigest,
  most: number,
): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
  const open = sql`(select count(*) from ${jobs} where tenant = ${tenant} and state in ('queued', 'running'))`;
  const values = sql`${id}, ${tenant}, 'queued', ${fitting('The request', request)}, null, ${now()}, 0`;
  return [
    query.insert(digests).select(sql`select ${values} where ${open} < ${most}`),
    ...insertSources(database, id, sources),
  ];
}

function insertSources(
  { query, tenant }: Database,
  id: string,
  sources: readonly DigestSource[],
): BatchItem<'sqlite'>[] {
  return [...jsonRows(sources.map(({ documentId, documentHash }) => [documentId, documentHash]))].map((json) =>
    query.insert(digestDocuments).select(sql`select ${tenant}, ${id}, ${cell(0)}, ${cell(1)} from json_each(${json})`),
  );
}

/** Saves a digest that was made without a job, with its sources, whose texts are stored. */
export async function saveDigest(
  database: Database,
  {
    id,
    status,
    request = null,
    answer,
  }: { readonly id: string; readonly status: string; readonly request?: string | null; readonly answer: string },
  sources: readonly DigestSource[],
): Promise<void> {
  const { query, tenant, now, commit } = database;
  const { text, parts } = cutText(answer);
  await commit([
    query
      .insert(digests)
      .values({ id, status, request, answer: text, answerChunks: parts.length, tenant, createdAt: now() }),
    ...insertDigestChunks(database, { id, tenant }, 'answer', parts),
    ...insertSources(database, id, sources),
  ]);
}

/** A digest with the state of its job. */
export interface StoredDigest {
  readonly id: string;
  /** `queued`, or the final status. */
  readonly status: string;
  /** JSON; null until the digest is made. */
  readonly answer: string | null;
  readonly createdAt: number;
  /** State of the job; null for digests older than jobs. */
  readonly state: string | null;
  /** JSON of Progress. */
  readonly progress: string | null;
  /** JSON of the final problem. */
  readonly problem: string | null;
}

export async function readDigest(database: Database, id: string): Promise<StoredDigest | undefined> {
  const { query, tenant } = database;
  const [found] = await query
    .select({
      id: digests.id,
      status: digests.status,
      answer: digests.answer,
      answerChunks: digests.answerChunks,
      createdAt: digests.createdAt,
      state: jobs.state,
      progress: jobs.progress,
      problem: jobs.problem,
    })
    .from(digests)
    .leftJoin(jobs, eq(jobs.id, digests.id))
    .where(and(eq(digests.tenant, tenant), eq(digests.id, id)));
  if (found === undefined) return undefined;
  const { answerChunks, ...row } = found;
  if (answerChunks === 0) return row;
  const answer = await readDigestChunks(database, id, 'answer', answerChunks);
  return answer === undefined ? undefined : { ...row, answer };
}

export async function readDigestRequest({ query, tenant }: Database, id: string): Promise<string | null | undefined> {
  const [row] = await query
    .select({ request: digests.request })
    .from(digests)
    .where(and(eq(digests.tenant, tenant), eq(digests.id, id)));
  return row?.request;
}

/** Deletes a digest that is not under way, with all that belongs to it. False if there is none. */
export async function deleteDigest({ query, write, tenant }: Database, id: string): Promise<boolean> {
  const removed = await write(() =>
    query
      .delete(digests)
      .where(
        and(
          eq(digests.tenant, tenant),
          eq(digests.id, id),
          sql`not exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.state} in ('queued', 'running'))`,
        ),
      )
      .returning({ id: digests.id }),
  );
  return removed.length > 0;
}

interface ListedDigest {
  readonly id: string;
  readonly status: string;
  readonly intent: string | null;
  /** Null if the request is not stored. */
  readonly documents: number | null;
  /** JSON array of the first titles; the id of a document without a title. */
  readonly titles: string;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** JSON of the final problem. */
  readonly problem: string | null;
}

/** A page of digests begins after this one. */
interface DigestPlace {
  readonly createdAt: number;
  readonly id: string;
}

/** The status that callers see: that of the job until there is an answer. */
const SHOWN_STATUS: SQL<string> = sql<string>`case when ${digests.answer} is null then coalesce(${jobs.state}, ${digests.status}) else ${digests.status} end`;

const INTENT: SQL<string | null> = sql<
  string | null
>`case json_type(${digests.request}, '$.intent') when 'object' then ${digests.request} ->> '$.intent.problem' else ${digests.request} ->> '$.intent' end`;

/** Titles of the first documents of a request, which may have thousands. */
function titlesOf(most: number): SQL<string> {
  return sql<string>`(select json_group_array(coalesce(value ->> '$.title', value ->> '$.id')) from json_each(${digests.request}, '$.documents') where key < ${most})`;
}

/** A digest without a job was finished when it was stored. */
const FINISHED_AT: SQL<number | null> = sql<
  number | null
>`coalesce(${jobs.endedAt}, case when ${digests.answer} is not null and ${jobs.id} is null then ${digests.createdAt} end)`;

/**
 * Digests, newest first.
 *
 * @param titles max titles per digest
 */
export async function listDigests(
  { query, tenant }: Database,
  {
    after,
    status,
    limit,
    titles,
  }: {
    readonly after: DigestPlace | null;
    readonly status: string | undefined;
    readonly limit: number;
    readonly titles: number;
  },
): Promise<ListedDigest[]> {
  const isOlder =
    after === null
      ? undefined
      : or(
          lt(digests.createdAt, after.createdAt),
          and(eq(digests.createdAt, after.createdAt), lt(digests.id, after.id)),
        );
  return query
    .select({
      id: digests.id,
      status: SHOWN_STATUS,
      intent: INTENT,
      documents: sql<number | null>`json_array_length(${digests.request}, '$.documents')`,
      titles: titlesOf(titles),
      createdAt: digests.createdAt,
      finishedAt: FINISHED_AT,
      problem: jobs.problem,
    })
    .from(digests)
    .leftJoin(jobs, eq(jobs.id, digests.id))
    .where(
      and(eq(digests.tenant, tenant), isOlder, status === undefined ? undefined : sql`${SHOWN_STATUS} = ${status}`),
    )
    .orderBy(desc(digests.createdAt), desc(digests.id))
    .limit(limit);
}

interface DigestOrigin {
  readonly createdAt: number;
  /** JSON of the request, with hashes in place of texts; null for digests older than stored requests. */
  readonly request: string | null;
}

/** Time and request of a digest, whatever its status; undefined if there is none. */
export async function readDigestOrigin({ query, tenant }: Database, id: string): Promise<DigestOrigin | undefined> {
  const [row] = await query
    .select({ createdAt: digests.createdAt, request: digests.request })
    .from(digests)
    .where(and(eq(digests.tenant, tenant), eq(digests.id, id)));
  return row;
}

/** The texts of a digest, ordered by document id. */
export async function readDigestSources({ query, tenant }: Database, id: string): Promise<DigestSource[]> {
  return query
    .select({ documentId: digestDocuments.documentId, documentHash: digestDocuments.documentHash })
    .from(digestDocuments)
    .where(and(eq(digestDocuments.tenant, tenant), eq(digestDocuments.digestId, id)))
    .orderBy(asc(digestDocuments.documentId));
}
