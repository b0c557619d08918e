import type { SourceDocument } from '../../client/index.ts';
import type { FileKind } from '../../text/index.ts';

/** What a document was made of, or that it belongs to the example. */
export type Kind = FileKind | 'Example';

/** Words with what belongs to them; scripts that write without spaces count by character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}'’._-]*/gu;

/** How many words a text has, about. */
export function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count++;
  return count;
}

/** Kinds are no part of a document, which is sent as it stands. */
const kinds = new WeakMap<SourceDocument, Kind>();
const words = new WeakMap<SourceDocument, number>();

/** Notes what a document was made of. */
export function ofKind(document: SourceDocument, kind: Kind): SourceDocument {
  kinds.set(document, kind);
  return document;
}

/** What a document was made of; text where nobody noted it. */
export function kindOf(document: SourceDocument): Kind {
  return kinds.get(document) ?? 'Text';
}

/** How many words a document has, counted once. */
export function wordsOf(document: SourceDocument): number {
  const known = words.get(document) ?? countWords(document.text);
  words.set(document, known);
  return known;
}

/** What a document is called in the view. */
export function nameOf({ title, id }: SourceDocument): string {
  return title?.trim() || id;
}

/** A number with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
