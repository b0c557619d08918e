import {
  type Digest,
  type DigestPartsQuery,
  type DigestRest,
  type KeptRequest,
  type KeyPointPage,
  partsOf,
  restored,
  type SourceText,
  shortened,
  wantsReceipts,
} from '../../contract/index.ts';
import {
  autoSizeOf,
  type DigestListeners,
  type ExperimentOfRequest,
  type GivenItems,
  type KeptDigests,
  makeDigest,
  type ResolvedRequest,
  type StoredRequest,
  storedPoints,
  UnusableOptionError,
} from '../../digest/index.ts';
import type { EvaluatedDigest } from '../../evaluation/index.ts';
import {
  type Database,
  keyIn,
  type MadeAnswer,
  type PageRequest,
  pageOf,
  readDigest,
  readDigestRequest,
  readDocuments,
  readReceipts,
  type StoredDigest,
  saveDigest,
} from '../../store/index.ts';
import { chunks, contentHash, recentlyUsed } from '../../text/index.ts';
import { NotFoundError } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { packed, unpacked } from './packed-text.ts';
import { readStoredRequest } from './stored-requests.ts';

/** Max total characters of the texts and answers, and those of an answer, about. */
const MAX_CACHED = 3_000_000;
const ANSWER = 20_000;

/** Points with their word counts and language by the answer of their digest. */
const cached = recentlyUsed<GivenItems>(MAX_CACHED, ({ encoded }) =>
  encoded.reduce((sum, { length }) => sum + length, ANSWER),
);

async function readStoredPoints(id: string, database: Database, holds: boolean): Promise<GivenItems> {
  const stored = await readDigest(database, id);
  if (stored === undefined || stored.answer === null) throw new NotFoundError('digest');
  const { answer } = stored;
  const items = cached.get(answer) ?? storedPoints(await wholeDigest(stored, database));
  if (holds) cached.keep(answer, items);
  else cached.forget(answer);
  return items;
}

/** A digest as it is stored: short, and what that leaves out. */
export async function answerOf(digest: Digest): Promise<MadeAnswer> {
  const { digest: short, rest } = shortened(digest);
  return { answer: JSON.stringify(short), receipts: rest && (await packed(JSON.stringify(rest))) };
}

/** A digest with what its stored answer leaves out. @throws NotFoundError if it was deleted meanwhile */
export async function wholeDigest(
  { answer, ...stored }: Pick<StoredDigest, 'id' | 'answer' | 'receiptChunks'>,
  database: Database,
): Promise<Digest> {
  const receipts = answer === null ? undefined : await readReceipts(database, stored);
  if (answer === null || receipts === undefined) throw new NotFoundError('digest');
  // Only this service writes them.
  const digest = JSON.parse(answer) as Digest;
  return receipts === null ? digest : restored(digest, JSON.parse(await unpacked(receipts)) as DigestRest);
}

/** The parts that a caller asks for, as JSON. */
export async function digestView(stored: StoredDigest, parts: DigestPartsQuery, database: Database): Promise<string> {
  const { answer } = stored;
  if (answer !== null && parts.include === undefined && parts.exclude === undefined) return answer;
  const digest = wantsReceipts(parts) ? await wholeDigest(stored, database) : (JSON.parse(answer ?? '') as Digest);
  return JSON.stringify(partsOf(digest, parts));
}

/** A page of all key points. @throws NotFoundError, InvalidCursorError */
export async function readKeyPoints(id: string, page: PageRequest, database: Database): Promise<KeyPointPage> {
  const stored = await readDigest(database, id);
  if (stored === undefined) throw new NotFoundError('digest');
  const { keyPoints } = await wholeDigest(stored, database);
  const [from = 0] = (keyIn(page.cursor, ['number']) ?? []) as readonly number[];
  const found = keyPoints.slice(from, from + page.limit + 1);
  const { rows, next } = pageOf(found, page, () => [from + page.limit]);
  return { keyPoints: rows, next };
}

export function storedDigests(database: Database): KeptDigests {
  return {
    readPoints: (id, holds) => readStoredPoints(id, database, holds),
    async readAutoSize({ digest, preset }) {
      const asked: Partial<StoredRequest> = JSON.parse((await readDigestRequest(database, digest)) ?? '{}');
      return autoSizeOf(asked.summary ?? {}, preset);
    },
  };
}

const POINTER = '/digest';

