import type { Selection } from '../selection/select.ts';
import type { Intent, Quote, SelectedPoint, Support } from '../summary/summary.ts';
import type { Point } from './points.ts';
import type { Ranking } from './ranking-task.ts';

/**
 * The selection as the writer needs it: every picked point with the points that joined it, in canonical order.
 *
 * @param kept indices into `points` of the items that the selection saw
 */
export function selectedPoints(
  selection: Selection,
  kept: readonly number[],
  points: readonly Point[],
  ranking: Ranking,
  intent: Intent | null,
): SelectedPoint[] {
  const { picks, nearest, salience } = selection;
  const supports: Support[][] = picks.map(() => []);
  kept.forEach((index, item) => {
    if (!nearest.joins[item]) return;
    const { id: keyPoint, document, quote, text, speaker } = points[index];
    supports[nearest.position[item]].push({
      keyPoint,
      document,
      quote: plainQuote(quote),
      text,
      speaker,
      similarity: nearest.similarity[item],
    });
  });
  return picks.map(({ item }, rank) => {
    const index = kept[item];
    const { id, document, text, speaker, quote, moreQuotes, under, selfContained } = points[index];
    return {
      id,
      document,
      text,
      speaker,
      quote: plainQuote(quote),
      moreQuotes: moreQuotes.map(plainQuote),
      relevance: ranking.values[index],
      salience: salience?.[item] ?? 0, // where nobody asked who says the same, nobody is known to
      rank: rank + 1,
      facet: intent === null ? null : ranking.facets[index],
      supports: supports[rank],
      under,
      selfContained,
    };
  });
}

/** A citation says where the quote is; how it was found stands with the key point. */
function plainQuote({ text, start, end }: Quote): Quote {
  return { text, start, end };
}
