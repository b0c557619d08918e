import mammoth from 'mammoth';
import { readHtml } from '../documents/html.ts';
import type { MarkedLine } from '../documents/marked-lines.ts';
import { UnreadableFileError } from './read-files.node.ts';

/**
 * The text of a Word document (.docx): headings, lists and tables are marked as in Markdown, and nothing else is.
 *
 * @throws UnreadableFileError
 */
export async function docxText(path: string, bytes: Uint8Array): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      // Pictures are no text.
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    return textOfMarkup(value);
  } catch (cause) {
    throw new UnreadableFileError(`${path}: no Word document (.docx), or it is damaged.`, { cause });
  }
}

function textOfMarkup(markup: string): string {
  const { view, lines } = readHtml(markup);
  return lines
    .map((line, index) => {
      const text = marked(view, line);
      if (line.kind !== 'table') return `\n${text}`;
      // The first row names the columns, as Markdown has it.
      return lines[index - 1]?.kind === 'table' ? text : `\n${text}\n|${' --- |'.repeat(line.row?.cells.length ?? 1)}`;
    })
    .join('\n')
    .trim();
}

function marked(view: string, { kind, start, end, level = 1, indent, row }: MarkedLine): string {
  const words = (from: number, to: number) => view.slice(from, to).replaceAll('\ufeff', '').replace(/\s+/g, ' ').trim();
  const text = words(start, end);
  if (kind === 'heading') return `${'#'.repeat(level)} ${text}`;
  if (kind === 'item') return `${'  '.repeat(Math.max(0, indent - 1))}- ${text}`;
  if (row === undefined) return text;
  return `| ${row.cells.map((cell) => words(cell.start, cell.end).replaceAll('|', '/')).join(' | ')} |`;
}