/**
 * Reads a digest for evaluation.
 *
 * @throws NotFoundError; UnusableOptionError if it has no answer, or failed
 */
export async function readEvaluatedDigest(id: string, database: Database): Promise<EvaluatedDigest> {
  const row = await readDigest(database, id);
  if (row === undefined) throw new NotFoundError('digest');
  if (row.answer === null) throw new UnusableOptionError(POINTER, 'This digest has no answer, or none yet.');
  // Only this service writes answers and requests.
  const { status, summary } = JSON.parse(row.answer) as Digest;
  if (status === 'failed')
    throw new UnusableOptionError(POINTER, 'This digest failed: none of its documents was read.');
  const { documents = [] } = (await readStoredRequest(database, id))?.request ?? {};
  return {
    sentences: summary.sentences
      .filter(({ framing }) => !framing)
      .map(({ text, citations }) => ({ text, documents: [...new Set(citations.map(({ document }) => document))] })),
    documents: documents.map((document) => document.id),
    async texts() {
      const stored = await readDocuments(database, [...new Set(documents.map(({ hash }) => hash))]);
      return documents.map(({ id, hash }) => {
        const text = stored.get(hash);
        if (text !== undefined) return { id, text };
        const problem = 'The texts that this digest was made from are not all stored any more: send "documents".';
        throw new UnusableOptionError(POINTER, problem);
      });
    },
  };
}

/** Documents whose texts are in memory at once. */
const CHUNK = 50;

/** Omits webhook address and experiment subject. @throws NotFoundError */
export async function readRequest(id: string, database: Database): Promise<KeptRequest> {
  const { request, createdAt } = await readOrigin(id, database);
  const { intent, earlier, collection = null, documents, selection = null, summary = null } = request;
  const characters = new Map<string, number>();
  for (const chunk of chunks([...new Set(documents.map(({ hash }) => hash))], CHUNK)) {
    for (const [hash, text] of await readDocuments(database, chunk)) characters.set(hash, text.length);
  }
  return {
    digest: id,
    createdAt: new Date(createdAt).toISOString(),
    intent:
      earlier && typeof intent === 'object' ? { ...intent, background: { digest: earlier.digest } } : (intent ?? null),
    collection,
    documents: documents.map(({ id, title = null, url = null, publishedAt = null, weight = null, hash }) => {
      return { id, title, url, publishedAt, weight, characters: characters.get(hash) ?? null };
    }),
    selection,
    summary,
    engine: request.engine ?? null,
    experiment: request.experiment === undefined ? null : partOf(request.experiment),
  };
}

function partOf({ subject: _, ...part }: ExperimentOfRequest): KeptRequest['experiment'] {
  return part;
}

/** @throws NotFoundError */
async function readOrigin(id: string, database: Database) {
  const { createdAt, request = null } = (await readStoredRequest(database, id)) ?? {};
  if (createdAt === undefined || request === null) throw new NotFoundError('digest');
  return { createdAt, request };
}

/** Reads a document as the digest read it, even if its collection has changed. @throws NotFoundError */
export async function readSourceText(id: string, documentId: string, database: Database): Promise<SourceText> {
  const { documents } = (await readOrigin(id, database)).request;
  const document = documents.find((each) => each.id === documentId);
  if (document === undefined) throw new NotFoundError('digest document');
  const { title = null, url = null, publishedAt = null, hash } = document;
  const text = (await readDocuments(database, [hash])).get(hash);
  if (text === undefined) throw new NotFoundError('document text');
  return { id: documentId, title, url, publishedAt, text };
}

/** Makes and stores a digest outside the job queue. @throws TesseraError if the request cannot be served */
export async function createStoredDigest(
  request: ResolvedRequest,
  deps: ServiceDeps,
  listeners: DigestListeners = {},
): Promise<Digest> {
  const { digest, sources } = await makeDigest(request, deps, listeners);
  const { id, status } = digest;
  // Hashes in place of texts, and without the background, which describes the caller.
  const { documents, intent, earlier: _, ...rest } = request;
  const stored: StoredRequest = {
    ...rest,
    ...(intent !== undefined && { intent: typeof intent === 'string' ? intent : { problem: intent.problem } }),
    documents: documents.map(({ text, ...document }) => ({ ...document, hash: contentHash(text) })),
  };
  const saved = { id, status, request: JSON.stringify(stored), ...(await answerOf(digest)) };
  await saveDigest(deps.database, saved, sources);
  return digest;
}
