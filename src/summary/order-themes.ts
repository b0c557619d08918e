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

/** Themes of one or two sentences join the closest paragraph, and a short report is one paragraph. */
function gatherParagraphs(input: Pick<ComposeInput, 'points' | 'similarity'>, arrangement: Arrangement): Theme[][] {
  const { points, saying, links } = arrangement;
  const sentenceOf = points.map((point, index) => {
    const label = labelOf(point);
    return label === null ? `${saying[index][0]}` : JSON.stringify([point.document, label]);
  });
  const n = points.length;
  if (n === 0) return [];
  if (new Set(sentenceOf).size <= SHORT) return [[[...sentenceOf.keys()]]];
  const similarity = withNeighbours(input);
  const sizeOf = (paragraph: readonly Theme[]) => new Set(paragraph.flat().map((index) => sentenceOf[index])).size;
  const paragraphs = new Set(themes(similarity, n, links).map((theme): Theme[] => [theme]));
  for (const scrap of [...paragraphs].sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const size = sizeOf(scrap);
    if (size >= FEWEST) continue;
    const [home] = [...paragraphs]
      .filter((paragraph) => paragraph !== scrap && size + sizeOf(paragraph) <= MAX)
      .map((paragraph) => ({ paragraph, closeness: meanBetween(scrap.flat(), paragraph.flat(), similarity, n) }))
      .sort((a, b) => b.closeness - a.closeness);
    if (home === undefined) continue;
    home.paragraph.push(...scrap);
    paragraphs.delete(scrap);
  }
  return [...paragraphs];
}

function withNeighbours({ points, similarity }: Pick<ComposeInput, 'points' | 'similarity'>): Float64Array {
  const n = points.length;
  return Float64Array.from(similarity, (value, cell) => {
    const [row, column] = [points[Math.floor(cell / n)], points[cell % n]];
    return isNear(row, column) || isNear(column, row) ? (1 + value) / 2 : value;
  });
}

function meanBetween(a: readonly number[], b: readonly number[], similarity: Float64Array, n: number): number {
  let sum = 0;
  for (const i of a) for (const j of b) sum += similarity[i * n + j];
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
  const { points, best } = arrangement;
  const bestOf = (indices: readonly number[]): number => indices.reduce((a, b) => (best(a, b) <= 0 ? a : b));
  const paragraphs = gatherParagraphs(input, arrangement).map((found) => {
    const groups = sameDocumentTogether(found, points).map((group) => ({
      group,
      top: bestOf(group),
      isLost: group.every((index) => isLostAlone(points[index])),
    }));
    groups.sort((a, b) => Number(a.isLost) - Number(b.isLost) || best(a.top, b.top));
    return { groups, top: bestOf(groups.map(({ top }) => top)) };
  });
  return paragraphs
    .sort((a, b) => best(a.top, b.top))
    .map(({ groups }, paragraph) =>
      groups.flatMap(({ group, top }, place) =>
        orderTheme(group, paragraph === 0 && place === 0 ? top : null, arrangement),
      ),
    );
}

function sameDocumentTogether(groups: readonly (readonly number[])[], points: readonly SelectedPoint[]): number[][] {
  const together = new Map<string, number[]>();
  for (const group of groups) {
    const documents = new Set(group.map((index) => points[index].document));
    const key = documents.size === 1 ? `${[...documents]}` : `\n${together.size}`;
    together.set(key, [...(together.get(key) ?? []), ...group]);
  }
  return [...together.values()];
}

type Arrangement = ReturnType<typeof arrangementOf>;

function arrangementOf({ points, documents, intent }: ComposeInput, sayings: readonly Saying[]) {
  const saying: Saying[] = [];
  for (const each of sayings) for (const index of each) saying[index] = each;
  const parent = points.map(() => -1);
  leansOn(points).forEach((other, index) => {
    // A point whose words are not shown leans on nothing; through merged points, two could otherwise lean on each other.
    const isShown = other >= 0 && saying[index][0] === index;
    if (isShown && rootOf(saying[other][0], parent) !== index) parent[index] = saying[other][0];
  });
  const published = new Map(documents.map(({ id, publishedAt }) => [id, publishedAt]));
  const rankOf = ({ relevance, salience }: SelectedPoint) => (intent === null ? salience : relevance);
  return {
    points,
    saying,
    parent,
    links: [
      ...parent.flatMap((other, index) => (other < 0 ? [] : [[other, index] as const])),
      ...sayings.flatMap(([lead, ...same]) => same.map((index) => [lead, index] as const)),
    ],
    best: (a: number, b: number) => rankOf(points[b]) - rankOf(points[a]) || a - b,
    publishedAt: ({ document }: SelectedPoint) => published.get(document),
  };
}

/** @param top the best answer, if this paragraph opens the text */
function orderTheme(group: readonly number[], top: number | null, arrangement: Arrangement): Saying[] {
  const { points, saying, parent } = arrangement;
  const members = new Set(group.map((index) => saying[index][0]));
  const best = top === null ? null : rootOf(saying[top][0], parent);
  const roots = inOrder(
    [...members].filter((index) => parent[index] === -1),
    best === null ? null : points[best].document,
    arrangement,
  );
  const opening = best === null || isLostAlone(points[best]) ? [] : [best];
  const placed = new Set<number>();
  const tell = (index: number): void => {
    if (placed.has(index)) return;
    placed.add(index);
    const leaning = [...members].filter((other) => parent[other] === index);
    leaning.sort((a, b) => points[a].quote.start - points[b].quote.start || a - b).forEach(tell);
  };
  for (const index of [...opening, ...roots]) tell(index);
  return [...placed].map((index) => saying[index]);
}

function rootOf(index: number, parent: readonly number[]): number {
  let root = index;
  while (parent[root] >= 0) root = parent[root];
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
  const documents = [...new Set([...roots].sort(best).map((index) => points[index].document))];
  const stated = roots.map((index) => statedDate(points[index].text));
  const published = roots.map((index) => publishedAt(points[index]) ?? null);
  const isStated = !stated.includes(null);
  const isPublished = !published.includes(null) && new Set(published).size === documents.length;
  const dates = isStated ? stated : isPublished ? published : [];
  const dateOf = new Map(roots.map((index, place) => [index, dates[place] ?? undefined]));
  const rank = (index: number): number => {
    if (isLostAlone(points[index])) return 2;
    return points[index].document === opening && !isStated ? 0 : 1;
  };
  return [...roots].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      compareTexts(dateOf.get(a), dateOf.get(b)) ||
      documents.indexOf(points[a].document) - documents.indexOf(points[b].document) ||
      points[a].quote.start - points[b].quote.start ||
      a - b,
  );
}
