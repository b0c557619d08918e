import { isHtml } from '../text/index.ts';

/** What a file is read as. */
type FileKind = 'PDF' | 'Word document' | 'web page' | 'text';

const BY_ENDING: Readonly<Record<string, FileKind>> = {
  '.txt': 'text',
  '.md': 'text',
  '.markdown': 'text',
  '.html': 'web page',
  '.htm': 'web page',
  '.pdf': 'PDF',
  '.docx': 'Word document',
};

/** Endings of the files that are taken from folders. */
export const ENDINGS: readonly string[] = Object.keys(BY_ENDING);

/** How each kind would have to be named. */
const ENDING_OF: Readonly<Record<FileKind, string>> = {
  PDF: '.pdf',
  'Word document': '.docx',
  'web page': '.html',
  text: '.txt',
};

/** What a file of another kind would have to be saved as. */
const UNREAD: Readonly<Record<string, string>> = {
  '.doc': 'the old Word format is not read; save it as .docx',
  '.odt': 'OpenDocument is not read; save it as .docx',
  '.rtf': 'RTF is not read; save it as .docx',
  '.epub': 'EPUB is not read; save it as .html',
};
const ZIP = 'a ZIP archive, such as .xlsx or .odt, is not read; save what it holds as .docx, .pdf or .txt';
const BINARY = 'binary data, which holds no text to read; leave it out';

/** Bytes at the beginning that tell text from what is none. */
const SAMPLE = 60_000;

/**
 * The kind of a file by its first bytes and the ending of its name.
 *
 * @param ending in lower case, with its dot; empty where there is no name
 * @returns why it is not read, and what to do, where its kind is not read or is another than its name says
 */
export function fileKind(ending: string, bytes: Uint8Array): FileKind | { readonly problem: string } {
  const named = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : null;
  const held = kindOfBytes(bytes);
  const isRead = named !== null || !Object.hasOwn(UNREAD, ending);
  if (typeof held === 'string' && isElse(held, named, isRead))
    return { problem: `holds a ${held}, whatever its name says; name it ${ENDING_OF[held]}` };
  if (!isRead) return { problem: UNREAD[ending] };
  // What is damaged is told by who reads it; not every web page looks like one.
  if (named !== null && (isPacked(named) || (named === 'web page' && held === 'text'))) return named;
  return held;
}

/** Whether a file is certainly something else than its name says. A web page that is called a text is read as one. */
function isElse(held: FileKind, named: FileKind | null, isRead: boolean): boolean {
  if (isPacked(held)) return named === null ? !isRead : named !== held;
  return held === 'web page' && named !== null && isPacked(named);
}

function isPacked(kind: FileKind): boolean {
  return kind === 'PDF' || kind === 'Word document';
}

function kindOfBytes(bytes: Uint8Array): FileKind | { readonly problem: string } {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, SAMPLE));
  if (head.startsWith('%PDF-')) return 'PDF';
  if (head.startsWith('PK\u0003\u0004')) return holds(bytes, 'word/document') ? 'Word document' : { problem: ZIP };
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0')) return { problem: UNREAD['.doc'] };
  if (head.startsWith('{\\rtf')) return { problem: UNREAD['.rtf'] };
  // UTF-16 has a mark, and is told as what it is by who decodes it.
  if (head.includes('\0') && !/^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(head)) return { problem: BINARY };
  return isHtml(new TextDecoder().decode(bytes.subarray(0, SAMPLE))) ? 'web page' : 'text';
}

/** Whether ASCII characters stand in bytes: an archive has the names of its files as they are. */
function holds(bytes: Uint8Array, name: string): boolean {
  const codes = new TextEncoder().encode(name);
  for (let at = bytes.indexOf(codes[0]); at >= 0; at = bytes.indexOf(codes[0], at + 1)) {
    if (codes.every((code, n) => bytes[at + n] === code)) return true;
  }
  return false;
}
