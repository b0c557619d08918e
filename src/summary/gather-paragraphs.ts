import { isNear } from './leans-on.ts';
import type { ComposeInput } from '../contract/summary.ts';
import { themes } from './themes.ts';

/** So many sentences are one paragraph. */
const SHORT = 4;
/** A paragraph of fewer sentences is a scrap, one of more tires a reader. */
const FEWEST = 3;
const MOST = 6;

/** Points by index that belong together. */
type Theme = readonly number[];
type Paragraph = readonly Theme[];

/**
 * Gathers the points of a report in themes, and these in paragraphs: what is closest to a theme of one or two sentences
 * shares its paragraph, and a short report is one paragraph. Points that stand close in a document count as more alike.
 *
 * @param links pairs of points that must share a theme
 * @param sentenceOf names for every point the sentence that states it
 */
export function gatherParagraphs(
  input: Pick<ComposeInput, 'points' | 'similarity'>,
  links: readonly (readonly [number, number])[],
  sentenceOf: readonly string[],
): Theme[][] {
  const similarity = withNeighbours(input);
  const n = input.points.length;
  if (n === 0) return [];
  if (new Set(sentenceOf).size <= SHORT) return [[[...sentenceOf.keys()]]];
  const found = themes(similarity, n, links);
  return withoutScraps([...found.themes, ...found.others], similarity, sentenceOf);
}

/** Halfway to the same where two points stand close in one document: who tells a story tells it in a row. */
function withNeighbours({ points, similarity }: Pick<ComposeInput, 'points' | 'similarity'>): Float64Array {
  const n = points.length;
  return Float64Array.from(similarity, (value, cell) => {
    const [row, column] = [points[Math.floor(cell / n)], points[cell % n]];
    return row && column && (isNear(row, column) || isNear(column, row)) ? (1 + value) / 2 : value;
  });
}

/** Adds every scrap, the smallest first, to the paragraph that it is closest to among those that stay readable. */
function withoutScraps(
  themesFound: readonly Theme[],
  similarity: Float64Array,
  sentenceOf: readonly string[],
): Theme[][] {
  const sizeOf = (paragraph: Paragraph) => new Set(paragraph.flat().map((index) => sentenceOf[index])).size;
  const paragraphs = new Set(themesFound.map((theme): Theme[] => [theme]));
  for (const scrap of [...paragraphs].sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const size = sizeOf(scrap);
    if (size >= FEWEST) continue;
    let home: { readonly paragraph: Theme[]; readonly closeness: number } | null = null;
    for (const paragraph of paragraphs) {
      if (paragraph === scrap || size + sizeOf(paragraph) > MOST) continue;
      const closeness = meanBetween(scrap.flat(), paragraph.flat(), similarity, sentenceOf.length);
      if (home === null || closeness > home.closeness) home = { paragraph, closeness };
    }
    if (home === null) continue;
    home.paragraph.push(...scrap);
    paragraphs.delete(scrap);
  }
  return [...paragraphs];
}

function meanBetween(a: readonly number[], b: readonly number[], similarity: Float64Array, n: number): number {
  let sum = 0;
  for (const i of a) for (const j of b) sum += similarity[i * n + j] ?? 0;
  return sum / (a.length * b.length);
}
