import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import mammoth from 'mammoth';
import { UnreadableFileError } from '../errors.ts';
import { markupText, tableRow, tableRule } from './markup-text.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { readonly attribs: unknown }>;

interface Row {
  readonly texts: readonly string[];
  readonly isMarked: boolean;
}

/** Longer cells and rows hold prose. In UTF-16 units. */
const MAX_CELL_LENGTH = 200;
const MAX_ROW_LENGTH = 500;
const MAX_COLUMNS = 100;
const FIGURE = /\p{N}/u;
const AMOUNT = /^[\p{Sc}+\u2212-]?\s*\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * The text of a Word document (.docx), with headings, lists and tables marked as in Markdown.
 *
 * @throws UnreadableFileError
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const { buffer } = new Uint8Array(bytes); // bytes may be a part of a larger buffer
  const input = { arrayBuffer: buffer, buffer }; // the one is read in browsers, the other on Node
  try {
    const { value } = await mammoth.convertToHtml(
      input,
      // Skip images.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return textAndTables(value);
  } catch (cause) {
    throw new UnreadableFileError('This is not a valid Word document (.docx).', { cause });
  }
}

/** Mammoth escapes all text, so tags reliably mark tables. */
function textAndTables(markup: string): string {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: tag, index } of markup.matchAll(/<\/?table\b[^>]*>/g)) {
    const isOpening = tag[1] !== '/';
    if (isOpening && depth++ === 0) {
      parts.push(markupText(markup.slice(from, index)));
      from = index;
    } else if (!isOpening && --depth === 0) {
      const table = markup.slice(from, index + tag.length);
      parts.push(tableText(table) ?? markupText(table));
      from = index + tag.length;
    }
  }
  parts.push(markupText(markup.slice(from)));
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * A table as rows of Markdown. Repeats a cell that spans rows in each row; writes one that spans columns once, a header
 * in all. Nested tables follow.
 * @param markup one table
 * @returns null if it has only one column
 */
export function tableText(markup: string): string | null {
  const tables = DomUtils.getElementsByTagName('table', parseDocument(markup));
  const [first] = tables;
  if (first === undefined || cellsWithin(first).every((cells) => cells.length < 2)) return null;
  return tables
    .map((table) => printed(rowsOf(table)))
    .filter((text) => text !== '')
    .join('\n\n');
}

function printed(rows: readonly Row[]): string {
  const blocks: string[] = [];
  let from = 0;
  for (; from < rows.length - 1 && isTitle(rows[from]); from++) blocks.push(rows[from].texts[0]);
  const shown = rows.slice(from);
  const depth = headerDepth(shown);
  const header = (shown[0]?.texts ?? []).map((_, column) =>
    [...new Set(shown.slice(0, depth).map(({ texts }) => texts[column] ?? ''))].join(' ').trim(),
  );
  const head = depth === 0 ? [] : [tableRow(header), tableRule(header.length)];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) blocks.push([...head, ...open].join('\n'));
    open = [];
  };
  for (const { texts } of shown.slice(depth)) {
    const filled = texts.filter((text) => text !== '');
    if (filled.length === 0) continue;
    if (filled.some(({ length }) => length > MAX_CELL_LENGTH) || filled.join('').length > MAX_ROW_LENGTH) {
      close();
      blocks.push(...filled);
    } else open.push(tableRow(texts));
  }
  close();
  if (head.length > 0 && !blocks.some((block) => block.startsWith(head[0]))) blocks.unshift(head[0]);
  return blocks.join('\n\n');
}

function isTitle({ texts }: Row): boolean {
  return texts.length > 1 && texts[0] !== '' && texts.slice(1).every((text) => text === '');
}

/**
 * Number of header rows: those marked, or the first if it reads like one. The first of two columns often names the
 * rows, so headers must stand above figures.
 */
function headerDepth(rows: readonly Row[]): number {
  const marked = rows.findIndex(({ isMarked }) => !isMarked);
  if (marked > 0) return marked;
  const [first, ...rest] = rows;
  if (marked < 0 || rest.length === 0 || first.texts.slice(1).some((text) => text === '')) return 0;
  if (first.texts.length > 2) return first.texts.some((text) => AMOUNT.test(text) && !YEAR.test(text)) ? 0 : 1;
  const isOverFigures = rest.every(({ texts }) => texts.some((text) => FIGURE.test(text)));
  return isOverFigures && !first.texts.some((text) => FIGURE.test(text)) ? 1 : 0;
}

function rowsOf(table: Element): Row[] {
  const below: { text: string; rows: number }[] = [];
  const rows = cellsWithin(table).map((cells): Row => {
    const texts: string[] = [];
    const isHeader = cells.every(({ name }) => name === 'th');
    const fillCovered = (isEnd: boolean) => {
      while (texts.length < below.length && (isEnd || (below[texts.length]?.rows ?? 0) > 0)) {
        const over = below[texts.length];
        texts.push(over !== undefined && over.rows-- > 0 ? over.text : '');
      }
    };
    for (const cell of cells) {
      fillCovered(false);
      const text = textWithin(cell);
      const [columns, further] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan') - 1];
      for (let column = 0; column < columns; column++) {
        const own = column === 0 || isHeader ? text : '';
        below[texts.length] = { text: own, rows: further };
        texts.push(own);
      }
    }
    fillCovered(true);
    return { texts, isMarked: isHeader || cells.every(isBold) };
  });
  const width = Math.max(0, ...rows.map(({ texts }) => texts.length));
  return rows.map(({ texts, isMarked }) => ({
    texts: [...texts, ...Array<string>(width - texts.length).fill('')],
    isMarked,
  }));
}

function cellsWithin(table: Element): Element[][] {
  return childrenNamed(table, ['tr', 'thead', 'tbody'])
    .flatMap((child) => (child.name === 'tr' ? [child] : childrenNamed(child, ['tr'])))
    .map((row) => childrenNamed(row, ['td', 'th']));
}

function childrenNamed({ children }: Element, names: readonly string[]): Element[] {
  return children.filter(isElement).filter(({ name }) => names.includes(name));
}

function spanOf({ attribs }: Element, name: 'colspan' | 'rowspan'): number {
  const span = Number(attribs[name] ?? 1);
  return Number.isInteger(span) && span >= 1 ? Math.min(span, MAX_COLUMNS) : 1;
}

function textWithin(cell: Element): string {
  const inner = (node: Node): string => {
    if (node.type === ElementType.Text) return node.data;
    if (!isElement(node) || node.name === 'table') return ' ';
    const text = node.children.map(inner).join('');
    return /^(?:p|h\d|li|br|ul|ol)$/.test(node.name) ? ` ${text} ` : text;
  };
  return cell.children.map(inner).join('').replace(/\s+/g, ' ').trim();
}

function isElement(node: Node): node is Element {
  return 'attribs' in node;
}

function isBold(cell: Element): boolean {
  const strong = DomUtils.getElementsByTagName('strong', cell.children);
  const letters = textWithin(cell).replace(/\s/g, '');
  return letters !== '' && DomUtils.textContent(strong).replace(/\s/g, '') === letters;
}
