import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import JSZip from 'jszip';
import mammoth from 'mammoth';
import { UnreadableFileError } from '../errors.ts';
import { countOf } from './file-facts.ts';
import { markupText } from './markup-text.ts';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<Node, { readonly attribs: unknown }>;

interface Row {
  readonly texts: readonly string[];
  readonly isMarked: boolean;
}

/** Of parts, and of those with text in bytes and tags, each of which takes about a kilobyte. */
const MOST = { parts: 20_000, bytes: 100_000_000, tags: 1_000_000 };
const TOO_LARGE = 'It has more than 100 MB, a million tags or 20,000 parts, unpacked; split it.';
/** Parts that may hold text or say how to read it. */
const TEXT_PART = /\.(?:xml|rels)$|^mammoth\/|\/$/i;
const MAX_COLUMNS = 100;
const FIGURE = /\p{N}/u;
const AMOUNT = /^[\p{Sc}+\u2212-]?\s*\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * The text of a Word document (.docx), with headings, lists and tables marked as in Markdown.
 * @throws UnreadableFileError
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  try {
    const buffer = await textParts(bytes);
    const input = { arrayBuffer: buffer, buffer }; // the one is read in browsers, the other on Node
    const { value } = await mammoth.convertToHtml(
      input,
      // Skip images.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return wordText(value);
  } catch (cause) {
    if (cause instanceof UnreadableFileError) throw cause;
    throw new UnreadableFileError('This is not a valid Word document (.docx).', { cause });
  }
}

/** jszip documents this method; its types leave it out. */
interface Part {
  internalStream(type: 'uint8array'): JSZip.JSZipStreamHelper<Uint8Array>;
}

/** The parts that may hold text, still compressed. Each is inflated to be counted, as archives lie about sizes, and not kept. */
async function textParts(bytes: Uint8Array): Promise<ArrayBuffer> {
  if (countOf(bytes, 'PK\u0001\u0002') > MOST.parts) throw new UnreadableFileError(TOO_LARGE);
  const zip = await JSZip.loadAsync(bytes);
  const left = { ...MOST };
  const countPart = (part: Part) =>
    new Promise<void>((resolve, reject) => {
      const inflating = part.internalStream('uint8array').on('error', reject).on('end', resolve);
      inflating.on('data', (chunk) => {
        left.bytes -= chunk.length;
        left.tags -= countOf(chunk, '<');
        if (left.bytes >= 0 && left.tags >= 0) return;
        inflating.pause();
        reject(new UnreadableFileError(TOO_LARGE));
      });
      inflating.resume();
    });
  for (const part of Object.values(zip.files)) {
    if (!TEXT_PART.test(part.name)) zip.remove(part.name);
    else if (!part.dir) await countPart(part as unknown as Part);
  }
  return zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' });
}

/** The text of a document that mammoth made markup. A cell that spans rows is repeated; one that spans columns only if it is a header. */
export function wordText(markup: string): string {
  const parts = parseDocument(markup).children.map((node) => {
    const isTable = isElement(node) && node.name === 'table' && cellsWithin(node).some((cells) => cells.length > 1);
    if (!isTable) return DomUtils.getOuterHTML(node);
    return DomUtils.getElementsByTagName('table', node).map(plainTable).join('');
  });
  return markupText(parts.join(''));
}

/** A table without spans, one row of headers at most, and its titles before it. */
function plainTable(table: Element): string {
  const rows = rowsOf(table).filter(({ texts }) => texts.some((text) => text !== ''));
  const titles = rows.findIndex((row, n) => n === rows.length - 1 || !isTitle(row));
  const shown = rows.slice(titles);
  const depth = headerDepth(shown);
  const header = (shown[0]?.texts ?? []).map((_, column) =>
    [...new Set(shown.slice(0, depth).map(({ texts }) => texts[column]))].join(' ').trim(),
  );
  const elements = (name: string, texts: readonly string[]) =>
    texts.map((text) => `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`).join('');
  const lines = [
    ...(depth > 0 ? [elements('th', header)] : []),
    ...shown.slice(depth).map(({ texts }) => elements('td', texts)),
  ];
  const before = rows.slice(0, titles).map(({ texts }) => texts[0]);
  return `${elements('p', before)}<table>${lines.map((line) => `<tr>${line}</tr>`).join('')}</table>`;
}

function isTitle({ texts }: Row): boolean {
  return texts.length > 1 && texts[0] !== '' && texts.slice(1).every((text) => text === '');
}

/** Number of header rows: those marked, or the first if it reads like one. In two columns, which may name rows, it stands above figures. */
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
      while (texts.length < Math.min(below.length, MAX_COLUMNS) && (isEnd || (below[texts.length]?.rows ?? 0) > 0)) {
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
  const width = rows.reduce((most, { texts }) => Math.max(most, Math.min(texts.length, MAX_COLUMNS)), 0);
  return rows.map(({ texts, isMarked }) => ({
    texts: [...texts, ...Array<string>(Math.max(0, width - texts.length)).fill('')],
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
  const letters = textWithin(cell).replace(/\s/g, '');
  return letters !== '' && boldWithin(cell).replace(/\s/g, '') === letters;
}

/** The bold text of a cell, without that of tables in it. */
function boldWithin({ name, children }: Element): string {
  if (name === 'strong') return DomUtils.textContent(children);
  return name === 'table' ? '' : children.filter(isElement).map(boldWithin).join('');
}
