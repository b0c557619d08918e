/** Numbers in a row that a marker cites: "[3-5]". */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** A bracket that cites documents, by its place in the text. */
export interface Marker {
  readonly start: number;
  readonly end: number;
  readonly cited: readonly (string | Run)[];
}

const BRACKET = /[[［【]([^[\]［］【】]*)[\]］】]/gu;
const NUMBER = /^\d+$/;
const RANGE = /^(\d{1,9})\s*[-–—]\s*(\d{1,9})$/;
/** A range longer than this is none: it stays text. */
const MAX_RANGE_LENGTH = 1000;

/**
 * Finds the markers of a text: brackets whose parts, between commas or semicolons, are all ids of documents, numbers or
 * ranges of numbers. Beside an id that is known, any single word counts as one that is not; other brackets ("[sic]") are
 * text. Linear in the length of the text.
 *
 * @param known ids of the documents that are known, which need not be all
 */
export function findMarkers(text: string, known: ReadonlySet<string>): Marker[] {
  return [...text.matchAll(BRACKET)].flatMap(({ 0: whole, 1: inside = '', index }) => {
    const cited = citedIn(inside.trim(), known);
    return cited === null ? [] : [{ start: index, end: index + whole.length, cited }];
  });
}

/** Ids that markers cite, each once, in the order of their first mention. */
export function citedDocuments(markers: readonly Marker[]): string[] {
  const numbers = ({ from, to }: Run) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  const ids = markers.flatMap(({ cited }) =>
    cited.flatMap((each) => (typeof each === 'string' ? [each] : numbers(each))),
  );
  return [...new Set(ids)];
}

/** How many ids markers cite, those that come again with them: found without writing ranges out. */
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
