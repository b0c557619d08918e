import type { Citation, Disagreement, SummarySentence } from '../summary.ts';
import type { NumberedPoint } from './material.ts';

/** A model's sentence with the sources of every point that it cites. */
export function citePoints(text: string, cited: readonly NumberedPoint[], support: number | null): SummarySentence {
  const own = cited.map((point) => point.own);
  const citations = new Map<string, Citation>();
  for (const citation of own.flatMap((sentence) => sentence.citations)) {
    const { document, quote } = citation;
    const key = JSON.stringify([document, quote.start, quote.end]);
    if (!citations.has(key)) citations.set(key, citation);
  }
  const leads = own.map(({ keyPoints }) => keyPoints[0]);
  return {
    text,
    framing: false,
    keyPoints: [...new Set([...leads, ...own.flatMap(({ keyPoints }) => keyPoints)])],
    citations: [...citations.values()],
    support,
    disagreement: united(own.map(({ disagreement }) => disagreement)),
  };
}

function united(all: readonly (Disagreement | null)[]): Disagreement | null {
  const found = all.filter((each) => each !== null);
  if (found.length === 0) return null;
  return {
    with: [...new Set(found.flatMap((each) => each.with))],
    on: [...new Set(found.map(({ on }) => on))].join('; '),
  };
}
