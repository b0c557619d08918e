import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';

type JsonReading<T> = { readonly value: T } | { readonly problem: string };

const FENCE = /```(?:json)?\s*([\s\S]*?)(?:```|$)/gi;
export const MAX_ANSWER_LENGTH = 128_000;
/** Max UTF-16 units to repair as a whole and per item: jsonrepair can take more than quadratic time. */
const REPAIRED = { whole: 8000, item: 2000, items: 30 };
const MAX_OPENINGS = 25;

/** Reads JSON from an answer, also truncated or careless. @param wholeItems whether to drop the unfinished item of a truncated list */
export function readJson<T>(answer: string, schema: z.ZodType<T>, wholeItems = false): JsonReading<T> {
  let problem: string | null = null;
  const read = answer.length <= MAX_ANSWER_LENGTH ? answer : answer.slice(0, MAX_ANSWER_LENGTH);
  for (const { text, isRepaired } of candidates(read.replace(THOUGHTS, ''), wholeItems)) {
    const parsed = parse(text, isRepaired);
    if (parsed === undefined) continue;
    const found = schema.safeParse(parsed);
    if (found.success) return { value: found.data };
    problem ??= z.prettifyError(found.error).replace(/\s+/g, ' ');
  }
  return { problem: problem ?? 'it holds no JSON' };
}

interface Candidate {
  readonly text: string;
  readonly isRepaired: boolean;
}

/** Possible places of the JSON: everything, fenced blocks, bracketed parts, everything from a bracket on. */
function candidates(answer: string, wholeItems: boolean): Candidate[] {
  const fenced = fencedIn(answer);
  const enclosed: string[] = [];
  const repaired = wholeItems ? [] : [...fenced];
  let isWhole = true;
  let opening = nextOpening(answer, 0);
  for (let looked = 0; opening >= 0 && looked < MAX_OPENINGS; looked++) {
    const end = endOf(answer, opening);
    const value = answer.slice(opening, end < 0 ? undefined : end);
    if (end >= 0 || !wholeItems) repaired.push(value);
    else if (isWhole) repaired.push(untilLastItem(value));
    isWhole &&= end >= 0;
    if (isWhole) enclosed.push(answer.slice(opening, end));
    opening = nextOpening(answer, end < 0 ? opening + 1 : end);
  }
  return [
    ...[answer, ...fenced, ...enclosed].map((text) => ({ text: text.trim(), isRepaired: false })),
    ...repaired.map((text) => ({ text: text.trim(), isRepaired: true })),
  ].filter(({ text }) => /^[{[]/.test(text));
}

function fencedIn(answer: string): string[] {
  const blocks: string[] = [];
  for (const [, block] of answer.matchAll(FENCE)) {
    if (blocks.push(block) >= MAX_OPENINGS) break;
  }
  return blocks;
}

function nextOpening(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found < 0 ? -1 : from + found;
}

function endOf(text: string, opening: number): number {
  let depth = 0;
  for (const { mark, at } of marks(text, opening)) {
    if (mark === ',') continue;
    depth += OPENING.includes(mark) ? 1 : -1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

function untilLastItem(text: string): string {
  let depth = 0;
  let [outermost, lastComma] = [Number.POSITIVE_INFINITY, 0];
  for (const { mark, at } of marks(text, 0)) {
    if (mark === ',') {
      if (depth === outermost) lastComma = at;
    } else if (OPENING.includes(mark)) {
      depth++;
      if (mark === '[') outermost = Math.min(outermost, depth);
    } else depth--;
  }
  return text.slice(0, lastComma);
}

const OPENING = '{[';

/** Brackets and commas outside strings. */
function* marks(text: string, from: number): Generator<{ readonly mark: string; readonly at: number }> {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const mark = text[at];
    if (isQuoted && mark === '\\') at++;
    else if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '{[]},'.includes(mark)) yield { mark, at };
  }
}

function parse(text: string, isRepaired: boolean): unknown {
  try {
    return JSON.parse(isRepaired ? repaired(text) : text);
  } catch {
    return undefined;
  }
}

function repaired(text: string): string {
  if (text.length <= REPAIRED.whole) return jsonrepair(text);
  const name = /^\{\s*"(\w{1,40})"\s*:\s*\[/.exec(text)?.[1];
  const items: unknown[] = [];
  let tried = 0;
  for (const [item] of text.slice(1).matchAll(/\{[^{}]*\}/g)) {
    const whole = parse(item, false);
    if (whole !== undefined) items.push(whole);
    else if (item.length <= REPAIRED.item && tried++ < REPAIRED.items) items.push(parse(item, true));
  }
  const found = items.filter((item) => item !== undefined);
  if (found.length === 0) return '';
  return JSON.stringify(name === undefined ? found : { [name]: found });
}

/** A leading block of reasoning; to the end if it is not closed. */
export const THOUGHTS = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i;

/** The alternatives at one place of an answer, the likeliest first. */
export interface TokenChoice {
  readonly token: string;
  readonly top: readonly { readonly token: string; readonly logprob: number }[];
}

export interface WeighedWord {
  readonly word: string;
  /** Probability of each word among all, exp(logprob) over their sum (Qi et al. 2024, appendix A.2); null without logprobs. */
  readonly shares: readonly number[] | null;
}

const LETTERS = /\p{L}+/gu;
/** Min total probability of the words for an answer without any of them to count as the likeliest. */
const LIKELY = 0.1;
const NOT_LETTERS = /[^\p{L}]+/gu;

/** Reads an answer that should be one of some words. @param words in capitals, none a prefix of another @returns null if none is likely */
export function choiceProbabilities(
  text: string,
  choices: readonly TokenChoice[] | null,
  words: readonly string[],
): WeighedWord | null {
  const from = THOUGHTS.exec(text)?.[0].length ?? 0;
  const said = [...text.slice(from).matchAll(LETTERS)]
    .map(({ 0: letters, index }) => ({ word: letters.toUpperCase(), at: from + index }))
    .find(({ word }) => words.includes(word));
  const choice = choices === null ? undefined : choiceAt(text, said?.at ?? from, choices);
  const weights = choice === undefined ? [] : weightsOf(choice, words);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = total > 0 ? weights.map((weight) => weight / total) : null;
  if (said !== undefined) return { word: said.word, shares };
  if (shares === null || total < LIKELY) return null;
  return { word: words[shares.indexOf(Math.max(...shares))], shares };
}

/** The first token with letters from an offset on. Servers may report tokens that are not in the text; the first of all if none matches. */
function choiceAt(text: string, offset: number, choices: readonly TokenChoice[]): TokenChoice | undefined {
  const shown = text.trim();
  const at =
    shown === ''
      ? -1
      : choices
          .map(({ token }) => token)
          .join('')
          .lastIndexOf(shown);
  const least = at < 0 ? 0 : at + offset - (text.length - text.trimStart().length);
  let end = 0;
  return choices.find(({ token }) => {
    end += token.length;
    return end > least && lettersOf(token) !== '';
  });
}

function weightsOf({ top }: TokenChoice, words: readonly string[]): number[] {
  const weights = words.map(() => 0);
  for (const { token, logprob } of top) {
    const letters = lettersOf(token);
    const meant = words.flatMap((word, place) => (letters !== '' && word.startsWith(letters) ? [place] : []));
    if (meant.length === 1) weights[meant[0]] += Math.exp(logprob);
  }
  return weights;
}

function lettersOf(token: string): string {
  return token.toUpperCase().replace(NOT_LETTERS, '');
}
