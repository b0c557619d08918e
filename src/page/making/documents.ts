import type { SourceDocument } from '../../client/index.ts';
import { wellFormed } from './draft.ts';

export type Fields = Omit<SourceDocument, 'id'>;

/** Adds a document under an id of its own. */
export function withDocument(documents: readonly SourceDocument[], fields: Fields): SourceDocument[] {
  const taken = new Set(documents.map(({ id }) => id));
  return [
    ...documents,
    { id: idFor(fields.title ?? fields.url ?? '', taken), ...fields, text: wellFormed(fields.text) },
  ];
}

/** Max characters of an id before its number. */
const LONGEST = 60;

export function idFor(title: string, taken: ReadonlySet<string>): string {
  const hyphenated = wellFormed(title)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const base =
    [...hyphenated]
      .slice(0, LONGEST)
      .join('')
      .replace(/^-+|-+$/g, '') || 'document';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}

export function isAddress(text: string): boolean {
  return /^\s*https?:\/\/\S+\s*$/i.test(text);
}

/** Max length of a title made from pasted text. */
const TITLE = { characters: 100, words: 6 };

/** An address alone is a document that the service fetches. Else the title is the first line if that is short and others follow, else the first words. */
export function pastedDocument(text: string): Fields {
  if (isAddress(text)) return { text: '', url: text.trim() };
  const [first = '', ...others] = text.trim().split(/[\r\n]+/);
  const line = first.replace(/^#+\s+/, '').trim();
  if (line !== '' && line.length <= TITLE.characters && others.length > 0) return { text, title: wellFormed(line) };
  const opening = line.split(/\s+/);
  const title = opening.slice(0, TITLE.words).join(' ').slice(0, TITLE.characters);
  return { text, title: wellFormed(`${title}${opening.length > TITLE.words ? '…' : ''}`) };
}
