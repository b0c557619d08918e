import { getDocumentProxy } from 'unpdf';
import { UnreadableFileError } from '../errors.ts';
import { groupBy } from '../lists.ts';

/** Units at the end of a text in which its last word is sought. */
const MAX_WORD_LENGTH = 100;
const PARTED = /(\p{L}+)[-\u2010\u00ad]$/u;

/** Joins lines and mends hyphenated words, but not those with a hyphen within a line (in lower case), nor before a capital or a digit. */
export function joinedLines(lines: readonly string[], hyphenated: ReadonlySet<string>): string {
  const parts: string[] = [];
  let end = '';
  for (const line of lines) {
    const first = PARTED.exec(end)?.[1];
    const rest = /^\p{L}+/u.exec(line)?.[0];
    const isParted = first !== undefined && rest !== undefined;
    const isSpaced = end !== '' && !isParted && !/[-\u2010]$/u.test(end);
    const isHyphenated = () => hyphenated.has(`${first}-${rest}`.toLowerCase()) || /^\p{Lu}/u.test(rest ?? '');
    const keepsHyphen = !isParted || (!end.endsWith('\u00ad') && isHyphenated());
    if (!keepsHyphen) parts.push(parts.pop()?.slice(0, -1) ?? '');
    parts.push(isSpaced ? ` ${line}` : line);
    end = ((keepsHyphen ? end : end.slice(0, -1)) + parts.at(-1)).slice(-MAX_WORD_LENGTH);
  }
  return parts.join('').replaceAll('\u00ad', '');
}

export interface TextItem {
  readonly str: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  readonly hasEOL: boolean;
}

interface Line {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  readonly page: number;
  readonly isHead: boolean;
}

