import { citePoint } from './cite-point.ts';
import { Disagreements, statedBy } from './disagreements.ts';
import { type Opposed, opposedPairs, pairUp, type Stance, splitSupports } from './oppose-points.ts';
import { type Block, orderThemes } from './order-themes.ts';
import type { ComposeInput, Disagreement, SelectedPoint, SummarySentence } from './summary.ts';

/** What every writer starts from: who stands with whom, what belongs together, and every point in its own wording. */
export interface Outline {
  /** The selected points, in rank order, without the supporters that contradict them. */
  readonly points: readonly SelectedPoint[];
  /** The same with the supporters that contradict them. */
  readonly stances: readonly Stance[];
  /** Points to be set side by side, because they contradict each other. */
  readonly paired: readonly Opposed[];
  /** Paragraphs of blocks of points, by theme. */
  readonly paragraphs: readonly (readonly Block[])[];
  /** The sentence of every point in its own wording. */
  readonly sentences: readonly SummarySentence[];
}

/** Takes contradictions out of support, pairs what is opposed, and orders the rest by theme. */
export function outlineOf(input: ComposeInput): Outline {
  const disagreements = new Disagreements(input.documents, textsOf(input));
  const stances = input.points.map((point) => splitSupports(point, disagreements));
  const points = stances.map((stance) => stance.point);
  const pairs = opposedPairs({ points, similarity: input.similarity }, disagreements);
  const paired = pairUp(pairs);
  const sentences = stances.map((stance, index) => ({
    ...citePoint(stance.point),
    disagreement: disagreementOf(index, stance, points, pairs),
  }));
  const paragraphs = orderThemes(
    { ...input, points },
    paired.map(({ a, b }) => [a, b] as const),
  );
  return { points, stances, paired, paragraphs, sentences };
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
