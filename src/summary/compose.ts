import type { Summary, SummarySentence } from '../contract/index.ts';
import { citeAll, framingSentence } from './cite-point.ts';
import { type ComposeInput, type DescribedDocument, type SelectedPoint, sentenceLimit } from './compose-input.ts';
import { leanOf } from './connective.ts';
import { countWords } from './count-words.ts';
import { finishSummary, laidOut } from './finish-summary.ts';
import { type Frame, noticeText, openPartsText } from './framing.ts';
import { isLostAlone, isNextTo } from './leans-on.ts';
import { counterpointSentences, type Outline, outlineOf } from './outline.ts';
import { plainText } from './plain-text.ts';
import type { Saying } from './same-statements.ts';
import { bodyOf, endSentence, isQuestion, labelOf, sentenceText } from './sentence-text.ts';
import { MAX_TITLE_LENGTH, seriesOf, titlePrefix } from './title-prefix.ts';

/** What is left of a bound on words, for sentences that may be left out. */
class WordBudget {
  private left: number;

  /** @param taken Texts that stand whatever the bound says. */
  constructor(maxWords: number | null, taken: readonly string[]) {
    const words = taken.reduce((sum, text) => sum + countWords(text), 0);
    this.left = maxWords === null ? Number.POSITIVE_INFINITY : maxWords - words;
  }

  /** Whether all the texts fit; if so their words are spent. */
  spend(...texts: readonly string[]): boolean {
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    if (words > this.left) return false;
    this.left -= words;
    return true;
  }
}

/**
 * Tells that two documents differ, and which: "Sources differ: “20 days” (Travel Policy, 2024) against “30 days” (Handbook, 2026)."
 *
 * @param on a phrase that can follow "differ on", or two wordings with their documents (“…” (…) against “…” (…))
 */
export function differText(on: string, documents: readonly [DescribedDocument, DescribedDocument]): string {
  const isOneDocument = documents[0].id === documents[1].id;
  const parties = isOneDocument ? 'Speakers differ' : 'Sources differ';
  // Two wordings have their documents with them.
  if (on.startsWith('“')) return endSentence(`${parties}: ${on}`);
  const names = isOneDocument ? null : namesOf(documents);
  return endSentence(`${parties} on ${on}${names === null ? '' : ` (${names.join('; ')})`}`);
}

