import type { Citation, SummarySentence, Verification } from '../contract/index.ts';
import { groupBy } from '../text/index.ts';
import type { ComposeInput, SelectedPoint } from './input.ts';
import { leansOn } from './leans-on.ts';
import { orderThemes } from './order-themes.ts';
import { onlyPoints, type Saying, sameStatements } from './same-statements.ts';
import { type Shown, sentenceText } from './sentence-text.ts';

export interface Outline {
  readonly points: readonly SelectedPoint[];
  /** Paragraphs of sayings in the order of the text; points that say the same form one saying. */
  readonly paragraphs: readonly (readonly Saying[])[];
  readonly sentences: readonly SummarySentence[];
}

export function outlineOf(given: ComposeInput): Outline {
  const byRank = [...given.points.keys()].sort((a, b) => given.points[a].rank - given.points[b].rank || a - b);
  const input = byRank.every((index, place) => index === place) ? given : onlyPoints(given, byRank);
  const { points } = input;
  return { points, paragraphs: partByPart(input), sentences: points.map(citePoint) };
}

/** Each part of the question in paragraphs of its own, in the order asked. A sentence stays with the one it leans on. */
function partByPart(input: ComposeInput): Saying[][] {
  const { points } = input;
  const sayings = sameStatements(points);
  const before = leansOn(points);
  const partOf = (index: number): number => {
    let root = index;
    while (before[root] >= 0) root = before[root];
    return points[root].facet ?? 0;
  };
  const parts = groupBy(sayings, ([lead]) => partOf(lead));
  return [...parts]
    .sort(([a], [b]) => a - b)
    .flatMap(([, own]) => {
      const kept = own.flat().sort((a, b) => a - b);
      const place = new Map(kept.map((index, at) => [index, at]));
      const told = own.map((saying) => saying.map((index) => place.get(index) ?? 0));
      return orderThemes(onlyPoints(input, kept), told).map((paragraph) =>
        paragraph.map((saying) => saying.map((index) => kept[index])),
      );
    });
}

/**
 * The sentence of a point with its sources: its own quotes, then from each other supporting document the most similar
 * quote, in order of similarity (ties in canonical order).
 */
export function citePoint(
  point: Shown & Pick<SelectedPoint, 'id' | 'document' | 'quote' | 'moreQuotes' | 'supports' | 'verification'>,
): SummarySentence {
  const { document: home } = point;
  const others = new Map<string, Citation>();
  for (const { document, quote } of point.supports.toSorted((a, b) => b.similarity - a.similarity)) {
    if (document !== home && !others.has(document)) others.set(document, { document, quote });
  }
  const { verification = 'verbatim' } = point;
  const own = [point.quote, ...(point.moreQuotes ?? [])].map((quote) => ({ document: home, quote }));
  return {
    text: sentenceText(point),
    framing: false,
    keyPoints: [...new Set([point.id, ...point.supports.map((support) => support.keyPoint)])],
    citations: [...own, ...others.values()],
    support: supportOf(verification),
    verification,
  };
}

/**
 * Combines the sources of several sentences.
 * @param verification of the combined sentence; by default the weakest of the parts
 */
export function citeAll(
  text: string,
  own: readonly SummarySentence[],
  verification: Verification = leastHeld(own),
): SummarySentence {
  const citations = new Map<string, Citation>();
  for (const citation of own.flatMap((sentence) => sentence.citations)) {
    const { document, quote } = citation;
    const key = JSON.stringify([document, quote.start, quote.end]);
    if (!citations.has(key)) citations.set(key, citation);
  }
  const leads = own.flatMap(({ keyPoints }) => keyPoints.slice(0, 1));
  return {
    text,
    framing: false,
    keyPoints: [...new Set([...leads, ...own.flatMap(({ keyPoints }) => keyPoints)])],
    citations: [...citations.values()],
    support: supportOf(verification),
    verification,
  };
}

const FROM_LEAST: readonly Verification[] = ['unverified', 'judged', 'mended'];

function leastHeld(own: readonly SummarySentence[]): Verification {
  return FROM_LEAST.find((each) => own.some(({ verification }) => verification === each)) ?? 'verbatim';
}

/** Share of a sentence's words known to be verbatim: 1, or null if not measured. */
function supportOf(verification: Verification): number | null {
  return verification === 'verbatim' ? 1 : null;
}

export function framingSentence(text: string): SummarySentence {
  return { text, framing: true, keyPoints: [], citations: [], support: null, verification: null };
}
