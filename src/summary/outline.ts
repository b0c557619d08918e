import { citePoint } from './cite-point.ts';
import { Disagreements, statedBy } from './disagreements.ts';
import { type Opposed, opposedPairs, pairUp, type Stance, splitSupports } from './oppose-points.ts';
import { orderThemes } from './order-themes.ts';
import { type Saying, sameStatements } from './same-statements.ts';
import type { ComposeInput, Disagreement, SelectedPoint, SummarySentence } from '../contract/summary.ts';

/** What every writer starts from: who stands with whom, what belongs together, and every point in its own wording. */
export interface Outline {
  /** The selected points, in rank order, without the supporters that contradict them. */
  readonly points: readonly SelectedPoint[];
  /** The same with the supporters that contradict them. */
  readonly stances: readonly Stance[];
  /** Points to be set side by side, because they contradict each other. */
  readonly paired: readonly Opposed[];
  /** Paragraphs of what is said, in the order in which it is told: points that say the same together. */
  readonly paragraphs: readonly (readonly Saying[])[];
  /** The sentence of every point in its own wording. */
  readonly sentences: readonly SummarySentence[];
}

/** Takes contradictions out of support, pairs what is opposed, puts together what is the same, and orders all by theme. */
export function outlineOf(given: ComposeInput): Outline {
  const input = byRank(given);
  const disagreements = new Disagreements(input.documents, textsOf(input));
  const stances = input.points.map((point) => splitSupports(point, disagreements));
  const points = stances.map((stance) => stance.point);
  const pairs = opposedPairs({ points, similarity: input.similarity }, disagreements);
  const paired = pairUp(pairs);
  const sentences = stances.map((stance, index) => ({
    ...citePoint(stance.point),
    disagreement: disagreementOf(index, stance, points, pairs),
  }));
  const opposed = new Set(pairs.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
  const paragraphs = orderThemes(
    { ...input, points },
    sameStatements(points, (a, b) => opposed.has(`${a} ${b}`)),
    paired.map(({ a, b }) => [a, b] as const),
  );
  return { points, stances, paired, paragraphs, sentences };
}

/** The same with the points in the order of their ranks, in which ties are broken. */
function byRank(input: ComposeInput): ComposeInput {
  const { points, similarity } = input;
  const n = points.length;
  const order = [...points.keys()].sort((a, b) => (points[a]?.rank ?? 0) - (points[b]?.rank ?? 0) || a - b);
  if (order.every((index, place) => index === place)) return input;
  const ranked = similarity.map((_, cell) => {
    const [row = 0, column = 0] = [order[Math.floor(cell / n)], order[cell % n]];
    return similarity[row * n + column] ?? 0;
  });
  return { ...input, points: order.flatMap((index) => points[index] ?? []), similarity: ranked };
}

/** What a supporter that contradicts a point says, as a sentence of its own. */
export function counterpointSentences({ point, counterpoints }: Stance): SummarySentence[] {
  return counterpoints.map((counter) => ({
    ...citePoint(counter.point),
    disagreement: { with: [point.id], on: counter.on },
  }));
}

function disagreementOf(
  index: number,
  { counterpoints }: Stance,
  points: readonly SelectedPoint[],
  pairs: readonly Opposed[],
): Disagreement | null {
  const own = pairs.filter(({ a, b }) => a === index || b === index);
  const others = own.map(({ a, b, on }) => ({ id: points[a === index ? b : a]?.id ?? '', on }));
  const joined = counterpoints.flatMap(({ point, on }) =>
    [point.id, ...point.supports.map((support) => support.keyPoint)].map((id) => ({ id, on })),
  );
  const all = [...others, ...joined];
  if (all.length === 0) return null;
  return {
    with: [...new Set(all.map(({ id }) => id))],
    on: [...new Set(all.map(({ on }) => on))].join('; '),
  };
}

function textsOf({ points }: ComposeInput): string[] {
  return points.flatMap((point) => [point.text, ...point.supports.map((support) => statedBy(support).text)]);
}
