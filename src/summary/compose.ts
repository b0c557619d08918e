import { framingSentence } from './cite-point.ts';
import { finishSummary, laidOut } from './finish-summary.ts';
import { type Frame, noticeText, openPartsText } from './framing.ts';
import { type Outline, outlineOf } from './outline.ts';
import { type ComposeInput, mostSentences, type Summary, type SummarySentence } from '../contract/summary.ts';
import { tellBullets, tellParagraphs } from './tell.ts';
import { seriesOf } from './title-prefix.ts';
import { WordBudget } from './word-budget.ts';

/**
 * Writes the summary of a selection without a language model: every point in its own wording, cited, in bullets by rank
 * or in a report that opens with the best answer and says once what is said twice; a brief is such a report in one paragraph.
 * Deterministic, and every sentence is either framing or cited (P2, P3).
 *
 * A supporter whose statement contradicts the point it joined is not cited as support. The point names it in
 * `disagreement`; a report sets it beside the point as a sentence of its own, a brief only where it has a sentence left.
 *
 * Framing is left out where `maxWords` has no room for it; points never are (see the selection (`selection/fit-to-words.ts`)). Without points the
 * summary says why in one sentence.
 */
export function compose(input: ComposeInput, outline: Outline = outlineOf(input)): Summary {
  const { points, sentences } = outline;
  const own = sentences.map(({ text }) => text);
  const words = new WordBudget(points.length === 0 ? null : input.maxWords, own);
  const { notice, openParts } = framingOf(input, points.length, words);
  const tell = input.format === 'bullets' ? tellBullets : tellParagraphs;
  const isOpened = notice.length > 0;
  const telling = {
    documents: input.documents,
    series: seriesOf(input.documents),
    words,
    sentences: mostSentences(input.format) ?? Number.POSITIVE_INFINITY,
    isOpened,
  };
  return finishSummary(laidOut([notice, ...tell(outline, telling), openParts], input.format), input);
}

/** The sentences of the service's own around the points: before them that nothing answers, after them what stays open. */
export function framingOf(
  frame: Frame,
  points: number,
  words: WordBudget,
): { readonly notice: SummarySentence[]; readonly openParts: SummarySentence[] } {
  const framed = (text: string | null) => (text !== null && words.spend(text) ? [framingSentence(text)] : []);
  return { notice: framed(noticeText(frame, points)), openParts: framed(openPartsText(frame, points)) };
}