/** Title and year of both documents, with the day where the years are the same; null where they do not tell the two apart. */
function namesOf(documents: readonly [DescribedDocument, DescribedDocument]): [string, string] | null {
  const [first, second] = documents.map(({ publishedAt }) => publishedAt?.slice(0, 4));
  const [a, b] = documents.map(({ title = '', publishedAt = '' }) => {
    const name = plainText(title).length > MAX_TITLE_LENGTH ? '' : plainText(title);
    const year = publishedAt.slice(0, 4);
    const date = first === second ? dayOf(publishedAt) : name.includes(year) ? '' : year;
    return [name, date].filter(Boolean).join(', ');
  });
  return a && b && a !== b ? [a, b] : null;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function dayOf(publishedAt: string): string {
  const time = Date.parse(publishedAt.slice(0, 10));
  return Number.isNaN(time) ? '' : DAY.format(time);
}

interface Telling {
  readonly documents: readonly DescribedDocument[];
  /** Ids of the documents that are told apart by their titles. */
  readonly series: ReadonlySet<string>;
  readonly words: WordBudget;
  /** Sentences that are told at most for what points, and those that contradict them, say. */
  readonly sentences: number;
  /** Whether a sentence stands before the first point. */
  readonly isOpened: boolean;
}

/** Longer items of a list stand as sentences of their own. */
const MAX_ITEM_LENGTH = 12;

/** One bullet for every point, by rank. Each is a line of its own, so that it names its speaker and heading again. */
function describeBullets({ points, sentences }: Outline, telling: Telling): SummarySentence[][] {
  const bullets = sentences.map((sentence, index) => {
    const [point, before = null] = [points[index], points[index - 1]];
    if (!point) return sentence;
    const isNext = before !== null && isNextTo(point, before);
    return { ...sentence, text: titled(sentenceText(point, {}, !isNext), point, before?.document ?? null, telling) };
  });
  return [bullets];
}

/** The paragraphs of a report: every saying as a sentence that can be understood where it stands, with what contradicts it. */
function describeParagraphs(outline: Outline, telling: Telling): SummarySentence[][] {
  const teller = new Teller(outline, telling);
  return outline.paragraphs.map((sayings) => teller.paragraph(sayings));
}

class Teller {
  private readonly outline: Outline;
  private readonly telling: Telling;
  private readonly documents: ReadonlyMap<string, DescribedDocument>;
  private readonly differences = new Set<string>();
  /** Sentences that are left for what contradicts a point. */
  private spare: number;
  private isOpening: boolean;
  private sentences: SummarySentence[] = [];
  /** The point of the sentence before, in this paragraph or the last; null where none is, or the service's own. */
  private before: SelectedPoint | null = null;

  constructor(outline: Outline, telling: Telling) {
    this.outline = outline;
    this.telling = telling;
    this.documents = new Map(telling.documents.map((document) => [document.id, document]));
    this.isOpening = !telling.isOpened;
    this.spare = telling.sentences - outline.paragraphs.flat().length;
  }

  paragraph(sayings: readonly Saying[]): SummarySentence[] {
    this.sentences = [];
    sayings.forEach((saying, place) => {
      this.say(saying, sayings.slice(place + 1));
    });
    return this.sentences;
  }

  private say(saying: Saying, later: readonly Saying[]): void {
    const { points, sentences, stances } = this.outline;
    const point = points[saying[0] ?? -1];
    if (!point) return;
    const differences = this.differencesOf(saying, later);
    const counters = saying.flatMap((index) => {
      const stance = stances[index];
      return stance
        ? counterpointSentences(stance).map((sentence, c) => ({ sentence, ...stance.counterpoints[c] }))
        : [];
    });
    const shown = counters.filter(({ sentence }) => {
      const isShown = this.spare > 0 && this.telling.words.spend(sentence.text);
      if (isShown) this.spare--;
      return isShown;
    });
    for (const { on, point: other } of shown.slice(0, 1)) {
      if (on !== undefined && other) differences.push(this.differenceOf(on, point, other));
    }
    // No sentence without a source opens a text: there the answer comes first, then that others say otherwise.
    const isOpening = this.isOpening;
    this.isOpening = false;
    if (!isOpening) this.frame(differences);
    this.notify(
      point,
      saying.flatMap((index) => sentences[index] ?? []),
    );
    if (isOpening) this.frame(differences);
    shown.forEach(({ sentence, on, point: other }, c) => {
      if (c > 0 && on !== undefined && other) this.frame([this.differenceOf(on, point, other)]);
      this.sentences.push(sentence);
      this.before = other ?? null;
    });
  }

  /** What a saying and one that is told after it differ on. */
  private differencesOf(saying: Saying, later: readonly Saying[]): string[] {
    const { points, paired } = this.outline;
    return paired.flatMap(({ a, b, on }) => {
      const [isA, isB] = [saying.includes(a), saying.includes(b)];
      const other = isA ? b : a;
      const [left, right] = [points[a], points[b]];
      if (isA === isB || !left || !right || !later.some((each) => each.includes(other))) return [];
      // What cannot be turned round ("whether …") names the two in its own order.
      const turned = swapped(on);
      return isA || turned === on ? this.differenceOf(on, left, right) : this.differenceOf(turned, right, left);
    });
  }

  private differenceOf(on: string, a: SelectedPoint, b: SelectedPoint): string {
    const documentOf = ({ document: id }: SelectedPoint) => this.documents.get(id) ?? { id };
    return differText(on, [documentOf(a), documentOf(b)]);
  }

  private frame(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.differences.has(text) || !this.telling.words.spend(text)) continue;
      this.differences.add(text);
      this.sentences.push(framingSentence(text));
      this.before = null;
    }
  }

  private notify(point: SelectedPoint, own: readonly SummarySentence[]): void {
    const { telling } = this;
    const last = this.sentences.at(-1);
    const document = this.before?.document ?? null;
    const before = last === undefined ? null : this.before;
    this.before = point;
    if (last && before && isNextItem(point, before) && [last, ...own].every(({ disagreement }) => !disagreement)) {
      const text = endSentence(`${last.text.replace(/[.;,]$/u, '')}; ${bodyOf(point).replace(/[;,]$/u, '')}`);
      this.sentences[this.sentences.length - 1] = citeAll(text, [last, ...own]);
      return;
    }
    const isNext = before !== null && isNextTo(point, before);
    const isSameDocument = before?.document === point.document;
    const label = labelOf(point);
    const isUnder =
      isSameDocument && ((isNext && leanOf(point).leans) || (before !== null && labelOf(before) === label));
    // Between question and answer the speaker is named again: the question is not theirs.
    const isAnswer = label !== null && isQuestion(label) && !isUnder;
    const said = { speaker: isSameDocument && before?.speaker === point.speaker && !isAnswer, label: isUnder };
    const bare = sentenceText(point, said, !isNext);
    const named = titled(bare, point, document, telling);
    const isAstray = before !== null && named === bare && !isNext && point.speaker === undefined && isLostAlone(point);
    const text = isAstray ? LEFT_OUT + named : named;
    const [only, ...more] = own;
    this.sentences.push(only && more.length === 0 ? { ...only, text } : citeAll(text, own));
  }
}

