/** Brackets with nothing but numbers, ranges and the words that models put before them: [1], [2, 5], [3-4], 【1】, [KP 2], [^1]. */
const MARKER =
  /[[［【]\s*(?:(?:kp|key\s*points?|points?|sources?|no\.?|#|\^)\s*)*(\d{1,4}(?:\s*(?:[,;–—-]|and|&)\s*(?:(?:kp|#)\s*)?\d{1,4})*)\s*[\]］】]/giu;
/** Several of them in a row. */
export const MARKERS = new RegExp(`${MARKER.source}(?:[\\s,;]*${MARKER.source})*`, 'giu');
export const OPENING_MARKERS = new RegExp(`^\\s*${MARKERS.source}`, 'iu');
export const CLOSING_MARKERS = new RegExp(`${MARKERS.source}[\\s\\p{P}]*$`, 'iu');

/** A range longer than this is a misprint. */
const MAX_RANGE_LENGTH = 50;

/** A bracket that cites by number, by its place in the text. */
export interface NumberedMarker {
  readonly start: number;
  readonly end: number;
  readonly numbers: readonly number[];
}

/** All brackets of a text that are read as citing by number, in their order. */
export function numberedMarkers(text: string): NumberedMarker[] {
  return [...text.matchAll(MARKER)].map(({ 0: whole, 1: list, index }) => ({
    start: index,
    end: index + whole.length,
    numbers: numbersOfList(list),
  }));
}

/** The numbers that markers hold. */
export function numbersIn(markers: string): number[] {
  return numberedMarkers(markers).flatMap(({ numbers }) => numbers);
}

/** The numbers of a list: "1, 3-5 and 9". */
export function numbersOfList(list: string): number[] {
  return list.split(/\s*(?:[,;]|and|&)\s*/i).flatMap((part) => {
    const [from, to = from] = (part.match(/\d+/g) ?? []).map(Number);
    if (from === undefined || to < from || to - from > MAX_RANGE_LENGTH) return from === undefined ? [] : [from];
    return Array.from({ length: to - from + 1 }, (_, step) => from + step);
  });
}
