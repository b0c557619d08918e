import mammoth from 'mammoth';
import { type MarkedLine, readHtml } from '../../text/index.ts';
import { tableText } from './docx-table.ts';
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

/** Text and tables in turn; mammoth parts tables by their tags alone, and what stands in a document is escaped. */
function textOfMarkup(markup: string): string {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: tag, index } of markup.matchAll(/<\/?table\b[^>]*>/g)) {
    const isOpening = tag[1] !== '/';
    if (isOpening && depth++ === 0) {
      parts.push(proseText(markup.slice(from, index)));
      from = index;
    } else if (!isOpening && --depth === 0) {
      const table = markup.slice(from, index + tag.length);
      parts.push(tableText(table) ?? proseText(table));
      from = index + tag.length;
    }
  }
  parts.push(proseText(markup.slice(from)));
  return parts.filter((part) => part !== '').join('\n\n');
}

function proseText(markup: string): string {
  const { view, lines } = readHtml(markup);
  return lines.map((line) => marked(view, line)).join('\n\n');
}

function marked(view: string, { kind, start, end, level = 1, indent }: MarkedLine): string {
  const text = view.slice(start, end).replaceAll('\ufeff', '').replace(/\s+/g, ' ').trim();
  if (kind === 'heading') return `${'#'.repeat(level)} ${text}`;
  return kind === 'item' ? `${'  '.repeat(Math.max(0, indent - 1))}- ${text}` : text;
}
