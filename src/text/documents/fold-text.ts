import { WORDY } from './document.ts';

/** `\s` without the byte order mark, with a line break that it lacks. */
const SPACE = /^(?!\ufeff)[\s\u0085]$/u;
/** Invisible characters, with joiners and variation selectors. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const QUOTATION_MARK =
  /^["'\u00ab\u00b4\u00bb\u02b9-\u02bd\u05f3\u05f4\u2018-\u201f\u2032-\u2037\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02\uff07\uff62\uff63]$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
/** White space, or a base with its marks, a flag, or joined emoji; bounded, so that time stays linear. */
const CLUSTER =
  /\s|(?:\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]{0,4}(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]{0,4}){0,10}|[\s\S])[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb]{0,30}/uy;

function clusterAt(text: string, index: number): string {
  CLUSTER.lastIndex = index;
  return CLUSTER.exec(text)?.[0] ?? text.charAt(index);
}

/**
 * The form in which a character is compared: `' '` for white space, `'-'` for dashes, `"'"` for quotation marks and apostrophes,
 * `''` for invisible characters, else NFKC in lower case.
 */
function foldCharacter(cluster: string): string {
  if (SPACE.test(cluster)) return ' ';
  const seen = cluster.replace(UNSEEN, '');
  if (seen === '') return '';
  if (QUOTATION_MARK.test(seen)) return "'";
  if (DASH.test(seen)) return '-';
  if (seen === '\u22ef') return '...';
  const folded = seen.normalize('NFKC').toLowerCase();
  return folded.replaceAll('ς', 'σ').replaceAll('ß', 'ss').replaceAll('\u2044', '/');
}

const FIRST_MARK = 0x300;
const BLANK = /\s/;
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
const RAISED = /^\p{No}/u;
/** Scripts without spaces between words. */
export const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}]/u;

export interface FoldedText {
  readonly folded: string;
  /** UTF-16 offsets of the source of each unit of `folded`. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Folds case, compatibility forms, quotation marks and dashes; drops invisible characters and emphasis markers;
 * collapses spaces. Drops dashes between letters, which may hyphenate a word at a line's end (`quoteAligner` checks
 * them). Linear time and memory.
 */
export function foldText(text: string): FoldedText {
  const out = new Folding();
  const known = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isPlain = code < 0x80 && (at + 1 >= text.length || text.charCodeAt(at + 1) < FIRST_MARK);
    const cluster = isPlain ? text.charAt(at) : clusterAt(text, at);
    const end = isMarker(cluster) ? endOfRun(text, at) : at + cluster.length;
    if (isMarker(cluster)) foldMarkers(text, at, end, out);
    else if (cluster === '\u00ad' && LINE_BREAK.test(text.charAt(end))) out.dash(at, end);
    else {
      let folded = known.get(cluster);
      if (folded === undefined) {
        folded = foldCharacter(cluster);
        known.set(cluster, folded);
      }
      if (folded === ' ') out.space();
      else if (folded === '-') out.dash(at, end);
      // "10²" is not "102".
      else if (folded !== '') out.put(out.endsInDigit(at) && RAISED.test(cluster) ? cluster : folded, at, end);
    }
    at = end;
  }
  return out.finish();
}

function isMarker(character: string): boolean {
  return character === '*' || character === '_' || character === '`';
}

function endOfRun(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text.charCodeAt(end) === text.charCodeAt(start)) end++;
  return end;
}

/** Drops a run of emphasis markers, but not `5*3`, `snake_case` or ``` ``so called'' ```. */
function foldMarkers(text: string, start: number, end: number, out: Folding): void {
  const [before, after] = [text.charAt(start - 1), text.charAt(end)];
  const isInside = WORDY.test(before) && WORDY.test(after);
  if (text.charAt(start) === '`') {
    if (end - start === 2 || (end - start === 1 && isInside)) out.put("'", start, end);
    return;
  }
  const isAlone = (before === '' || BLANK.test(before)) && (after === '' || BLANK.test(after));
  const isSign = isInside && (text.charAt(start) === '_' || end - start === 1 || /\d/.test(before));
  if (isAlone || isSign) for (let at = start; at < end; at++) out.put(text.charAt(at), at, at + 1);
}

class Folding {
  readonly #units: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #last = '';
  #hasGap = false;
  #dash: { start: number; end: number } | null = null;

  space(): void {
    this.#hasGap = true;
  }

  dash(start: number, end: number): void {
    this.#dash = { start: this.#dash?.start ?? start, end };
  }

  endsInDigit(offset: number): boolean {
    return this.#ends.at(-1) === offset && /\d$/.test(this.#last);
  }

  put(folded: string, start: number, end: number): void {
    if (this.#dash !== null) this.#putDash(folded, this.#dash);
    else if (this.#hasGap && isSpaced(this.#last, folded)) this.#add(' ', this.#ends.at(-1) ?? 0, start);
    this.#hasGap = false;
    for (let i = 0; i < folded.length; i++) {
      if (!this.#isRepeated(folded.charAt(i), start)) this.#add(folded.charAt(i), start, end);
      else this.#ends[this.#ends.length - 1] = end;
    }
    this.#last = folded;
  }

  finish(): FoldedText {
    if (this.#dash !== null) this.#putDash('', this.#dash);
    return { folded: this.#units.join(''), starts: this.#starts, ends: this.#ends };
  }

  #putDash(next: string, { start, end }: { start: number; end: number }): void {
    if (!(/\p{L}\p{M}*$/u.test(this.#last) && /^\p{L}/u.test(next))) this.#add('-', start, end);
    this.#dash = null;
  }

  #isRepeated(unit: string, start: number): boolean {
    if (this.#units.at(-1) !== unit) return false;
    if (unit === "'") return this.#ends.at(-1) === start;
    return unit === '.' && this.#units.at(-2) === unit && this.#units.at(-3) === unit;
  }

  #add(unit: string, start: number, end: number): void {
    this.#units.push(unit);
    this.#starts.push(start);
    this.#ends.push(end);
  }
}

function isSpaced(before: string, after: string): boolean {
  return (
    /[\p{L}\p{N}]\p{M}*$/u.test(before) &&
    /^[\p{L}\p{N}\p{M}]/u.test(after) &&
    !UNSPACED.test(before) &&
    !UNSPACED.test(after)
  );
}