/** Whether a point is the next short item under the lead-in that the one before was shown with: "You may: change it; cancel it." */
function isNextItem(point: SelectedPoint, before: SelectedPoint): boolean {
  const label = labelOf(point);
  if (label === null || isQuestion(label) || labelOf(before) !== label) return false;
  const isSame = point.document === before.document && point.speaker === before.speaker;
  return isSame && [before, point].every((each) => isItem(bodyOf(each)));
}

function isItem(body: string): boolean {
  return body.split(' ').length <= MAX_ITEM_LENGTH && !/[.!?;:]\s|[!?]$/u.test(body);
}

/** Stands before a sentence that leans on what is not told: its "it" is nothing that the sentence before it names. */
const LEFT_OUT = '… ';

/**
 * After a sentence of another document, one of a series says which of them it is of, and one that leans on what is not told
 * where its "he" or "it" is to be found. The title stands as a place (“In …”), not before a colon alone, where it would look
 * like a speaker.
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

/** The two wordings of a difference the other way round. */
function swapped(on: string): string {
  return on.replace(/(“[^“”]*”) against (“[^“”]*”)$/u, '$2 against $1');
}

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
  const notify = input.format === 'bullets' ? describeBullets : describeParagraphs;
  const isOpened = notice.length > 0;
  const telling = {
    documents: input.documents,
    series: seriesOf(input.documents),
    words,
    sentences: sentenceLimit(input.format) ?? Number.POSITIVE_INFINITY,
    isOpened,
  };
  return finishSummary(laidOut([notice, ...notify(outline, telling), openParts], input.format), input);
}

/** The sentences of the service's own around the points: before them that nothing answers, after them what stays open. */
function framingOf(
  frame: Frame,
  points: number,
  words: WordBudget,
): { readonly notice: SummarySentence[]; readonly openParts: SummarySentence[] } {
  const framed = (text: string | null) => (text !== null && words.spend(text) ? [framingSentence(text)] : []);
  return { notice: framed(noticeText(frame, points)), openParts: framed(openPartsText(frame, points)) };
}
