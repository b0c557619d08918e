import type { ComposeInput, SelectedPoint } from './summary.ts';
import { themes } from './themes.ts';

/** Points that must stand side by side, in the order in which they stand. */
export type Block = readonly number[];

/**
 * Arranges a report: paragraphs of blocks of points. Themes come by the mean relevance of their points (salience
 * without an intent), what belongs to no theme last. Inside a theme what more documents say comes first, and points
 * that contradict each other follow one another. Ties go by rank.
 *
 * @param opposed Pairs of indices of points that contradict each other.
 */
export function orderThemes(input: ComposeInput, opposed: readonly (readonly [number, number])[]): Block[][] {
  const { points, similarity, intent } = input;
  const found = themes(similarity, points.length, opposed);
  const weigh = intent ? (point: SelectedPoint) => point.relevance : (point: SelectedPoint) => point.salience;
  const weight = (theme: readonly number[]) =>
    theme.reduce((sum, index) => sum + weigh(points[index] as SelectedPoint), 0) / theme.length;
  const byWeight = (groups: readonly number[][]) =>
    [...groups].sort((a, b) => weight(b) - weight(a) || (a[0] ?? 0) - (b[0] ?? 0));
  return [...byWeight(found.themes), ...byWeight(found.others)].map((theme) => orderTheme(theme, points, opposed));
}

function orderTheme(
  theme: readonly number[],
  points: readonly SelectedPoint[],
  opposed: readonly (readonly [number, number])[],
): Block[] {
  const backing = new Map(theme.map((index) => [index, documentsBehind(points[index] as SelectedPoint)]));
  const order = [...theme].sort((a, b) => (backing.get(b) ?? 0) - (backing.get(a) ?? 0) || a - b);
  const blocks: number[][] = [];
  const placed = new Set<number>();
  for (const index of order) {
    if (placed.has(index)) continue;
    const block = [index];
    placed.add(index);
    // The block grows while it is walked: whoever contradicts a member stands in it too.
    for (const member of block) {
      for (const other of order) {
        const isOpposed = opposed.some(([a, b]) => (a === member && b === other) || (b === member && a === other));
        if (!isOpposed || placed.has(other)) continue;
        block.push(other);
        placed.add(other);
      }
    }
    blocks.push(block);
  }
  return blocks;
}

/** Number of distinct documents that state a point, its own included. */
export function documentsBehind(point: Pick<SelectedPoint, 'document' | 'supports'>): number {
  return new Set([point.document, ...point.supports.map((support) => support.document)]).size;
}
