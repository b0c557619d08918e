import type { Preset, SelectionsRequest } from '../../contract/index.ts';
import type { AutoSize } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentHash, language } from '../../text/index.ts';
import { numbered } from '../extract/numbered.ts';
import { UnusableOptionError } from '../unusable-option-error.ts';

/** What a stored digest found of its points. */
export interface StoredPoints {
  readonly digest: string;
  readonly relevance: readonly number[];
  /** What relevance was multiplied with; 1 where the digest does not say. */
  readonly quality: readonly number[];
  /** Positions of the points that say what its reader knew. */
  readonly known: ReadonlySet<number>;
  /** What their gate was, and the positions of the points past it. */
  readonly gate: number | null;
  readonly past: readonly number[];
  /** 1 for points that were relevant enough to be told where nobody says how many are; null where nothing was asked. */
  readonly passes: Uint8Array | null;
  /** Id of the encoder that they were compared by. */
  readonly encoder: string;
  /** Id of what made the vectors that their surroundings are read from. */
  readonly contextEncoder: string;
  readonly preset: Preset;
}

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
  /** ISO 639-3 code of the texts, or `und`. */
  readonly language: string;
  /** Of a stored digest's points: what it found of them. */
  readonly stored: StoredPoints | null;
}

/** Digests that were made before and are kept, to select from their points. */
export interface KeptDigests {
  /**
   * @param holds whether the points are held in memory for the next request
   * @throws TesseraError where there is no such digest
   */
  readPoints(id: string, holds: boolean): Promise<GivenItems>;
  /** What a selection of size `auto` fills at most, as the digest was asked for. */
  readAutoSize(stored: StoredPoints): Promise<AutoSize>;
}

/** Where none are kept. */
export const NO_DIGESTS: KeptDigests = {
  async readPoints() {
    throw new UnusableOptionError('/digest', 'No digests are stored here: send "items".');
  },
  async readAutoSize() {
    throw new TypeError('no digests are stored here');
  },
};

/**
 * Reads what a request selects from. Items come in the order of their texts' hashes, then ids, so that theirs in the request
 * does not matter; vectors and kernels as they are given; points of a digest as it holds them.
 *
 * @param holds whether the points of a digest are held for the next request
 * @throws TesseraError where it names a digest that is not kept
 */
export async function givenItems(
  request: SelectionsRequest,
  digests: KeptDigests,
  holds: boolean,
): Promise<GivenItems> {
  const { items, embeddings, kernel, digest } = request;
  if (items !== undefined) return ofItems(items);
  if (digest !== undefined) return digests.readPoints(digest, holds);
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
    language: language(hashed.map(({ text }) => text).join('\n')),
    stored: null,
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
    language: 'und',
    stored: null,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
