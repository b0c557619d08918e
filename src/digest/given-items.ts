import { contentHash } from '../documents/content-hash.ts';
import type { Database } from '../store/database.ts';
import { readDigest } from '../store/digests.ts';
import { countWords } from '../summary/count-words.ts';
import type { Digest } from './digest.ts';
import { DigestNotFoundError } from './digest-not-found-error.ts';
import type { SelectionsRequest } from './selections-request.ts';

/** Items of a request to select from, in canonical order. */
export interface GivenItems {
  /** Where each stands in the request, and the answer. */
  readonly order: readonly number[];
  /** Null where none are given. */
  readonly ids: readonly (string | null)[];
  /** Document number of each. */
  readonly documents: Int32Array;
  readonly words: Int32Array;
  readonly hashes: readonly string[];
  /** Null where items are vectors or a kernel. */
  readonly texts: readonly string[] | null;
  readonly speakers: readonly (string | undefined)[];
  /** Of a stored digest's points: how relevant they were found, and by which encoder they were compared. */
  readonly stored: { readonly relevance: readonly number[]; readonly encoder: string } | null;
}

/**
 * Reads what a request selects from. Items come in the order of their texts' hashes, then ids, so that theirs in the request
 * does not matter; vectors and kernels as they are given; points of a digest as it holds them.
 *
 * @throws DigestNotFoundError
 */
export async function givenItems(request: SelectionsRequest, database: Database): Promise<GivenItems> {
  const { items, embeddings, kernel, digest } = request;
  if (items !== undefined) return ofItems(items);
  if (digest !== undefined) return ofDigest(digest, database);
  return unnamed((embeddings ?? kernel ?? []).length);
}

function ofItems(items: NonNullable<SelectionsRequest['items']>): GivenItems {
  const hashed = items.map(({ id, text, document }, index) => ({ id, text, document, index, hash: contentHash(text) }));
  hashed.sort((a, b) => compare(a.hash, b.hash) || compare(a.id, b.id));
  return {
    order: hashed.map(({ index }) => index),
    ids: hashed.map(({ id }) => id),
    documents: numbered(
      hashed.map(({ document, id }) => (document === undefined ? `item ${id}` : `document ${document}`)),
    ),
    words: Int32Array.from(hashed, ({ text }) => countWords(text)),
    hashes: hashed.map(({ hash }) => hash),
    texts: hashed.map(({ text }) => text),
    speakers: hashed.map(() => undefined),
    stored: null,
  };
}

async function ofDigest(id: string, database: Database): Promise<GivenItems> {
  const row = await readDigest(database, id);
  if (row === undefined || row.answer === null) throw new DigestNotFoundError(id);
  const { keyPoints: listed, engine } = JSON.parse(row.answer) as Digest;
  // Points without a quote were never to be selected.
  const keyPoints = listed.flatMap((point) =>
    point.relevance === null ? [] : [{ ...point, relevance: point.relevance }],
  );
  return {
    order: [...keyPoints.keys()],
    ids: keyPoints.map((point) => point.id),
    documents: numbered(keyPoints.map(({ document }) => document)),
    words: Int32Array.from(keyPoints, ({ text }) => countWords(text)),
    hashes: keyPoints.map(({ text }) => contentHash(text)),
    texts: keyPoints.map(({ text }) => text),
    speakers: keyPoints.map(({ speaker }) => speaker ?? undefined),
    stored: { relevance: keyPoints.map(({ relevance }) => relevance), encoder: engine.encoder },
  };
}

function unnamed(n: number): GivenItems {
  const order = Array.from({ length: n }, (_, i) => i);
  return {
    order,
    ids: order.map(() => null),
    documents: Int32Array.from(order),
    words: new Int32Array(n),
    hashes: order.map((i) => contentHash(String(i))),
    texts: null,
    speakers: order.map(() => undefined),
    stored: null,
  };
}

/** Numbers names by their first appearance. */
function numbered(names: readonly string[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(names, (name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
