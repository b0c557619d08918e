import type { CoveredPoints } from '../key-points/extraction-recall.ts';
import { textTable } from '../cli/text-table.ts';

/** Shares of people's key points that made ones cover, per cent: a row a case, and all points together in the last. */
export function printExtractionRecall(covered: readonly CoveredPoints[]): string {
  const total = (name: 'points' | 'before' | 'after'): number => covered.reduce((sum, each) => sum + each[name], 0);
  const all = { case: '(all points)', points: total('points'), before: total('before'), after: total('after') };
  const rows = [...covered, all].map(({ case: id, points, before, after }) => [
    id,
    String(points),
    ...[before, after].map((count) => ((100 * count) / points).toFixed(1)),
  ]);
  return textTable(['case', "people's points", 'covered before the filter %', 'after it %'], rows);
}
