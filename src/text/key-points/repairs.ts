import { isCommon } from './english.ts';

/** Where the transcriber marked that a speaker broke off ({disfmarker}), after `tidySpeech` has replaced the marker. */
export const BROKEN_OFF = '\u241b';

/** Most words before a break that a repair may take back. */
const REACH = 4;
const LETTER_PAIRS = /^(?:th|wh|sh|ch|st|tr|pl|pr|br|gr|fr|cl|bl|sp|sc|wr)$/;
const LONE_LETTER = /^[b-hj-z]$/;

const key = (word: string | undefined) => (word ?? '').toLowerCase().replace(/,$/, '');

/**
 * Takes back what a speaker took back: cut-off words ("fou ␛ four", "th the"), restarts ("what you int ␛ what you draw")
 * and immediate repetitions of one to four words ("about the about the"). One pass, bounded look-back.
 */
export function repair(text: string): string {
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

/** Letters that are no word: what is left of one. */
function isStub(word: string): boolean {
  return LONE_LETTER.test(word) || LETTER_PAIRS.test(word);
}

/** After a break at `broken`: drops what comes before it where the words after begin the same way. */
function restart(out: string[], broken: number): number {
  const after = out.length - broken;
  if (after < 1) return -1;
  if (after > 2) return -1;
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

/** "I li I'm": a pronoun, some letters that are no word, and the pronoun again. */
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
    let same = true;
    for (let k = 0; k < length && same; k++) {
      const word = key(out[from + k]);
      same = word === key(out[from + length + k]) && /\p{L}/u.test(word) && !/[.!?;:]$/.test(word);
    }
    if (!same) continue;
    out.splice(from, length);
    return;
  }
}
