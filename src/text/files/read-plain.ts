import type { SourceDocument } from '../documents/document.ts';
import { UnreadableFileError } from '../errors.ts';
import { decodeText } from './decode-text.ts';
import { countOf, type FileKind, firstHeading } from './file-facts.ts';
import { markupText, pageFacts } from './markup-text.ts';

/** Each takes a fifth of a kilobyte. */
const MAX_TAGS = 4_000_000;

/** A document without an id. Title: the web page's, else the first heading, else absent. */
export type ReadDocument = Omit<SourceDocument, 'id'>;

/**
 * Reads text, Markdown and web pages, which needs no further library; null for other kinds.
 * @param charset the encoding that the sender names
 * @throws UnreadableFileError
 */
export function readPlain(kind: FileKind, bytes: Uint8Array, charset?: string): ReadDocument | null {
  if (kind === 'Text' || kind === 'Markdown') return withHeading(decodeText(bytes, { isMarkup: false, charset }));
  if (kind !== 'Web page') return null;
  if (countOf(bytes, '<') > MAX_TAGS) throw new UnreadableFileError('It has over four million tags; split it.');
  const markup = decodeText(bytes, { isMarkup: true, charset });
  return { ...withHeading(markupText(markup)), ...pageFacts(markup) };
}

export function withHeading(text: string): ReadDocument {
  const title = firstHeading(text);
  return title === null ? { text } : { title, text };
}

/** @throws UnreadableFileError if it is empty, or none of it is text */
export function readable(document: ReadDocument): ReadDocument {
  if (document.text.trim() === '') throw new UnreadableFileError('No text was found in it.');
  return document;
}
