import { framingSentence } from './cite-point.ts';
import { finishSummary } from './finish-summary.ts';
import { disagreementText, openingText, unansweredText } from './framing.ts';
import { documentsBehind } from './order-themes.ts';
import { counterpointSentences, type Outline, outlineOf } from './outline.ts';
import type { ComposeInput, SelectedPoint, Summary, SummarySentence } from './summary.ts';
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
export function compose(input: ComposeInput, outline: Outline = outlineOf(input)): Summary {
  const { format } = input;
  const { points, stances, sentences, paired } = outline;
  const words = new WordBudget(points.length === 0 ? null : input.maxWords, textsIn(sentences));
  const framing = framingOf(input, points, words);
  if (format === 'bullets') return finishSummary([framing, sentences], input);

  const told = new Set<string>();
  const tell = (on: string, sides: readonly SummarySentence[]) => {
    const voices = new Set(sides.map((side) => side.citations[0]?.document));
    const text = disagreementText(on, voices.size > 1 ? 'sources' : 'speakers');
    return told.has(on) ? [] : framed(text, words, () => told.add(on));
  };
  const paragraphs = outline.paragraphs.map((blocks) =>
    blocks.flatMap((block) => {
      const pair = paired.find(({ a, b }) => block.includes(a) && block.includes(b));
      const sides = block.flatMap((index) => [
        sentences[index],
        ...counterpointSentences(stances[index]).filter((counter) => words.spend(counter.text)),
      ]);
      const on = pair?.on ?? (sides.length > 1 ? sides[0]?.disagreement?.on : undefined);
      return on === undefined ? sides : [...tell(on, sides), ...sides];
    }),
  );
  return finishSummary([framing, ...paragraphs], input);
}

/**
 * The sentences that stand before the points: how many there are and from where, and what nobody speaks to.
 *
 * @param isOpened whether the first of the two is wanted
 */
export function framingOf(
  { intent, documents, format, known }: ComposeInput,
  points: readonly SelectedPoint[],
  words: WordBudget,
  isOpened = true,
): SummarySentence[] {
  const notice = framed(unansweredText(intent, points.length, documents.length, known), words);
  const wantsOpening = isOpened && format === 'report' && points.length > 0 && intent?.matched !== false;
  const opening = wantsOpening ? openingText(intent, coverageOf(points, documents.length)) : null;
  return [...framed(opening, words), ...notice];
}

/** A framing sentence, if there is one and it fits. */
function framed(text: string | null, words: WordBudget, onFit?: () => void): SummarySentence[] {
  if (text === null || !words.spend(text)) return [];
  onFit?.();
  return [framingSentence(text)];
}

function coverageOf(points: readonly SelectedPoint[], documents: number) {
  const cited = new Set(points.flatMap((point) => [point.document, ...point.supports.map((each) => each.document)]));
  const corroborated = points.filter((point) => documentsBehind(point) > 1).length;
  return { points: points.length, cited: cited.size, documents: Math.max(documents, cited.size), corroborated };
}

function textsIn(sentences: readonly SummarySentence[]): string[] {
  return sentences.map((sentence) => sentence.text);
}
