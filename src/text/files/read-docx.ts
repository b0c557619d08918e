import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import mammoth from 'mammoth';
import { markupText } from './markup-text.ts';
import { type Element, type Node, readArchive } from './office-archive.ts';
import { type Row, tableMarkup } from './table-markup.ts';

const MAX_COLUMNS = 100;

/**
 * The text of a Word document (.docx), with headings, lists and tables marked as in Markdown.
 * @throws UnreadableFileError
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  return readArchive(bytes, 'Word document (.docx)', async (zip) => {
    const buffer = await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE' });
    const input = { arrayBuffer: buffer, buffer }; // the one is read in browsers, the other on Node
    const { value } = await mammoth.convertToHtml(
      input,
      // Skip images.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return wordText(value);
  });
}

/** The text of a document that mammoth made markup. A cell that spans rows is repeated; one that spans columns only if it is a header. */
export function wordText(markup: string): string {
  const parts = parseDocument(markup).children.map((node) => {
    const isTable = isElement(node) && node.name === 'table' && cellsWithin(node).some((cells) => cells.length > 1);
    if (!isTable) return DomUtils.getOuterHTML(node);
    return DomUtils.getElementsByTagName('table', node)
      .map((each) => tableMarkup(rowsOf(each)))
      .join('');
  });
  return markupText(parts.join(''));
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
