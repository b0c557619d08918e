import { type Span, WORDY } from '../documents/document.ts';
import type { Sentence } from '../documents/sentences.ts';
import { countContent, endsInQuestion, lengthInWords } from '../words.ts';
import {
  isBoilerplate,
  isFragment,
  isPhatic,
  isPolar,
  isTerse,
  isWhole,
  type Lean,
  leaning,
} from './sentence-rules.ts';
import { tidy, withoutLeadIn } from './tidy.ts';
import { startsUpper, tidySpeech } from './tidy-speech.ts';

const OPEN = /[:：,，]\s*["“„«'‘]?$/u;
const MAX_OPEN_LENGTH = 14;
const SAYS = /\b(?:said|says|added|adds|told|tells|replied|wrote|writes|explained|continued|asked)\b/iu;
const LONGEST = 6;

function isStub(text: string, english: boolean): boolean {
  const words = lengthInWords(text);
  if (OPEN.test(text)) return words <= MAX_OPEN_LENGTH;
  return (
    english && words <= LONGEST && SAYS.test(text) && countContent(text.replace(SAYS, ' ')) <= 1 && !/\p{N}/u.test(text)
  );
}

/** `terse` needs its context, `stub` the next sentence; `noise` is skipped within a turn. */
type Verdict = 'statement' | 'terse' | 'thin' | 'stub' | 'question' | 'furniture' | 'noise';

export interface Piece extends Sentence {
  readonly text: string;
  readonly words: number;
  readonly lean: Lean;
  readonly verdict: Verdict;
  readonly part: boolean;
  readonly spoken: boolean;
}

interface Setting {
  readonly english: boolean;
  /** Whether lower case at the start of a sentence means anything. */
  readonly cased: boolean;
  readonly disfluent: boolean;
}

/** A longer Latin "word" is code or data. */
const BLOB = /\S{80}/u;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\s]/u;

export function pieceOf(view: string, sentence: Sentence, part: boolean, setting: Setting): Piece {
  const quote = view.slice(sentence.start, sentence.end);
  const spoken = sentence.kind === 'turn' && setting.disfluent;
  const text = textOf(view, quote, sentence, spoken);
  const { english } = setting;
  // List items may begin in either case.
  const cased = setting.cased && sentence.kind !== 'item';
  const lower = cased && (spoken ? !startsUpper(quote) && /^\p{Ll}/u.test(text) : /^\p{Ll}/u.test(text));
  const words = lengthInWords(text);
  const lean = sentence.row ? 'none' : leaning(text, { english, lower });
  return { ...sentence, part, text, words, lean, spoken, verdict: judge(text, words, sentence, spoken, english) };
}

function textOf(
  view: string,
  quote: string,
  { kind, caption, row, answers, under }: Sentence,
  spoken: boolean,
): string {
  if (kind === 'heading' && !caption) return '';
  if (row) return rowText(view, row);
  if (spoken) return tidySpeech(quote, under !== undefined && answers === true);
  return answers ? tidy(quote) : withoutLeadIn(tidy(quote));
}

function judge(text: string, words: number, sentence: Sentence, spoken: boolean, english: boolean): Verdict {
  const { kind, field, answers, asks, leads, under } = sentence;
  if (kind === 'code') return 'furniture';
  if (kind === 'heading') {
    const isCaption = sentence.caption && english && words >= MIN_CAPTION && isTerse(`${text}.`, true);
    return isCaption ? 'terse' : 'furniture';
  }
  if (!WORDY.test(text)) return 'noise';
  if (kind === 'table') return /\p{L}/u.test(text) ? 'statement' : 'furniture';
  if (BLOB.test(text) && !OTHER_SCRIPT.test(text)) return 'furniture';
  if (asks || endsInQuestion(text)) return 'question';
  if (leads && words <= MAX_LEAD_LENGTH) return 'furniture';
  if (kind !== 'item' && isPhatic(text)) return answers && isPolar(text) ? 'terse' : spoken ? 'noise' : 'furniture';
  if (spoken && words < 3) return 'noise';
  if (!field && isBoilerplate(text)) return 'furniture';
  if (!spoken && isStub(text, english)) return 'stub';
  if (spoken) return isFragment(text, english) || (english && countContent(text) < 2) ? 'thin' : 'statement';
  if (!isFragment(text, english)) return 'statement';
  if (field || sentence.head || (answers && (words > 1 || FIGURE.test(text)))) return 'terse';
  if (isWhole(text, english) && (kind !== 'turn' || !english || countContent(text) > 1)) return 'terse';
  if (kind === 'prose' && words >= MIN_UNFINISHED && (!english || countContent(text) > 2)) return 'terse';
  if (under && (kind === 'item' || FIGURE.test(text))) return 'terse';
  return 'thin';
}

const FIGURE = /\p{N}/u;
const MAX_LEAD_LENGTH = 8;
const MIN_UNFINISHED = 6;
const MIN_CAPTION = 5;

/** A row of a table as a line that reads alone: "Item: chair; Limit: £250". */
function rowText(view: string, { cells, headers }: NonNullable<Sentence['row']>): string {
  const textOf = (span: Span | undefined) => (span ? tidy(view.slice(span.start, span.end)) : '');
  const filled = cells.flatMap((cell, n) => {
    const [header, value] = [
      textOf(headers[n])
        .replaceAll('_', ' ')
        .replace(/\s*[:：]$/u, ''),
      textOf(cell).replace(/^"(.*)"$/u, '$1'),
    ];
    return value === '' ? [] : [{ header, value }];
  });
  const [first, second] = filled;
  if (headers.length === 0 && first && second && filled.length === 2) return `${first.value}: ${second.value}`;
  return filled.map(({ header, value }) => (header === '' ? value : `${header}: ${value}`)).join('; ');
}
