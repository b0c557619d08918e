import { citePoint, framingSentence } from './cite-point.ts';
import { Disagreements, statedBy } from './disagreements.ts';
import { disagreementText, openingText, unansweredText } from './framing.ts';
import { numberSources } from './number-sources.ts';
import { type Opposed, opposedPairs, pairUp, type Stance, splitSupports } from './oppose-points.ts';
import { documentsBehind, orderThemes } from './order-themes.ts';
import { renderText } from './render-text.ts';
import type { ComposeInput, Disagreement, SelectedPoint, Summary, SummarySentence } from './summary.ts';
import { WordBudget } from './word-budget.ts';

/**
 * Writes the summary of a selection without a language model: every point in its own wording, cited, in bullets by rank
 * or in a report by theme. Deterministic, and every sentence is either framing or cited (P2, P3).
 *
 * A supporter whose statement contradicts the point it joined is not cited as support. The point names it in
 * `disagreement`; a report sets it beside the point as a sentence of its own.
 *
 * Framing is left out where `maxWords` has no room for it; points never are (see the selection (`selection/fit-to-words.ts`)). Without points the
 * summary says why in one sentence.
 */
export function compose(input: ComposeInput): Summary {
  const { documents, format, intent, maxWords } = input;
  const disagreements = new Disagreements(documents, textsOf(input));
  const stances = input.points.map((point) => splitSupports(point, disagreements));
  const points = stances.map((stance) => stance.point);
  const pairs = opposedPairs({ points, similarity: input.similarity }, disagreements);
  const sentences = stances.map((stance, index) => ({
    ...citePoint(stance.point),
    disagreement: disagreementOf(index, stance, points, pairs),
  }));

  const words = new WordBudget(points.length === 0 ? null : maxWords, textsIn(sentences));
  const notice = framed(unansweredText(intent, points.length, documents.length), words);
  if (format === 'bullets') return finish([notice, sentences], input);

  const wantsOpening = points.length > 0 && intent?.matched !== false;
  const opening = framed(wantsOpening ? openingText(intent, coverageOf(points, documents.length)) : null, words);
  const paired = pairUp(pairs);
  const told = new Set<string>();
  const tell = (on: string, sides: readonly SummarySentence[]) => {
    const voices = new Set(sides.map((side) => side.citations[0]?.document));
    const text = disagreementText(on, voices.size > 1 ? 'sources' : 'speakers');
    return told.has(on) ? [] : framed(text, words, () => told.add(on));
  };
  const paragraphs = orderThemes(
    { ...input, points },
    paired.map(({ a, b }) => [a, b] as const),
  ).map((blocks) =>
    blocks.flatMap((block) => {
      const pair = paired.find(({ a, b }) => block.includes(a) && block.includes(b));
      const sides = block.flatMap((index) => withCounterpoints(sentences[index], stances[index], words));
      const on = pair?.on ?? (sides.length > 1 ? sides[0]?.disagreement?.on : undefined);
      return on === undefined ? sides : [...tell(on, sides), ...sides];
    }),
  );
  return finish([[...opening, ...notice], ...paragraphs], input);
}

function finish(paragraphs: readonly (readonly SummarySentence[])[], { documents, format }: ComposeInput): Summary {
  const sentences = paragraphs.flat();
  const sources = numberSources(sentences, documents);
  return { text: renderText(paragraphs, sources, format), sentences, sources };
}

/** A framing sentence, if there is one and it fits. */
function framed(text: string | null, words: WordBudget, onFit?: () => void): SummarySentence[] {
  if (text === null || !words.spend(text)) return [];
  onFit?.();
  return [framingSentence(text)];
}

/** A point followed by what its would-be supporters say against it, as far as there is room. */
function withCounterpoints(
  sentence: SummarySentence | undefined,
  stance: Stance | undefined,
  words: WordBudget,
): SummarySentence[] {
  if (!sentence || !stance) return [];
  const counters = stance.counterpoints
    .map(({ point, on }) => ({ ...citePoint(point), disagreement: { with: [stance.point.id], on } }))
    .filter((counter) => words.spend(counter.text));
  return [sentence, ...counters];
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

function coverageOf(points: readonly SelectedPoint[], documents: number) {
  const cited = new Set(points.flatMap((point) => [point.document, ...point.supports.map((each) => each.document)]));
  const corroborated = points.filter((point) => documentsBehind(point) > 1).length;
  return { points: points.length, cited: cited.size, documents: Math.max(documents, cited.size), corroborated };
}

function textsOf({ points }: ComposeInput): string[] {
  return points.flatMap((point) => [point.text, ...point.supports.map((support) => statedBy(support).text)]);
}

function textsIn(sentences: readonly SummarySentence[]): string[] {
  return sentences.map((sentence) => sentence.text);
}
