import type { ComposeInput, SelectedPoint } from './input.ts';
import { compareTexts, isLostAlone, isNear, leansOn } from './leans-on.ts';
import type { Saying } from './same-statements.ts';
import { labelOf } from './sentence-text.ts';
import { themes } from './themes.ts';

/** A report of at most this many sentences is one paragraph. */
const SHORT = 4;
/** Minimum and maximum sentences of a readable paragraph. */
const FEWEST = 3;
const MAX = 6;

type Theme = readonly number[];
type Paragraph = readonly Theme[];

/**
 * Groups the points of a report into themes, and themes into paragraphs: themes of one or two sentences join the
 * closest paragraph, and a short report is one paragraph. Points close together in a document count as more similar.
 * @param links pairs of points that must share a theme
 * @param sentenceOf the sentence that states each point
 */
function gatherParagraphs(
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

/** Raises the similarity of points close together in one document halfway to 1. */
function withNeighbours({ points, similarity }: Pick<ComposeInput, 'points' | 'similarity'>): Float64Array {
  const n = points.length;
  return Float64Array.from(similarity, (value, cell) => {
    const [row, column] = [points[Math.floor(cell / n)], points[cell % n]];
    return row && column && (isNear(row, column) || isNear(column, row)) ? (1 + value) / 2 : value;
  });
}

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
      if (paragraph === scrap || size + sizeOf(paragraph) > MAX) continue;
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

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DATE = new RegExp(
  `\\b(?:(?<iso>(?:19|20)\\d\\d-\\d\\d(?:-\\d\\d)?)|(?:(?<day>\\d{1,2}) )?(?<month>${MONTHS.join('|')})(?: (?<after>\\d{1,2}),?)? (?<year>(?:19|20)\\d\\d)|(?<bare>(?:19|20)\\d\\d))\\b(?![.,]\\d| (?:euros?|dollars?|people|percent)\\b)`,
  'giu',
);

/** The only date that a text states, at its precision ("2026", "2026-03", "2026-03-14"); null for none or several. */
export function statedDate(text: string): string | null {
  const dates = new Set([...text.matchAll(DATE)].map(({ groups = {} }) => dateOf(groups)));
  const [date] = dates;
  return dates.size === 1 && date !== undefined ? date : null;
}

function dateOf({ iso, day, month, after, year, bare }: Partial<Record<string, string>>): string {
  if (month === undefined || year === undefined) return iso ?? bare ?? '';
  const number = `${MONTHS.indexOf(month.toLowerCase()) + 1}`.padStart(2, '0');
  const dayOfMonth = day ?? after;
  return `${year}-${number}${dayOfMonth === undefined ? '' : `-${dayOfMonth.padStart(2, '0')}`}`;
}

/**
 * Arranges a report in paragraphs of ordered sayings. The paragraph with the best answer comes first and opens with it;
 * other paragraphs and themes are ordered by their best point. Within a theme dates decide if all points have one, else
 * the better document comes first, in its own order. A sentence follows the one it leans on.
 * @param sayings every point once, by index
 */
export function orderThemes(input: ComposeInput, sayings: readonly Saying[]): Saying[][] {
  const arrangement = arrangementOf(input, sayings);
  const { best, links } = arrangement;
  const sentenceOf = sentencesOf(arrangement);
  const paragraphs = gatherParagraphs(input, links, sentenceOf).map((found) => {
    const groups = sameDocumentTogether(found, input.points).map((group) => ({
      group,
      top: group.reduce((a, b) => (best(a, b) <= 0 ? a : b)),
      isLost: group.every((index) => isLostAlone(at(input.points, index))),
    }));
    groups.sort((a, b) => Number(a.isLost) - Number(b.isLost) || best(a.top, b.top));
    return { groups, top: groups.map(({ top }) => top).reduce((a, b) => (best(a, b) <= 0 ? a : b)) };
  });
  return paragraphs
    .sort((a, b) => best(a.top, b.top))
    .map(({ groups }, paragraph) =>
      groups.flatMap(({ group, top }, place) =>
        orderTheme(group, paragraph === 0 && place === 0 ? top : null, arrangement),
      ),
    );
}

function sentencesOf({ points, saying }: Arrangement): string[] {
  return points.map((point, index) => {
    const label = labelOf(point);
    return label === null ? `${saying[index]?.[0]}` : JSON.stringify([point.document, label]);
  });
}

function sameDocumentTogether(groups: readonly (readonly number[])[], points: readonly SelectedPoint[]): number[][] {
  const together = new Map<string, number[]>();
  for (const group of groups) {
    const documents = new Set(group.map((index) => at(points, index).document));
    const key = documents.size === 1 ? `${[...documents]}` : `\n${together.size}`;
    together.set(key, [...(together.get(key) ?? []), ...group]);
  }
  return [...together.values()];
}

interface Arrangement {
  readonly points: readonly SelectedPoint[];
  readonly saying: readonly Saying[];
  readonly parent: readonly number[];
  readonly links: readonly (readonly [number, number])[];
  readonly best: (a: number, b: number) => number;
  readonly publishedAt: (point: SelectedPoint) => string | undefined;
}

function arrangementOf({ points, documents, intent }: ComposeInput, sayings: readonly Saying[]): Arrangement {
  const saying: Saying[] = [];
  for (const each of sayings) for (const index of each) saying[index] = each;
  const leadOf = (index: number) => saying[index]?.[0] ?? index;
  const parent = points.map(() => -1);
  leansOn(points).forEach((other, index) => {
    // A point whose words are not shown leans on nothing; through merged points, two could otherwise lean on each other.
    const isShown = other >= 0 && leadOf(index) === index;
    if (isShown && rootOf(leadOf(other), parent) !== index) parent[index] = leadOf(other);
  });
  const published = new Map(documents.map(({ id, publishedAt }) => [id, publishedAt]));
  const isJudged = points.every(({ probability }) => typeof probability === 'number');
  const rankOf = ({ probability, relevance, salience }: SelectedPoint) => {
    if (intent === null) return salience;
    return isJudged ? (probability ?? 0) : relevance;
  };
  return {
    points,
    saying,
    parent,
    links: [
      ...parent.flatMap((other, index) => (other < 0 ? [] : [[other, index] as const])),
      ...sayings.flatMap(([lead = 0, ...same]) => same.map((index) => [lead, index] as const)),
    ],
    best: (a, b) => rankOf(at(points, b)) - rankOf(at(points, a)) || a - b,
    publishedAt: ({ document }) => published.get(document),
  };
}

/** @param top the best answer, if this paragraph opens the text */
function orderTheme(group: readonly number[], top: number | null, arrangement: Arrangement): Saying[] {
  const { points, saying, parent } = arrangement;
  const members = new Set(group.map((index) => saying[index]?.[0] ?? index));
  const best = top === null ? null : rootOf(saying[top]?.[0] ?? top, parent);
  const roots = inOrder(
    [...members].filter((index) => parent[index] === -1),
    best === null ? null : at(points, best).document,
    arrangement,
  );
  const opening = best === null || isLostAlone(at(points, best)) ? [] : [best];
  const placed = new Set<number>();
  const tell = (index: number): void => {
    if (placed.has(index)) return;
    placed.add(index);
    const leaning = [...members].filter((other) => parent[other] === index);
    leaning.sort((a, b) => at(points, a).quote.start - at(points, b).quote.start || a - b).forEach(tell);
  };
  for (const index of [...opening, ...roots]) tell(index);
  return [...placed].map((index) => saying[index] ?? [index]);
}

function rootOf(index: number, parent: readonly number[]): number {
  let root = index;
  for (let other = parent[root] ?? -1; other >= 0; other = parent[root] ?? -1) root = other;
  return root;
}

/**
 * Orders roots by date if each states one or has a document of its own, else by document, the better first. The
 * document that opens the text always comes first; sentences whose context is missing come last.
 */
function inOrder(
  roots: readonly number[],
  opening: string | null,
  { points, best, publishedAt }: Arrangement,
): number[] {
  const place = new Map<string, number>();
  for (const index of [...roots].sort(best)) {
    const { document } = at(points, index);
    if (!place.has(document)) place.set(document, place.size);
  }
  const dates = datesOf(
    roots.map((index) => at(points, index)),
    publishedAt,
  );
  const keys = new Map(
    roots.map((index, i) => {
      const point = at(points, index);
      const isOpening = point.document === opening && !dates?.isStated;
      return [index, { isLost: isLostAlone(point), isOpening, date: dates?.dates[i] }] as const;
    }),
  );
  const rank = (index: number) => {
    const key = keys.get(index);
    return key?.isLost ? 2 : key?.isOpening ? 0 : 1;
  };
  const placeOf = (index: number) => place.get(at(points, index).document) ?? 0;
  return [...roots].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      compareTexts(keys.get(a)?.date, keys.get(b)?.date) ||
      placeOf(a) - placeOf(b) ||
      at(points, a).quote.start - at(points, b).quote.start ||
      a - b,
  );
}

function datesOf(
  points: readonly SelectedPoint[],
  publishedAt: Arrangement['publishedAt'],
): { readonly dates: readonly string[]; readonly isStated: boolean } | null {
  const stated = points.map(({ text }) => statedDate(text));
  if (isWhole(stated)) return { dates: stated, isStated: true };
  const published = points.map((point) => publishedAt(point) ?? null);
  const documents = new Set(points.map(({ document }) => document)).size;
  return isWhole(published) && new Set(published).size === documents ? { dates: published, isStated: false } : null;
}

function isWhole(dates: readonly (string | null)[]): dates is readonly string[] {
  return dates.every((date) => date !== null);
}

function at(points: readonly SelectedPoint[], index: number): SelectedPoint {
  const point = points[index];
  if (!point) throw new RangeError(`There is no point ${index}.`);
  return point;
}
