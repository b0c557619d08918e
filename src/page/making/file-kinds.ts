import { isText } from './decode-text.ts';

/** What a document was made of, or that it belongs to the example. */
export type Kind = 'Example' | 'Text' | 'Markdown' | 'Web page' | 'PDF' | 'Word';

const KINDS: Readonly<Record<string, Kind>> = {
  txt: 'Text',
  md: 'Markdown',
  html: 'Web page',
  htm: 'Web page',
  pdf: 'PDF',
  docx: 'Word',
};

/** What is read, for the `accept` of a choice of files. */
export const ACCEPTED = [...Object.keys(KINDS).map((ending) => `.${ending}`), 'text/*'].join(',');

/** The kind of a file by the end of its name; null where that does not tell. */
export function kindOfFile(name: string): Kind | null {
  const ending = endingOf(name);
  return Object.hasOwn(KINDS, ending) ? KINDS[ending] : null;
}

/** The kind of a file whose name does not tell, by what it holds; null where such files are not read. */
export function kindOfBytes(bytes: Uint8Array): Kind | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 5));
  if (head === '%PDF-') return 'PDF';
  // Of text in which there is more markup than words, nothing can be quoted.
  return head !== '{\\rtf' && isText(bytes) ? 'Text' : null;
}

/** Why files with such a name are not read. */
export function whyNotRead(name: string): string {
  const ending = endingOf(name);
  if (ending === 'doc') return 'The old Word format (.doc) is not supported. Save it as .docx.';
  const files = ending === '' ? 'Files of this type' : `.${ending} files`;
  return `${files} are not supported. Use text, Markdown, HTML, PDF or Word (.docx).`;
}

/** A file's name without its ending. */
export function titleOfFile(name: string): string {
  return name.replace(/\.[^.\s]*$/, '').trim() || name;
}

function endingOf(name: string): string {
  return /\.([^.\s]+)$/.exec(name)?.[1].toLowerCase() ?? '';
}
