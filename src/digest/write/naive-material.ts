import { asData, encodeTexts, isReranker } from '../../models/index.ts';
import { type Span, utf8Length, windows } from '../../text/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { DigestPlan } from '../plan-digest.ts';
import type { Query } from '../rank/intent.ts';
import { rankPoints } from '../rank/rank-points.ts';

const PASSAGE_BYTES = 1500;
/** Bytes of the lines around a document, and of its title. */
const AROUND = 160;

interface Passage extends Span {
  readonly documentIndex: number;
  readonly text: string;
  readonly bytes: number;
}

/**
 * The documents as one prompt holds them, numbered: whole where they fit, else their most relevant passages (without an
 * intent, the beginning of each), in reading order.
 *
 * @param budget UTF-8 bytes
 * @returns with the passages that were left out
 */
export async function naiveMaterial(
  documents: readonly ReadDocument[],
  query: Query,
  plan: DigestPlan,
  budget: number,
  deps: DigestDeps,
): Promise<{ readonly text: string; readonly left: number }> {
  const passages = documents.flatMap(({ document }, documentIndex) =>
    windows(document.text, { bytes: PASSAGE_BYTES, overlapBytes: 0 }).map((span): Passage => {
      const text = document.text.slice(span.start, span.end);
      return { ...span, documentIndex, text, bytes: utf8Length(text) };
    }),
  );
  const whole = passages.reduce((sum, { bytes }) => sum + bytes, AROUND * documents.length) <= budget;
  const order = whole ? [...passages.keys()] : await orderOf(passages, documents, query, plan, deps);
  const shown = new Set<number>();
  const begun = new Set<number>();
  let left = budget;
  for (const index of order) {
    const { bytes, documentIndex } = passages[index];
    const cost = bytes + (begun.has(documentIndex) ? 0 : AROUND);
    if (cost > left) continue;
    left -= cost;
    begun.add(documentIndex);
    shown.add(index);
  }
  const text = documents.map(({ document }, number) => {
    const own = passages.filter((passage, index) => passage.documentIndex === number && shown.has(index));
    const title = document.title === undefined ? '' : `${document.title}\n\n`;
    return own.length === 0 ? '' : asData('document', title + own.map((each) => each.text).join('\n[…]\n'), number + 1);
  });
  return { text: text.filter((each) => each !== '').join('\n\n'), left: passages.length - shown.size };
}

/** Passages by falling relevance; without an intent the first of every document, then the second. */
async function orderOf(
  passages: readonly Passage[],
  documents: readonly ReadDocument[],
  query: Query,
  { options: { relevanceEncoder } }: DigestPlan,
  { cache, engine }: DigestDeps,
): Promise<number[]> {
  const indices = [...passages.keys()];
  if (query.text === null) {
    const place = indices.map(
      (index) => index - passages.findIndex((p) => p.documentIndex === passages[index].documentIndex),
    );
    return indices.sort((a, b) => place[a] - place[b] || a - b);
  }
  const texts = passages.map(({ text }) => text);
  const { sentences } = isReranker(relevanceEncoder)
    ? { sentences: [] }
    : await encodeTexts(relevanceEncoder, cache, texts);
  const { values } = await rankPoints(
    {
      query,
      points: passages,
      documents,
      vectors: sentences,
      under: passages.map(() => null),
      encoder: relevanceEncoder,
      gate: null,
      maxPast: Number.POSITIVE_INFINITY,
      surroundings: 0,
      estimate: false,
      standAlone: false,
    },
    engine,
  );
  return indices.sort((a, b) => values[b] - values[a] || a - b);
}