const WIDE = 1.35;
const SHORT = 0.85;
const EDGE = 2;
const SENTENCE_END = /[.!?:…。！？]["'”’»)\]]*$/u;
const LIST_MARK = /^(?:[•▪‣–*]|\(?\d{1,3}[.)])\s/u;
const LIGATURES = /[\ufb00-\ufb06]/g;

/** The text of a PDF in paragraphs, with repeated page headers once; empty if the pages are only images. */
export function textOfPages(pages: readonly (readonly TextItem[])[]): string {
  const lines = withoutEdges(pages.map((items, page) => linesOf(items, page)));
  const usual = usualOf(lines);
  const words = new Set(lines.flatMap(({ text }) => text.toLowerCase().match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? []));
  const paragraphs: Line[][] = [];
  let open: Line[] | undefined;
  for (const line of lines) {
    const last = open?.at(-1);
    if (line.isHead) {
      paragraphs.push([line]);
    } else if (open === undefined || last === undefined || beginsParagraph(last, line, open[0], usual)) {
      open = [line];
      paragraphs.push(open);
    } else open.push(line);
  }
  return paragraphs
    .map((paragraph) => paragraph.map(({ text }) => text))
    .map((texts) => joinedLines(texts, words))
    .join('\n\n');
}

function linesOf(items: readonly TextItem[], page: number): Line[] {
  const lines: Line[] = [];
  let open: TextItem[] = [];
  const close = (): void => {
    const text = open
      .map(({ str }, index) => (index > 0 && isApart(open[index - 1], open[index]) ? ` ${str}` : str))
      .join('')
      .replace(LIGATURES, (ligature) => ligature.normalize('NFKC'))
      .replace(/\s+/gu, ' ')
      .trim();
    const written = open.filter(({ str }) => str.trim() !== '');
    open = [];
    const [first] = written;
    if (first === undefined || text === '') return;
    const right = Math.max(...written.map(({ x, width }) => x + width));
    const size = Math.max(...written.map(({ fontSize }) => fontSize));
    lines.push({ text, x: first.x, right, y: first.y, size, page, isHead: false });
  };
  for (const item of items) {
    const last = open.findLast(({ str }) => str.trim() !== '');
    const isElsewhere = last !== undefined && Math.abs(item.y - last.y) > 0.6 * Math.max(last.fontSize, item.fontSize);
    if (isElsewhere && item.str.trim() !== '') close();
    open.push(item);
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

function isApart(before: TextItem, after: TextItem): boolean {
  if (/\s$/u.test(before.str) || /^\s/u.test(after.str) || before.str === '' || after.str === '') return false;
  return after.x - (before.x + before.width) > 0.2 * after.fontSize;
}

/**
 * Drops page numbers and repeated lines at page edges, except their first occurrence, which may be the title. Keeps
 * pages that repeat entirely.
 */
function withoutEdges(pages: readonly (readonly Line[])[]): Line[] {
  const edges = pages.map((lines) => new Set([...lines.slice(0, EDGE), ...lines.slice(-EDGE)]));
  const [atEdges, anywhere] = [pageCounter(edges), pageCounter(pages)];
  const isOften = (line: Line, lines: readonly Line[]): boolean => {
    // Chapter names change from page to page.
    const isOutermost = line === lines[0] || line === lines.at(-1);
    const often = isOutermost && /\p{L}/u.test(line.text) ? 3 : Math.max(3, pages.length * 0.5);
    return atEdges(line) >= often;
  };
  const isRepeated = (line: Line) => anywhere(line) > 1;
  if (pages.every((lines) => lines.every(isRepeated))) return pages.flat();
  const seen = new Set<string>();
  return pages.flatMap((lines, page) => {
    const hasMore = lines.filter(({ text }) => /\p{L}/u.test(text)).length > 1;
    if (hasMore && lines.every(isRepeated)) return lines;
    return lines.flatMap((line) => {
      if (!edges[page].has(line)) return [line];
      const isNumber =
        pages.length > 1 &&
        /^(?:page |seite |p\. ?)?[–-]? ?\d{1,4}(?: ?(?:of|von|\/) ?\d{1,4})? ?[–-]?$/iu.test(line.text);
      if (isNumber) return [];
      if (!isOften(line, lines)) return [line];
      const shape = shapeOf(line);
      if (seen.has(shape) || !/\p{L}/u.test(line.text)) return [];
      seen.add(shape);
      return [{ ...line, isHead: true }];
    });
  });
}

/** On how many pages a line stands, whatever its numbers. */
function pageCounter(pages: readonly Iterable<Line>[]): (line: Line) => number {
  const shapes = pages.map((lines) => new Set(Array.from(lines, shapeOf)));
  const counts = groupBy(
    shapes.flatMap((each) => [...each]),
    (shape) => shape,
  );
  return (line) => counts.get(shapeOf(line))?.length ?? 0;
}

function shapeOf({ text }: Line): string {
  return text.toLowerCase().replace(/\d+/g, '#');
}

function usualOf(lines: readonly Line[]) {
  const gaps = lines.flatMap((line, index) => {
    const last = lines[index - 1];
    const gap = last === undefined || last.page !== line.page ? 0 : last.y - line.y;
    return gap > 0 ? [gap / line.size] : [];
  });
  return { gap: middleOf(gaps), right: middleOf(lines.map(({ x, right }) => right - x)) };
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function beginsParagraph(last: Line, line: Line, first: Line, usual: ReturnType<typeof usualOf>): boolean {
  if (Math.abs(last.size - line.size) > 0.12 * last.size || LIST_MARK.test(line.text)) return true;
  const hasEnded = SENTENCE_END.test(last.text);
  const isShort = last.right - last.x < SHORT * usual.right;
  // An unfinished sentence continues on the next page or column.
  const gap = last.page === line.page ? last.y - line.y : -1;
  if (gap <= 0) return hasEnded ? isShort || line.x - first.x > line.size : isShort && /^\p{Lu}/u.test(line.text);
  if (gap > WIDE * usual.gap * line.size) return true;
  return hasEnded && (isShort || line.x - last.x > line.size * 0.8);
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type TextContent = Awaited<ReturnType<Awaited<ReturnType<Pdf['getPage']>>['getTextContent']>>;

/** Of characters; a piece of text counts for some, as it takes memory of its own. */
const MAX_LENGTH = 12_000_000;
const ITEM_LENGTH = 5;
const MAX_PAGES = 10_000;
const TOO_LONG = 'It has more than 10,000 pages, or too much text; split it.';

/** Reads one page after the other, so that a file which is too long is left early. */
async function itemsOf(pdf: Pdf): Promise<TextItem[][]> {
  if (pdf.numPages > MAX_PAGES) throw new UnreadableFileError(TOO_LONG);
  const pages: TextItem[][] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const items: TextItem[] = [];
    const reader: ReadableStreamDefaultReader<TextContent> = page.streamTextContent().getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (const item of read.value.items) {
        if (!('str' in item)) continue;
        const { str, transform, width, hasEOL } = item;
        const [, , c, d, x, y] = transform;
        items.push({ str, x, y, width, fontSize: Math.hypot(c, d), hasEOL });
        length += str.length + ITEM_LENGTH;
      }
      if (length > MAX_LENGTH) throw new UnreadableFileError(TOO_LONG);
    }
    page.cleanup();
    pages.push(items);
  }
  return pages;
}

/**
 * Reads the text of a PDF.
 * @throws UnreadableFileError
 */
export async function readPdf(bytes: Uint8Array): Promise<string> {
  // pdf.js takes ownership of the buffer, rejects a Buffer, and prints warnings by default.
  const pages = getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).then((pdf) =>
    itemsOf(pdf).finally(() => pdf.destroy()),
  );
  const read = await pages.catch((cause: unknown) => {
    if (cause instanceof UnreadableFileError) throw cause;
    const problem = (cause instanceof Error && PROBLEMS.get(cause.name)) || 'Its text could not be read.';
    throw new UnreadableFileError(problem, { cause });
  });
  const text = textOfPages(read);
  if (text !== '') return text;
  throw new UnreadableFileError(
    'It holds no text, only pictures of pages: it was perhaps scanned. Text recognition would have to be run over it first.',
  );
}

const PROBLEMS = new Map([
  ['PasswordException', 'It is locked with a password.'],
  ['InvalidPDFException', 'It is no PDF, or it is damaged.'],
]);
