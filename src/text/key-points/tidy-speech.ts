import { isCommon } from '../words.ts';
import { tidy } from './tidy.ts';

/** Stands for the transcriber's mark of a broken-off sentence ({disfmarker}). */
const BROKEN_OFF = '\u241b';

/** Maximum number of words that a repair takes back. */
const REACH = 4;
const LETTER_PAIRS = /^(?:th|wh|sh|ch|st|tr|pl|pr|br|gr|fr|cl|bl|sp|sc|wr)$/;
const LONE_LETTER = /^[b-hj-z]$/;

const key = (word: string | undefined) => (word ?? '').toLowerCase().replace(/,$/, '');

/** Removes cut-off words ("th the"), restarts ("what you int ␛ what you draw") and repetitions of up to four words. One pass. */
function repair(text: string): string {
  const out: string[] = [];
  let broken = -1;
  for (const word of text.split(' ')) {
    if (word === BROKEN_OFF) {
      broken = out.length;
      continue;
    }
    const cut = key(out.at(-1));
    if (isCutOff(cut, key(word), broken === out.length)) out.pop();
    out.push(word);
    if (broken >= 0) broken = restart(out, broken);
    dropRepeat(out);
    dropFalseStart(out);
    broken = broken > out.length ? -1 : broken;
  }
  if (isStub(key(out.at(-1)))) out.pop();
  return out.join(' ');
}

function isCutOff(cut: string, next: string, broken: boolean): boolean {
  if (!cut) return false;
  const opens = cut.length < next.length && next.startsWith(cut);
  if (opens && (broken || (cut.length === 2 && !isCommon(cut)))) return true;
  return isStub(cut);
}

function isStub(word: string): boolean {
  return LONE_LETTER.test(word) || LETTER_PAIRS.test(word);
}

function restart(out: string[], broken: number): number {
  const after = out.length - broken;
  if (after < 1 || after > 2) return -1;
  const words = out.slice(broken).map(key);
  for (let from = broken - 1; from >= Math.max(0, broken - REACH); from--) {
    if (after === 1 && broken - from > 2) break;
    if (words.some((word, n) => word !== key(out[from + n]) || /[.!?]$/.test(out[from + n] ?? ''))) continue;
    out.splice(from, broken - from);
    return -1;
  }
  return broken;
}

const PERSON = /^(?:i|you|we|they|he|she|it)(?=$|['’])/;

/** "I li I'm": a pronoun, a cut-off word, and the pronoun again. */
function dropFalseStart(out: string[]): void {
  const [first, cut, again] = out.slice(-3).map(key);
  if (first === undefined || cut === undefined || again === undefined || out.length < 3) return;
  const isCut = cut.length <= 3 && /^\p{Ll}+$/u.test(cut) && !isCommon(cut);
  if (isCut && PERSON.test(first) && PERSON.exec(again)?.[0] === PERSON.exec(first)?.[0]) out.splice(-3, 2);
}

function dropRepeat(out: string[]): void {
  for (let length = REACH; length >= 1; length--) {
    const from = out.length - 2 * length;
    if (from < 0) continue;
    const words = out.slice(from).map(key);
    const isRepeated = words
      .slice(0, length)
      .every((word, k) => word === words[length + k] && /\p{L}/u.test(word) && !/[.!?;:]$/.test(word));
    if (!isRepeated) continue;
    out.splice(from, length);
    return;
  }
}

const BREAK_MARK = /\{disfmarker\}/gi;
const NOISE =
  /\{[^{}\n]{1,40}\}|\[[^[\]\n]{1,40}\]|<[^<>\n]{1,40}>|\((?:laughter|laughs|inaudible|crosstalk|applause|pause|coughs?|unclear|indiscernible|interruption)[^()\n]{0,20}\)/gi;
/** "wh- what" */
const CUT_OFF = /(?<![\p{L}'’])(\p{L}{1,6})\s?[-–—]+\s+(?=\1\p{L})/giu;
const FILLER =
  /(?<![\p{L}\p{N}'’-])(?:u[hm]+|uhm|erm|er|ehm|eh|hmm*|mm+(?:-hmm*)?|mhm|uh ?- ?huh|mm ?- ?hmm*|huh|ah)(?![\p{L}\p{N}'’-])(?:\s*,(?=\s))?/giu;
const ASIDE = /(^|[,.;]\s*|\s)(?:you know|i mean|you see)\s*,/giu;
const LEAD_IN =
  /^(?:(?:okay|ok|'kay|yeah|yep|yes|well|right|alright|all right|oh|so|and so|and then|and|now|anyway|hey|sure|mm)\b\s*(?:[,.]\s*|(?=(?:so|well|okay|ok|yeah|and|i|we|you|it|the|that ?'s|this|there|they|if|what)\b)|(?<=^(?:well|yeah|okay|oh) )(?!known|over|aware|done)))+/iu;
const LETTERS = /\b((?:[A-Z]_){1,8})(s\b)?/g;
const CLITIC = / ('(?:s|re|ve|ll|d|m)|n't)\b/gi;

/** Cleans a turn: removes noise marks, fillers, stutters and tokenised spacing. An answer keeps its "yes" and "no". */
export function tidySpeech(quote: string, answers = false): string {
  const spoken = quote.replace(CUT_OFF, '').replace(BREAK_MARK, ` ${BROKEN_OFF} `).replace(NOISE, ' ');
  const words = tidy(spoken)
    .replace(FILLER, ' ')
    .replace(CLITIC, '$1')
    .replace(LETTERS, (_, letters: string, plural = '') => letters.replaceAll('_', '') + plural);
  const fluent = repair(
    words
      .replace(/ - (?=\p{L})/gu, '-')
      .replace(ASIDE, '$1')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const spaced = spacing(fluent.replace(/" ([^"]{1,300}?) "/g, '"$1"'));
  const text = spacing(spaced.replace(LEAD_IN, (words) => (answers ? (/\byes\b\W*/iu.exec(words)?.[0] ?? '') : '')));
  return startsUpper(quote) ? text.replace(/^["“'‘(]*\p{Ll}/u, (first) => first.toUpperCase()) : text;
}

export function startsUpper(quote: string): boolean {
  const first = /\p{L}/u.exec(quote.slice(0, 200).replace(NOISE, ''))?.[0];
  return first !== undefined && /\p{Lu}/u.test(first);
}

function spacing(text: string): string {
  return text
    .replace(/(?<!\s)\s+([,.;:!?])/g, '$1')
    .replace(/([,;:])(?:\s*[,;:])+/g, '$1')
    .replace(/,\s*([.!?])/g, '$1')
    .replace(/^[\s,.;:!?–—-]+/, '')
    .replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
