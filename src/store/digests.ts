import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Database, wrote } from './database.ts';
import { countOpenJobs, whileOpen } from './jobs.ts';
import { newestFirst, type PageRequest } from './page.ts';
import { cell, fitting, insertRows, valuesOf } from './rows.ts';
import { digestDocuments, digests, documents, jobs } from './schema.ts';
import { answerRows, insertDigestChunks, type MadeAnswer, readDigestChunks, wholeParts } from './text-parts.ts';

interface DigestSource {
  readonly documentId: string;
  readonly documentHash: string;
}

interface NewDigest {
  readonly id: string;
  /** JSON of the request, with hashes in place of texts. */
  readonly request: string;
  readonly sources: readonly DigestSource[];
  /** The documents of the request, if they are not in it. */
  readonly documents?: string | null | undefined;
}

/**
 * Statements that insert a requested digest, whose texts are stored; its job comes after them. If the tenant has too many open jobs, nothing is
 * inserted, and the job's foreign key fails the commit.
 *
 * @throws TooLongError if the request does not fit into a row
 */
export function insertDigest(
  database: Database,
  { id, request, sources, documents: listed }: NewDigest,
  most: number,
): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
  const row = { id, tenant, status: 'queued', request: fitting('The request', request), createdAt: now() };
  return [
    query.insert(digests).select(sql`select ${valuesOf(digests, row)} where ${countOpenJobs(database)} < ${most}`),
    ...insertSources(database, id, sources),
    ...(listed == null ? [] : insertDigestChunks(database, { id, tenant }, DOCUMENTS, wholeParts(listed))),
  ];
}

/** Kind of the parts that hold the documents of a request. */
const DOCUMENTS = 'documents';

/** Statements that keep texts for a digest. @param guard condition for each row, whose cells are the document's id and hash */
export function insertSources(database: Database, digestId: string, sources: readonly DigestSource[], guard?: SQL) {
  const rows = sources.map(({ documentId, documentHash }) => ({ documentId, documentHash }));
  return insertRows(database, digestDocuments, { tenant: database.tenant, digestId }, rows, guard);
}

/** The same of those texts that are still stored, under a condition. */
export function insertStoredSources(database: Database, id: string, sources: readonly DigestSource[], condition: SQL) {
  const isStored = sql`exists (select 1 from ${documents} as t where t.tenant = ${database.tenant} and t.hash = ${cell(1)})`;
  const inserts = insertSources(database, id, sources, sql`${condition} and ${isStored}`);
  return inserts.map((insert) => insert.onConflictDoNothing());
}

/** Saves a digest that was made without a job, with its sources, whose texts are stored. */
export async function saveDigest(
  database: Database,
  {
    answer,
    receipts,
    ...digest
  }: MadeAnswer & { readonly id: string; readonly status: string; readonly request?: string | null },
  sources: readonly DigestSource[],
): Promise<void> {
  const { query, tenant, now, commit } = database;
  const { columns, statements } = answerRows(database, { id: digest.id, tenant }, { answer, receipts });
  await commit([
    query.insert(digests).values({ ...digest, ...columns, tenant, createdAt: now() }),
    ...statements,
    ...insertSources(database, digest.id, sources),
  ]);
}

const { answerChunks: CHUNK_COUNT, receiptChunks, createdAt } = digests;
const { state, progress, problem } = jobs;
const ANSWERED = { id: digests.id, status: digests.status, answer: digests.answer, receiptChunks };
const COLUMNS = { ...ANSWERED, createdAt, state, progress, problem };

/** A digest with the state of its job, which is null for digests older than jobs. */
export type StoredDigest = NonNullable<Awaited<ReturnType<typeof readDigest>>>;

export async function readDigest(database: Database, id: string) {
  const [found] = await database.query
    .select({ ...COLUMNS, answerChunks: CHUNK_COUNT })
    .from(digests)
    .leftJoin(jobs, eq(jobs.id, digests.id))
    .where(own(database, id));
  if (found === undefined) return undefined;
  const { answerChunks, ...row } = found;
  if (answerChunks === 0) return row;
  const answer = await readDigestChunks(database, id, 'answer', answerChunks);
  return answer === undefined ? undefined : { ...row, answer };
}

/** What the answer of a digest leaves out; null if it is whole, undefined if it was deleted meanwhile. */
export async function readReceipts(
  database: Database,
  { id, receiptChunks }: Pick<StoredDigest, 'id' | 'receiptChunks'>,
): Promise<string | null | undefined> {
  return receiptChunks === 0 ? null : readDigestChunks(database, id, 'receipts', receiptChunks);
}

/**
 * Time of a digest, whatever its status, the JSON of its request, null for digests older than stored requests, and its documents if
 * they are not in the request.
 */
export async function readDigestOrigin(database: Database, id: string) {
  const [row] = await database.query
    .select({ createdAt, request: digests.request })
    .from(digests)
    .where(own(database, id));
  return row && { ...row, documents: await readDigestChunks(database, id, DOCUMENTS) };
}

export async function readDigestRequest(database: Database, id: string): Promise<string | null | undefined> {
  const [row] = await database.query.select({ request: digests.request }).from(digests).where(own(database, id));
  return row?.request;
}

/** Deletes a digest that is not under way, with all that belongs to it. False if there is none. */
export async function deleteDigest(database: Database, id: string): Promise<boolean> {
  const ended = and(own(database, id), sql`not ${whileOpen(id)}`);
  return wrote(database, database.query.delete(digests).where(ended));
}

function own({ tenant }: Database, id: string) {
  return and(eq(digests.tenant, tenant), eq(digests.id, id));
}

/** The status that callers see: that of the job until there is an answer. */
const SHOWN_STATUS = sql<string>`case when ${digests.answer} is null then coalesce(${state}, ${digests.status}) else ${digests.status} end`;

/**
 * Digests, newest first, with a JSON array of their first `titles` titles (ids of documents without).
 *
 * @throws InvalidCursorError
 */
export async function listDigests(
  { query, tenant }: Database,
  request: PageRequest,
  { status, titles }: { readonly status: string | undefined; readonly titles: number },
) {
  const asked = digests.request;
  const intent = sql`case json_type(${asked}, '$.intent') when 'object' then '$.intent.problem' else '$.intent' end`;
  // A digest without a job was finished when it was stored.
  const withoutJob = sql`case when ${digests.answer} is not null and ${jobs.id} is null then ${createdAt} end`;
  const columns = {
    id: digests.id,
    createdAt,
    problem,
    status: SHOWN_STATUS,
    intent: sql<string | null>`${asked} ->> ${intent}`,
    /** Null if the request is not stored. */
    documents: sql<number | null>`coalesce(${asked} ->> '$.documentCount', json_array_length(${asked}, '$.documents'))`,
    titles: sql<string>`(select json_group_array(coalesce(value ->> '$.title', value ->> '$.id'))
      from json_each(${asked}, '$.documents') where key < ${titles})`,
    finishedAt: sql<number | null>`coalesce(${jobs.endedAt}, ${withoutJob})`,
  };
  const isShown = status === undefined ? undefined : sql`${SHOWN_STATUS} = ${status}`;
  const list = query.select(columns).from(digests).leftJoin(jobs, eq(jobs.id, digests.id));
  return newestFirst(request, list, and(eq(digests.tenant, tenant), isShown), [createdAt, digests.id], (row) => row.id);
}
