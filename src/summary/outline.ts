import type { SummarySentence } from '../contract/index.ts';
import { citePoint } from './cite-point.ts';
import type { ComposeInput, SelectedPoint } from './compose-input.ts';
import { orderThemes } from './order-themes.ts';
import { type Saying, sameStatements } from './same-statements.ts';

/** The starting point of every writer: the points in order, each in its own wording. */
export interface Outline {
  /** The selected points, in rank order. */
  readonly points: readonly SelectedPoint[];
  /** Paragraphs of sayings in the order of the text; points that say the same form one saying. */
  readonly paragraphs: readonly (readonly Saying[])[];
  /** The sentence of every point in its own wording. */
  readonly sentences: readonly SummarySentence[];
}

/** Puts points that say the same together, and orders everything by theme. */
export function outlineOf(given: ComposeInput): Outline {
  const input = byRank(given);
  const { points } = input;
  return {
    points,
    paragraphs: orderThemes(input, sameStatements(points)),
    sentences: points.map(citePoint),
  };
}

/** The same input with its points in rank order, by which ties are broken. */
function byRank(input: ComposeInput): ComposeInput {
  const { points, similarity } = input;
  const n = points.length;
  const order = [...points.keys()].sort((a, b) => points[a].rank - points[b].rank || a - b);
  if (order.every((index, place) => index === place)) return input;
  const ranked = similarity.map((_, cell) => similarity[order[Math.floor(cell / n)] * n + order[cell % n]]);
  return { ...input, points: order.map((index) => points[index]), similarity: ranked };
}
