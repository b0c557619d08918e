import type { Summary, SummarySentence } from '../contract/index.ts';
import { countWords } from './count-words.ts';
import { type Frame, noticeText, openPartsText } from './framing.ts';
import type { ComposeInput, DescribedDocument, SelectedPoint } from './input.ts';
import { finishSummary, laidOut } from './layout.ts';
import { isLostAlone, isNextTo } from './leans-on.ts';
import { citeAll, framingSentence, type Outline, outlineOf } from './outline.ts';
import { bodyOf, endSentence, isQuestion, labelOf, leanOf, sentenceText } from './sentence-text.ts';
import { seriesOf, titlePrefix } from './title-prefix.ts';

class WordBudget {
  private left: number;

  /** @param taken texts that are counted whatever the limit */
  constructor(maxWords: number | null, taken: readonly string[]) {
    const words = taken.reduce((sum, text) => sum + countWords(text), 0);
    this.left = maxWords === null ? Number.POSITIVE_INFINITY : maxWords - words;
  }

  spend(...texts: readonly string[]): boolean {
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    if (words > this.left) return false;
    this.left -= words;
    return true;
  }
}

interface Telling {
  readonly documents: readonly DescribedDocument[];
  readonly series: ReadonlySet<string>;
  readonly words: WordBudget;
}

const MAX_ITEM_LENGTH = 12;

/** One bullet per point, by rank. Each line stands alone, so it repeats its speaker and heading. */
function describeBullets({ points, sentences }: Outline, telling: Telling): SummarySentence[][] {
  const bullets = points.map((point, index) => {
    const before = points[index - 1];
    const isNext = before !== undefined && isNextTo(point, before);
    const text = titled(sentenceText(point, {}, !isNext), point, before?.document ?? null, telling);
    return { ...sentences[index], text };
  });
  return [bullets];
}

function describeParagraphs({ points, sentences, paragraphs }: Outline, telling: Telling): SummarySentence[][] {
  let previous: SelectedPoint | null = null;
  return paragraphs.map((sayings) => {
    const told: SummarySentence[] = [];
    for (const saying of sayings) {
      const point = points[saying[0]];
      const own = saying.map((index) => sentences[index]);
      const last = told.at(-1);
      const before: SelectedPoint | null = last === undefined ? null : previous;
      if (last !== undefined && before !== null && isNextItem(point, before)) {
        const text = endSentence(`${last.text.replace(/[.;,]$/u, '')}; ${bodyOf(point).replace(/[;,]$/u, '')}`);
        told[told.length - 1] = citeAll(text, [last, ...own]);
      } else {
        const text = textAfter(point, before, previous?.document ?? null, telling);
        told.push(own.length === 1 ? { ...own[0], text } : citeAll(text, own));
      }
      previous = point;
    }
    return told;
  });
}

/**
 * The text of a point in its context.
 * @param before the point of the previous sentence in its paragraph
 * @param document the document of the previous sentence, in this or the previous paragraph
 */
function textAfter(
  point: SelectedPoint,
  before: SelectedPoint | null,
  document: string | null,
  telling: Telling,
): string {
  const isNext = before !== null && isNextTo(point, before);
  const isSameDocument = before?.document === point.document;
  const label = labelOf(point);
  const isUnder = isSameDocument && ((isNext && leanOf(point).leans) || (before !== null && labelOf(before) === label));
  // Name the speaker again between question and answer: someone else asked.
  const isAnswer = label !== null && isQuestion(label) && !isUnder;
  const said = { speaker: isSameDocument && before?.speaker === point.speaker && !isAnswer, label: isUnder };
  const bare = sentenceText(point, said, !isNext);
  const named = titled(bare, point, document, telling);
  const isAstray = before !== null && named === bare && !isNext && point.speaker === undefined && isLostAlone(point);
  return isAstray ? LEFT_OUT + named : named;
}

/** Whether a point is the next short item under the same lead-in: "You may: change it; cancel it." */
function isNextItem(point: SelectedPoint, before: SelectedPoint): boolean {
  const label = labelOf(point);
  if (label === null || isQuestion(label) || labelOf(before) !== label) return false;
  const isSame = point.document === before.document && point.speaker === before.speaker;
  return isSame && [before, point].every((each) => isItem(bodyOf(each)));
}

function isItem(body: string): boolean {
  return body.split(' ').length <= MAX_ITEM_LENGTH && !/[.!?;:]\s|[!?]$/u.test(body);
}

/** Marks a sentence whose context is omitted: its "it" does not refer to the sentence before. */
const LEFT_OUT = '… ';

/**
 * Names the document if it changes and is one of a series, or if the sentence leans on omitted context. The title
 * stands as a place (“In …”): before a colon it would look like a speaker.
 */
function titled(
  text: string,
  point: SelectedPoint,
  before: string | null,
  { documents, series, words }: Telling,
): string {
  if (before === point.document || point.speaker !== undefined) return text;
  const document = documents.find(({ id }) => id === point.document);
  if (document === undefined || !(series.has(document.id) || isLostAlone(point))) return text;
  const prefix = titlePrefix(document);
  return prefix === null || !words.spend(prefix) ? text : `${prefix} ${text}`;
}

/**
 * Writes the summary without a language model: every point in its own wording, cited, as bullets by rank or as a report
 * that opens with the best answer and merges repetitions; a brief is a report of one paragraph. Deterministic; every
 * sentence is framing or cited (P2, P3).
 *
 * Omits framing that does not fit `maxWords`, but never points (see `selection/fit-to-words.ts`). Without points, one
 * sentence explains why.
 */
export function compose(input: ComposeInput, outline: Outline = outlineOf(input)): Summary {
  const { points, sentences } = outline;
  const own = sentences.map(({ text }) => text);
  const words = new WordBudget(points.length === 0 ? null : input.maxWords, own);
  const { notice, openParts } = framingOf(input, points.length, words);
  const telling = { documents: input.documents, series: seriesOf(input.documents), words };
  const described = (input.format === 'bullets' ? describeBullets : describeParagraphs)(outline, telling);
  return finishSummary(laidOut([notice, ...described, openParts], input.format), input);
}

function framingOf(
  frame: Frame,
  points: number,
  words: WordBudget,
): { readonly notice: SummarySentence[]; readonly openParts: SummarySentence[] } {
  const framed = (text: string | null) => (text !== null && words.spend(text) ? [framingSentence(text)] : []);
  return { notice: framed(noticeText(frame, points)), openParts: framed(openPartsText(frame, points)) };
}
