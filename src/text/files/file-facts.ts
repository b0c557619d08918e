import { isHtml } from '../documents/html.ts';
import { UnreadableFileError } from '../errors.ts';

export type FileKind = 'Text' | 'Markdown' | 'Web page' | 'PDF' | 'Word';

const BY_ENDING: Readonly<Record<string, FileKind>> = {
  '.txt': 'Text',
  '.md': 'Markdown',
  '.markdown': 'Markdown',
  '.html': 'Web page',
  '.htm': 'Web page',
  '.pdf': 'PDF',
  '.docx': 'Word',
};

export const FILE_ENDINGS: readonly string[] = Object.keys(BY_ENDING);

export const MAX_FILE_BYTES = 100_000_000;
/** Time for one file: the thread that reads it is ended then. */
export const MAX_FILE_MILLISECONDS = 120_000;
const SAMPLE = 60_000;
const HEAD = 2048;

/**
 * The kind of a file, from its first bytes if they are unambiguous, else from its name.
 * @throws UnreadableFileError if the kind is not supported
 */
export function fileKind(name: string, bytes: Uint8Array): FileKind {
  const ending = /\.[^.\s]+$/.exec(name)?.[0].toLowerCase() ?? '';
  const named = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : null;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, SAMPLE));
  if (head.startsWith('%PDF-')) return 'PDF';
  if (head.startsWith('PK\u0003\u0004') && countOf(bytes, 'word/document', 1) > 0) return 'Word';
  // A README may begin with markup; a damaged file is reported by its reader.
  if (named === 'PDF' || named === 'Word' || named === 'Markdown') return named;
  const isUnread = head.startsWith('{\\rtf') || (named === null && decodeStrictly(bytes) === null);
  if (isUnread) throw new UnreadableFileError(unsupported(head.startsWith('{\\rtf') ? '.rtf' : ending));
  return isHtml(decode(bytes.subarray(0, SAMPLE), true)) ? 'Web page' : (named ?? 'Text');
}

function unsupported(ending: string): string {
  if (ending === '.doc') return 'The old Word format (.doc) is not supported. Save it as .docx.';
  const files = ending === '' ? 'Files of this type' : `${ending} files`;
  return `${files} are not supported. Use text, Markdown, HTML, PDF or Word (.docx).`;
}

/** How often an ASCII string occurs, up to `most`: archives store the names of their files uncompressed. */
export function countOf(bytes: Uint8Array, name: string, most = Infinity): number {
  const codes = new TextEncoder().encode(name);
  let count = 0;
  for (let at = bytes.indexOf(codes[0]); at >= 0 && count < most; at = bytes.indexOf(codes[0], at + 1)) {
    if (codes.every((code, n) => bytes[at + n] === code)) count++;
  }
  return count;
}

/**
 * The text of a file: by its byte order mark, else as UTF-8, else by the encoding that a web page names, else as Windows-1252.
 * @throws UnreadableFileError if the bytes are not text
 */
export function decodeText(bytes: Uint8Array, isMarkup: boolean): string {
  const text = decode(bytes, isMarkup);
  if (text.includes('\0')) throw new UnreadableFileError('This is not a text file, despite its name.');
  return text;
}

function decode(bytes: Uint8Array, isMarkup: boolean): string {
  const label = markOf(bytes);
  if (label !== null) return new TextDecoder(label).decode(bytes);
  return decodeStrictly(bytes) ?? new TextDecoder((isMarkup && namedEncoding(bytes)) || 'windows-1252').decode(bytes);
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(markOf(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function namedEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  const name = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  try {
    return name === undefined ? null : new TextDecoder(name).encoding;
  } catch {
    return null;
  }
}

/** A longer heading is text, not a title. */
const MAX_HEADING_LENGTH = 1000;

export function firstHeading(text: string): string | null {
  const heading = /^#\s+(.+)$/m.exec(text.slice(0, 2000))?.[1].trim() ?? '';
  return heading !== '' && heading.length <= MAX_HEADING_LENGTH ? heading : null;
}

export function titleOf(path: string, text: string): string {
  return firstHeading(text) ?? path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
