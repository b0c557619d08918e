import type { SummarySentence } from '../contract/index.ts';
import type { ComposeInput, Intent } from './input.ts';
import { framingSentence } from './outline.ts';
import { countWords, plainText } from './sentence-text.ts';

/** A longer intent or facet is not quoted within a sentence. In words. */
const MAX_QUOTE_LENGTH = 16;
/** If more facets are unanswered, they are counted instead of named. */
const MAX_FACETS = 3;
const NUMBER_WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ASKS =
  /[?？؟]$|^(?:who|what|when|where|why|how|which|whose|whether|is|are|do|does|did|can|may|will|has|have)\b/iu;

export type Frame = Pick<ComposeInput, 'intent' | 'format' | 'documents' | 'known'>;

/**
 * Notice before or instead of the points: nothing answers the question, or nothing is new. Null if the points answer
 * it.
 * @param points number of points
 */
export function noticeText({ intent, documents, known }: Frame, points: number): string | null {
  const read = documents.length;
  if (points > 0) {
    return intent === null || intent.matched ? null : `${noneAnswers([intent.text], read)}; these points come nearest.`;
  }
  if (known && known.documents + known.points > 0) return nothingNewText(read, known.points);
  if (read === 0) return 'There is no document to report on.';
  if (intent !== null) return `${noneAnswers([intent.text], read)}.`;
  return read === 1 ? 'The document makes no statement to report.' : 'The documents make no statement to report.';
}

/** Names the parts of the question that no document answers, or none for sure; null if there are none. */
export function openPartsText({ intent, documents }: Frame, points: number): string | null {
  if (points === 0 || !intent?.matched) return null;
  const named = (parts: Intent['facets']) => parts.map(({ text }) => text);
  const open = named(intent.facets.filter(({ matched }) => !matched));
  const unsure = named(intent.facets.filter(({ matched, isSure = true }) => matched && !isSure));
  const told = [
    ...(unsure.length === 0 ? [] : [`It is not certain that this answers ${listed(namesOf(unsure))}.`]),
    ...(open.length === 0 ? [] : [`${noneAnswers(open, documents.length)}.`]),
  ];
  return told.length === 0 ? null : told.join(' ');
}

export function closingSentences(frame: Frame, points: number): SummarySentence[] {
  const { intent, documents } = frame;
  const isAll = points > 0 && intent !== null && !intent.matched;
  const open = isAll ? `${noneAnswers([intent.text], documents.length)}.` : openPartsText(frame, points);
  const text = points === 0 ? noticeText(frame, 0) : open;
  return text === null ? [] : [framingSentence(text)];
}

/** Maximum number of words of the framing, which the selection should leave free. */
export function framingReserve(frame: Frame): number {
  return countWords(noticeText(frame, 1) ?? '') + countWords(openPartsText(frame, 1) ?? '');
}

function noneAnswers(asked: readonly string[], documents: number): string {
  const names = namesOf(asked);
  const answers = asked.every(opensAsQuestion) || names.includes(UNNAMED);
  if (documents === 1) return `The document does not ${answers ? 'answer' : 'say anything about'} ${listed(names)}`;
  const nobody = documents === 2 ? 'Neither of the two documents' : `None of the ${amount(documents)} documents`;
  return `${nobody} ${answers ? 'answers' : 'says anything about'} ${listed(names)}`;
}

function nothingNewText(documents: number, points: number): string {
  if (documents === 0) return 'Nothing is new: every document was read for the earlier digest.';
  const [subject, does] =
    documents === 1 ? ['the new document', 'says'] : [`the ${amount(documents)} new documents`, 'say'];
  return points > 0
    ? `Nothing is new: what ${subject} ${does} on it was in the earlier digest.`
    : `Nothing is new: ${subject} ${does} nothing on it.`;
}

function namesOf(asked: readonly string[]): string[] {
  return [...new Set(asked.map(nameOf))];
}

function opensAsQuestion(text: string): boolean {
  return ASKS.test(plainText(text));
}

const UNNAMED = 'the question';

function nameOf(text: string): string {
  const words = countWords(text);
  if (words === 0 || words > MAX_QUOTE_LENGTH) return UNNAMED;
  const plain = plainText(text)
    .replace(/[“”„"]/gu, "'")
    .replace(/[\s.,;:]+$/u, '');
  return `“${plain}”`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_FACETS;
  const shown = more > 1 ? names.slice(0, MAX_FACETS) : names;
  if (more > 1) return `${shown.join(', ')} or ${amount(more)} other parts of the question`;
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

function amount(count: number): string {
  return NUMBER_WORDS[count] ?? count.toLocaleString('en-US');
}
