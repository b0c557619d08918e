/** Citation markers: "Fares rose. [1][3]". Round brackets would not do, since prose has them too. */

export const OPENING = '\\[［【';
export const CLOSING = '\\]］】';

export function citationMarkers(names: readonly (number | string)[]): string {
  return names.map((name) => `[${name}]`).join('');
}

/** All brackets that look like ours, those of mathematics apart. */
const [OPENS, CLOSES] = [`${OPENING}﹇〖〔﹝❲⟬⟦〚⁅⸢⸤`, `${CLOSING}﹈〗〕﹞❳⟭⟧〛⁆⸣⸥`];
const WORDLESS = `[^\\p{L}()${OPENS}${CLOSES}]`;
const LIKE_A_MARKER = new RegExp(
  `[${OPENS}]((?=[^${OPENS}${CLOSES}]*\\p{N})(?:${WORDLESS}*\\p{L}+(?!\\p{L}))?(?:${WORDLESS}|(?:and|points?|sources?|\\p{L}{1,2})(?!\\p{L}))*)[${CLOSES}]`,
  'giu',
);

/**
 * Puts square brackets that hold numbers into round ones, in foreign text that will stand among markers: "[5b]", "〔１〕",
 * "[KP 1 and ⅱ]", "[Document 2]". With more words they are the text's own: "[sic]", "[the plan of 2019]".
 */
export function escapeMarkers(text: string): string {
  return text.replace(LIKE_A_MARKER, '($1)');
}

/** Numbers and ranges, with the words that models put before them: [1], [2, 5], [3-4], 【1】, [KP 2], [^1]. */
const NUMBERED = `[${OPENING}]\\s*(?:(?:kp|key\\s*points?|points?|sources?|no\\.?|#|\\^)\\s*)*(\\d{1,4}(?:\\s*(?:[,;–—-]|and|&)\\s*(?:(?:kp|#)\\s*)?\\d{1,4})*)\\s*[${CLOSING}]`;
const EACH_NUMBERED = new RegExp(NUMBERED, 'giu');
const RUN = `${NUMBERED}(?:[\\s,;]*${NUMBERED})*`;
export const MARKERS = new RegExp(RUN, 'giu');
export const OPENING_MARKERS = new RegExp(`^\\s*${RUN}`, 'iu');

/** Whether markers stand at the end of a text, before nothing but punctuation. */
export function endsInMarkers(text: string): boolean {
  const last = [...text.matchAll(MARKERS)].at(-1);
  return last !== undefined && /^[\s\p{P}]*$/u.test(text.slice(last.index + last[0].length));
}

/** A longer range is a misprint. */
const MAX_NUMBERS = 50;

export function numberedMarkers(text: string) {
  return [...text.matchAll(EACH_NUMBERED)].map(({ 0: whole, 1: list, index }) => ({
    start: index,
    end: index + whole.length,
    numbers: numbersOfList(list),
  }));
}

export function citedNumbers(markers: string): number[] {
  return numberedMarkers(markers).flatMap(({ numbers }) => numbers);
}

export function numbersOfList(list: string): number[] {
  return list.split(/[,;]|and|&/i).flatMap((part) => {
    const [from, to = from] = (part.match(/\d+/g) ?? []).map(Number);
    if (from === undefined || to < from || to - from > MAX_NUMBERS) return from === undefined ? [] : [from];
    return range(from, to);
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, step) => from + step);
}

interface Run {
  readonly from: number;
  readonly to: number;
}

export interface Marker {
  readonly start: number;
  readonly end: number;
  readonly cited: readonly (string | Run)[];
}

const BRACKET = new RegExp(`[${OPENING}]([^${OPENING}${CLOSING}]*)[${CLOSING}]`, 'gu');
const NUMBER = /^\d+$/;
const RANGE = /^(\d{1,9})\s*[-–—]\s*(\d{1,9})$/;
/** A longer range stays text. */
const MAX_RANGE_LENGTH = 1000;

/**
 * Finds brackets whose parts, between commas or semicolons, are all ids of documents, numbers or ranges of numbers. Beside a
 * known id any single word counts as an unknown one; other brackets ("[sic]") are text. Linear in the length of the text.
 *
 * @param known ids of documents that are known; others may be cited
 */
export function findMarkers(text: string, known: ReadonlySet<string>): Marker[] {
  return [...text.matchAll(BRACKET)].flatMap(({ 0: whole, 1: inside = '', index }) => {
    const cited = citedIn(inside.trim(), known);
    return cited === null ? [] : [{ start: index, end: index + whole.length, cited }];
  });
}

export function citedDocuments(markers: readonly Marker[]): string[] {
  const idsOf = (each: string | Run) => (typeof each === 'string' ? [each] : range(each.from, each.to).map(String));
  return [...new Set(markers.flatMap(({ cited }) => cited.flatMap(idsOf)))];
}

export function countCited(markers: readonly Marker[]): number {
  const size = (each: string | Run) => (typeof each === 'string' ? 1 : each.to - each.from + 1);
  return markers.reduce((total, { cited }) => total + cited.reduce((sum, each) => sum + size(each), 0), 0);
}

function citedIn(inside: string, known: ReadonlySet<string>): Marker['cited'] | null {
  if (known.has(inside)) return [inside];
  const parts = inside
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return null;
  const hasKnown = parts.some((part) => known.has(part));
  const cited: (string | Run)[] = [];
  for (const part of parts) {
    const read = known.has(part) ? part : (numbersIn(part) ?? (hasKnown && !/\s/u.test(part) ? part : null));
    if (read === null) return null;
    cited.push(read);
  }
  return cited;
}

function numbersIn(part: string): string | Run | null {
  if (NUMBER.test(part)) return part.replace(/^0+(?=\d)/, '');
  const [, first, last] = RANGE.exec(part) ?? [];
  const from = Number(first);
  const to = Number(last);
  return from <= to && to - from < MAX_RANGE_LENGTH ? { from, to } : null;
}
