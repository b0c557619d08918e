import type { Digest, Preset, Reason, SelectionsRequest } from '../../contract/index.ts';
import type { AutoSize } from '../../selection/index.ts';
import { countWords, sentenceText } from '../../summary/index.ts';
import { contentHash, language } from '../../text/index.ts';
import { UnusableOptionError } from '../errors.ts';
import { encodedText } from '../extract/points.ts';

export interface StoredPoints {
  readonly digest: string;
  readonly relevance: readonly number[];
  readonly quality: readonly number[];
  readonly known: ReadonlySet<number>;
  readonly gate: number | null;
  /** What its gate kept. */
  readonly kept: readonly number[];
  /** 1 for points relevant enough for size `auto`; null without a question. */
  readonly eligible: Uint8Array | null;
  readonly encoder: string;
  readonly contextEncoder: string;
  readonly preset: Preset;
}

export interface GivenItems {
  readonly order: readonly number[];
  readonly ids: readonly (string | null)[];
  readonly documents: Int32Array;
  readonly words: Int32Array;
  readonly hashes: readonly string[];
  readonly texts: readonly string[] | null;
  /** The texts for encoders; the speakers are part of them. */
  readonly encoded: readonly string[];
  readonly language: string;
  readonly stored: StoredPoints | null;
}

export interface KeptDigests {
  /** `holds` caches the points. @throws TesseraError if the digest is missing */
  readPoints(id: string, holds: boolean): Promise<GivenItems>;
  readAutoSize(stored: StoredPoints): Promise<AutoSize>;
}

export const NO_DIGESTS: KeptDigests = {
  async readPoints() {
    throw new UnusableOptionError('/digest', 'No digests are stored here: send "items".');
  },
  async readAutoSize() {
    throw new TypeError('no digests are stored here');
  },
};

/**
 * Sorts texts by hash and id, independent of the request; keeps other items in order. `holds` caches the points of a digest.
 * @throws TesseraError if the digest is missing
 */
export async function givenItems(
  { items, embeddings, kernel, digest }: SelectionsRequest,
  digests: KeptDigests,
  holds: boolean,
): Promise<GivenItems> {
  if (items !== undefined) return itemsWithTexts(items);
  if (digest !== undefined) return digests.readPoints(digest, holds);
  const order = [...(embeddings ?? kernel ?? []).keys()];
  return {
    order,
    ids: order.map(() => null),
    documents: Int32Array.from(order),
    words: new Int32Array(order.length),
    hashes: order.map((i) => contentHash(String(i))),
    texts: null,
    encoded: [],
    language: 'und',
    stored: null,
  };
}

function itemsWithTexts(items: NonNullable<SelectionsRequest['items']>): GivenItems {
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const hashed = items
    .map(({ id, text, document }, index) => ({ id, text, document, index, hash: contentHash(text) }))
    .sort((a, b) => compare(a.hash, b.hash) || compare(a.id, b.id));
  const texts = hashed.map(({ text }) => text);
  return {
    order: hashed.map(({ index }) => index),
    ids: hashed.map(({ id }) => id),
    documents: numbered(
      hashed.map(({ document, id }) => (document === undefined ? `item ${id}` : `document ${document}`)),
    ),
    words: Int32Array.from(texts, (text) => countWords(text)),
    hashes: hashed.map(({ hash }) => hash),
    texts,
    encoded: texts,
    language: language(texts.join('\n')),
    stored: null,
  };
}

/** The points of a digest in its own order, without those that have no valid quote. */
export function storedPoints({ id, keyPoints: listed, engine, selection }: Digest): GivenItems {
  const keyPoints = listed.flatMap((point) =>
    point.relevance === null ? [] : [{ ...point, relevance: point.relevance, speaker: point.speaker ?? undefined }],
  );
  const texts = keyPoints.map(({ text }) => text);
  const isAsked = selection.relevance.facets.length > 0;
  return {
    order: [...keyPoints.keys()],
    ids: keyPoints.map((point) => point.id),
    documents: numbered(keyPoints.map(({ document }) => document)),
    words: Int32Array.from(keyPoints, (point) => countWords(sentenceText(point))),
    hashes: [],
    texts,
    encoded: keyPoints.map(encodedText),
    language: language(texts.join('\n')),
    stored: {
      digest: id,
      relevance: keyPoints.map(({ relevance }) => relevance),
      quality: keyPoints.map(({ quality }) => quality ?? 1),
      gate: selection.relevance.gate,
      kept: keyPoints.flatMap(({ reason }, position) => (reason === 'gate' ? [] : [position])),
      known: new Set(keyPoints.flatMap(({ reason }, position) => (reason === 'known' ? [position] : []))),
      eligible: isAsked ? eligibleOf(keyPoints) : null,
      encoder: engine.encoder,
      // Without a question there are no vectors for relevance.
      contextEncoder: isAsked ? engine.relevanceEncoder : engine.encoder,
      preset: selection.preset,
    },
  };
}

/** A supporting point has no flag of its own: it is eligible if it is as relevant as one that was. */
function eligibleOf(points: readonly { readonly relevance: number; readonly reason: Reason | null }[]): Uint8Array {
  const isBelow = (reason: Reason | null) => reason === 'level' || reason === 'gate';
  const eligible = points.filter(({ reason }) => !isBelow(reason) && reason !== 'supports');
  const least = eligible.reduce((lowest, { relevance }) => Math.min(lowest, relevance), Number.POSITIVE_INFINITY);
  return Uint8Array.from(points, ({ reason, relevance }) =>
    Number(reason === 'supports' ? relevance >= least : !isBelow(reason)),
  );
}

function numbered(names: readonly string[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(names, (name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}
