import type { Summary, SummarySentence } from '../contract/index.ts';
import { noticeText, openPartsText } from './framing.ts';
import type { ComposeInput, DescribedDocument, SelectedPoint } from './input.ts';
import { finishSummary, laidOut } from './layout.ts';
import { isLostAlone, isNextTo } from './leans-on.ts';
import { citeAll, citePoint, framingSentence, type Outline, outlineOf } from './outline.ts';
import { bodyOf, endSentence, isQuestion, labelOf, leanOf, plainText, sentenceText, wordsIn } from './sentence-text.ts';
import { foreignIn } from './verify/foreign.ts';

interface Telling {
  readonly documents: readonly DescribedDocument[];
  readonly series: ReadonlySet<string>;
  readonly spend: (text: string) => boolean;
}

const MAX_ITEM_LENGTH = 12;

/** One bullet per point, by rank. Each line stands alone, so it repeats its speaker and heading. */
function describeBullets({ points, sentences }: Outline, telling: Telling): SummarySentence[][] {
  const bullets = points.map((point, index) => {
    const before = index === 0 ? null : points[index - 1];
    const [shown, sentence] = withAntecedent(point, sentences[index], before, telling);
    const bare = sentenceText(shown, {}, !isNextTo(point, before));
    return { ...sentence, text: titled(bare, shown, before?.document ?? null, telling) };
  });
  return [bullets];
}

function describeParagraphs({ points, sentences, paragraphs }: Outline, telling: Telling): SummarySentence[][] {
  let previous: SelectedPoint | null = null;
  let isNaming = false;
  return paragraphs.map((sayings) => {
    const told: SummarySentence[] = [];
    for (const saying of sayings) {
      const point = points[saying[0]];
      const [lead, ...same] = saying.map((index) => sentences[index]);
      const last = told.at(-1);
      const before: SelectedPoint | null = last === undefined ? null : previous;
      if (last !== undefined && before !== null && isNextItem(point, before)) {
        const text = endSentence(`${last.text.replace(/[.;,]$/u, '')}; ${bodyOf(point).replace(/[;,]$/u, '')}`);
        told[told.length - 1] = citeAll(text, [last, lead, ...same]);
      } else {
        const [shown, sentence] = withAntecedent(point, lead, before, telling);
        const text = textAfter(shown, before, previous?.document ?? null, telling, isNaming);
        isNaming ||= point.speaker !== undefined || text.startsWith(PLACE);
        told.push(same.length === 0 ? { ...sentence, text } : citeAll(text, [sentence, ...same]));
      }
      previous = point;
    }
    return told;
  });
}

/** A point and its sentence, told together with what they refer to unless that stands before or does not fit. */
function withAntecedent(
  point: SelectedPoint,
  sentence: SummarySentence,
  before: SelectedPoint | null,
  { spend }: Telling,
): readonly [SelectedPoint, SummarySentence] {
  const { antecedent, moreQuotes = [] } = point;
  const isTold = antecedent === undefined || isNextTo(point, before) || !isLostAlone(point);
  if (isTold || !spend(antecedent.text)) return [point, sentence];
  const text = `${endSentence(antecedent.text)} ${point.text}`;
  const shown = { ...point, text, selfContained: 1, moreQuotes: [antecedent.quote, ...moreQuotes] };
  return [shown, citePoint(shown)];
}

/**
 * @param before the point of the previous sentence in its paragraph @param document that of the sentence before, also across paragraphs
 * @param isNaming whether a source has been named, so that what follows from another would seem to be of that one
 */
