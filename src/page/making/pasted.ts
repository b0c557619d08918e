import type { SourceDocument } from '../../client/index.ts';
import { wellFormed } from './well-formed.ts';

/** A line of at most so many characters that other lines follow is a title. */
const MAX_TITLE = 100;
/** Words that stand for a text without a title. */
const WORDS = 6;

/** A pasted text as a document: its first line is the title where it looks like one, and its first words are elsewhere. */
export function pastedDocument(text: string): Omit<SourceDocument, 'id'> {
  const [first = '', ...others] = text.trim().split(/[\r\n]+/);
  const line = first.replace(/^#+\s+/, '').trim();
  const hasTitle = line !== '' && line.length <= MAX_TITLE && others.length > 0;
  const words = line.split(/\s+/);
  const opening = words.slice(0, WORDS).join(' ').slice(0, MAX_TITLE);
  return { text, title: wellFormed(hasTitle ? line : `${opening}${words.length > WORDS ? '…' : ''}`) };
}
