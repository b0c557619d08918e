import type { Sentence } from '../documents/sentences.ts';
import { isBoilerplate } from './boilerplate.ts';
import { countContent } from './english.ts';
import { isFragment } from './fragment.ts';
import { type Lean, leaning } from './leaning.ts';
import { isPhatic } from './phatic.ts';
import { isQuestion } from './question.ts';
import { tidy } from './tidy.ts';
import { startsUpper, tidySpeech } from './tidy-speech.ts';
import { countWords } from './words.ts';

/** What a sentence, or a clause of a long one, is good for; `noise` is passed over within a turn. */
export type Verdict = 'statement' | 'thin' | 'question' | 'furniture' | 'noise';

export interface Piece extends Sentence {
  /** The quote tidied. */
  readonly text: string;
  readonly words: number;
  readonly lean: Lean;
  readonly verdict: Verdict;
  /** Whether it is a later part of a sentence that was taken apart: it is not put together again. */
  readonly part: boolean;
}

/** What is known of the whole document when one sentence is judged. */
export interface Setting {
  readonly english: boolean;
  /** Whether lower case at a sentence's start tells anything: not where most of them start so. */
  readonly cased: boolean;
}

const WORDY = /[\p{L}\p{N}]/u;
/** A Latin "word" of such length is code or data. */
const BLOB = /\S{80}/u;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\s]/u;

/** Tidies a sentence and judges it. */
export function pieceOf(document: string, sentence: Sentence, part: boolean, { english, cased }: Setting): Piece {
  const quote = document.slice(sentence.start, sentence.end);
  const spoken = sentence.kind === 'turn';
  const text = spoken ? tidySpeech(quote) : tidy(quote);
  const lower = cased && (spoken ? !startsUpper(quote) && /^\p{Ll}/u.test(text) : /^\p{Ll}/u.test(text));
  const words = countWords(text);
  return {
    ...sentence,
    part,
    text,
    words,
    lean: leaning(text, { english, lower }),
    verdict: judge(text, words, sentence, english),
  };
}

function judge(text: string, words: number, { kind }: Sentence, english: boolean): Verdict {
  if (kind === 'heading' || kind === 'code' || kind === 'table') return 'furniture';
  if (!WORDY.test(text)) return 'noise';
  if (BLOB.test(text) && !OTHER_SCRIPT.test(text)) return 'furniture';
  if (isQuestion(text)) return 'question';
  const spoken = kind === 'turn';
  if (isPhatic(text) || (spoken && words < 3)) return spoken ? 'noise' : 'furniture';
  if (isBoilerplate(text)) return 'furniture';
  if (isFragment(text, english)) return 'thin';
  return spoken && english && countContent(text) < 2 ? 'thin' : 'statement';
}