function textAfter(
  point: SelectedPoint,
  before: SelectedPoint | null,
  document: string | null,
  telling: Telling,
  isNaming: boolean,
): string {
  const isNext = isNextTo(point, before);
  const isSameDocument = before?.document === point.document;
  const label = labelOf(point);
  const isUnder = isSameDocument && ((isNext && leanOf(point).leans) || (before !== null && labelOf(before) === label));
  // Name the speaker again between question and answer: someone else asked.
  const isAnswer = label !== null && isQuestion(label) && !isUnder;
  const said = { speaker: isSameDocument && before?.speaker === point.speaker && !isAnswer, label: isUnder };
  const bare = sentenceText(point, said, !isNext);
  const named = titled(bare, point, document, telling, isNaming);
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

const DEFINITE = /^(?:the|this|these|those|our|my|i|we|there|it|its|he|his|she|her|they|their)\b/iu;
const NAME = /\s["“(]?\p{Lu}[\p{L}\p{N}]/u;

/** "The consumption rose to 121,300 kWh", "I asked for more": of what, or who, only the document says. */
function namesNothing(text: string): boolean {
  return DEFINITE.test(text) && !NAME.test(text);
}

/**
 * Names the document if it changes and is one of a series, if the sentence names nothing or leans on omitted context, or after
 * another that was named. The title stands as a place (“In …”): before a colon it would look like a speaker.
 */
function titled(
  text: string,
  point: SelectedPoint,
  before: string | null,
  { documents, series, spend }: Telling,
  isNaming = false,
): string {
  if (before === point.document || point.speaker !== undefined) return text;
  const document = documents.find(({ id }) => id === point.document);
  const isUnnamed = documents.length >= SERIES.titles && point.supports.length === 0 && namesNothing(point.text);
  if (document === undefined || !(isNaming || series.has(document.id) || isUnnamed || isLostAlone(point))) return text;
  const prefix = titlePrefix(document);
  return prefix === null || !spend(prefix) ? text : `${prefix} ${text}`;
}

/**
 * Writes the summary without a language model: every point in its own wording, cited, as bullets by rank or as a report
 * that opens with the best answer and merges repetitions; a brief is a report of one paragraph. Deterministic; every
 * sentence is framing or cited (P2, P3).
 *
 * Omits framing that does not fit `maxWords`, but never points. Without points, one
 * sentence explains why.
 */
export function compose(input: ComposeInput, outline: Outline = outlineOf(input)): Summary {
  const { points, sentences } = outline;
  const { maxWords, documents, format } = input;
  let left =
    maxWords === null || points.length === 0 ? Infinity : maxWords - wordsIn(sentences.map(({ text }) => text));
  const spend = (text: string): boolean => {
    const words = wordsIn([text]);
    if (words > left) return false;
    left -= words;
    return true;
  };
  const framed = (text: string | null) => (text !== null && spend(text) ? [framingSentence(text)] : []);
  const notice = framed(noticeText(input, points.length));
  const openParts = framed(openPartsText(input, points.length));
  const telling = { documents, series: seriesOf(documents), spend };
  const described = (format === 'bullets' ? describeBullets : describeParagraphs)(outline, telling);
  return finishSummary(laidOut([notice, ...described, openParts], format), input);
}

const PLACE = 'In “';
/** A longer title would dominate its sentence. In UTF-16 units. */
const MAX_TITLE_LENGTH = 60;
/** Share of the other titles with the same beginning or end as one of a series, and the minimum number of titles. */
const SERIES = { share: 1 / 3, titles: 3 };

/** "In “Minutes, 3 May”:"; null if the title is missing, too long, cut off, or holds an address, markup or a formula. */
export function titlePrefix({ title = '' }: Pick<DescribedDocument, 'title'>): string | null {
  const name = nameOf(title).replace(/[“”„"]/gu, "'");
  if (name === '' || name.length > MAX_TITLE_LENGTH || /(?:…|\.\.\.)$/u.test(name)) return null;
  return foreignIn(name, []) === null ? `${PLACE}${name}”:` : null;
}

/** "Minutes 3 May" for "Minutes_3_May.txt". */
function nameOf(title: string): string {
  const plain = plainText(title);
  const name = plain.replace(/\.(?:md|txt|html?|pdf|docx?|pptx?|xlsx?|csv|eml)$/iu, '');
  return name === plain ? plain : name.replace(/_/gu, ' ');
}

/**
 * Ids of documents that only their titles distinguish, as in a series ("Release 4.0", "Release 4.1"; "Ticket 17",
 * "Ticket 18"): statements of one do not hold for the next, so a sentence must name its document.
 */
export function seriesOf(documents: readonly Pick<DescribedDocument, 'id' | 'title'>[]): ReadonlySet<string> {
  const ends = documents.flatMap(({ id, title = '' }) => {
    const words = nameOf(title)
      .toLowerCase()
      .match(/\p{L}+/gu);
    return words === null ? [] : [{ id, ends: [words[0], words.at(-1)] }];
  });
  if (ends.length < SERIES.titles) return new Set();
  const least = SERIES.share * (ends.length - 1);
  const counts = [0, 1].map((end) => {
    const words = new Map<string | undefined, number>();
    for (const each of ends) words.set(each.ends[end], (words.get(each.ends[end]) ?? 0) + 1);
    return words;
  });
  const alike = ends.filter((each) => counts.some((words, end) => (words.get(each.ends[end]) ?? 0) - 1 >= least));
  // If at least half of the titles form a series, name all of the documents.
  return new Set((2 * alike.length >= ends.length ? ends : alike).map(({ id }) => id));
}
