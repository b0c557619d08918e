import { isHtml } from '../documents/html.ts';
import { UnreadableFileError } from '../errors.ts';
import { isText, latin, openingOfText } from './decode-text.ts';

export type FileKind = 'Text' | 'Markdown' | 'Web page' | 'PDF' | 'Word' | 'PowerPoint' | 'Excel' | 'CSV' | 'Mail';

const BY_ENDING: Readonly<Record<string, FileKind>> = {
  '.txt': 'Text',
  '.md': 'Markdown',
  '.markdown': 'Markdown',
  '.html': 'Web page',
  '.htm': 'Web page',
  '.pdf': 'PDF',
  '.docx': 'Word',
  '.pptx': 'PowerPoint',
  '.xlsx': 'Excel',
  '.csv': 'CSV',
  '.tsv': 'CSV',
  '.eml': 'Mail',
};

export const FILE_ENDINGS: readonly string[] = Object.keys(BY_ENDING);

export const MAX_FILE_BYTES = 100_000_000;
/** Time for one file: the thread that reads it is ended then. */
export const MAX_FILE_MILLISECONDS = 120_000;
const HEAD = 2048;
/** Headers of mails that many servers passed on are long. */
const MAIL_HEAD = 32_000;
/** Names of parts in archives of each kind. */
const PARTS = [
  ['word/document', 'Word'],
  ['ppt/presentation.xml', 'PowerPoint'],
  ['xl/workbook.xml', 'Excel'],
] as const;

/**
 * The kind of a file, from its first bytes if they are unambiguous, else from its name.
 * @throws UnreadableFileError if the kind is not supported
 */
export function fileKind(name: string, bytes: Uint8Array): FileKind {
  const ending = /\.[^.\s]+$/.exec(name)?.[0].toLowerCase() ?? '';
  const named = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : null;
  const head = latin(bytes, HEAD);
  if (head.startsWith('%PDF-')) return 'PDF';
  const archived = head.startsWith('PK\u0003\u0004') && PARTS.find(([part]) => countOf(bytes, part, 1) > 0);
  if (archived) return archived[1];
  // A README may begin with markup; a damaged file is reported by its reader.
  if (named !== null && named !== 'Text' && named !== 'Web page') return named;
  const isUnread = head.startsWith('{\\rtf') || (named === null && !isText(bytes));
  if (isUnread) throw new UnreadableFileError(unsupported(head.startsWith('{\\rtf') ? '.rtf' : ending));
  if (named === null && isMail(latin(bytes, MAIL_HEAD))) return 'Mail';
  return isHtml(openingOfText(bytes)) ? 'Web page' : (named ?? 'Text');
}

/** Fields of a mail in its first lines; a text that only quotes one has no version of MIME. */
function isMail(head: string): boolean {
  const [fields] = head.split(/\r?\n\r?\n/, 1);
  const areFields = fields.split(/\r?\n/).every((line) => /^[!-9;-~]+:|^[ \t]/.test(line));
  return areFields && /^From:/im.test(fields) && /^(?:MIME-Version|Message-ID):/im.test(fields);
}

const OLD_FORMATS: Readonly<Record<string, string>> = { '.doc': 'Word', '.ppt': 'PowerPoint', '.xls': 'Excel' };

function unsupported(ending: string): string {
  const old = Object.hasOwn(OLD_FORMATS, ending) ? OLD_FORMATS[ending] : null;
  if (old !== null) return `The old ${old} format (${ending}) is not supported. Save it as ${ending}x.`;
  const files = ending === '' ? 'Files of this type' : `${ending} files`;
  return `${files} are not supported. Use text, Markdown, HTML, PDF, Word, PowerPoint, Excel (.docx, .pptx, .xlsx), CSV or mail (.eml).`;
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

/** A longer heading is text, not a title. */
const MAX_HEADING_LENGTH = 1000;

export function firstHeading(text: string): string | null {
  const heading = /^#\s+(.+)$/m.exec(text.slice(0, 2000))?.[1].trim() ?? '';
  return heading !== '' && heading.length <= MAX_HEADING_LENGTH ? heading : null;
}

export function titleOf(path: string, text: string): string {
  return firstHeading(text) ?? path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
