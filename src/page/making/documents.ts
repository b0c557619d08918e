import { useMemo, useRef } from 'preact/hooks';
import type { DigestInput, SourceDocument } from '../../client/index.ts';
import { countWords, type FileKind } from '../../text/index.ts';
import { useWorkspace } from '../context.tsx';

/** The origin of a document. */
type Kind = FileKind | 'Example';
export type Fields = Omit<SourceDocument, 'id'>;

/** The documents of the workspace. */
export interface Documents {
  readonly list: readonly SourceDocument[];
  /** Adds a document with a new id. */
  add(fields: Fields, kind: Kind): void;
  /** Replaces the fields of a document. */
  edit(document: SourceDocument, fields: Fields): void;
  /** The current list, even if it was not rendered yet. */
  latest(): readonly SourceDocument[];
  /** Replaces the list. */
  put(documents: readonly SourceDocument[]): void;
}

export function useDocuments(): Documents {
  const { documents: list, change } = useWorkspace();
  // Files that are read one after the other change the list before it is rendered.
  const latest = useRef(list);
  latest.current = list;
  return useMemo(() => {
    const put = (documents: readonly SourceDocument[]): void => {
      latest.current = documents;
      change({ documents });
    };
    return {
      list,
      put,
      add(fields, kind) {
        const taken = new Set(latest.current.map(({ id }) => id));
        put([...latest.current, ofKind({ id: idFor(fields.title ?? '', taken), ...fields }, kind)]);
      },
      edit(document, fields) {
        const edited = ofKind({ id: document.id, ...fields }, kindOf(document));
        put(latest.current.map((each) => (each.id === document.id ? edited : each)));
      },
      latest: () => latest.current,
    };
  }, [list, change]);
}

/** Kinds are kept aside, since documents are sent as they are. */
const kinds = new WeakMap<SourceDocument, Kind>();
const words = new WeakMap<SourceDocument, number>();
/** Documents of digests that the service has accepted. */
const made = new WeakSet<object>();

/** Records what a document was made of. */
export function ofKind(document: SourceDocument, kind: Kind): SourceDocument {
  kinds.set(document, kind);
  return document;
}

/** What a document was made of; text by default. */
export function kindOf(document: SourceDocument): Kind {
  return kinds.get(document) ?? 'Text';
}

/** The number of words of a document, counted once. */
export function wordsOf(document: SourceDocument): number {
  const known = words.get(document) ?? countWords(document.text);
  words.set(document, known);
  return known;
}

/** The title of a document; its id if it has none. */
export function nameOf({ title, id }: SourceDocument): string {
  return title?.trim() || id;
}

/** Records that the service has accepted a digest of these documents. */
export function markMade(documents: DigestInput['documents']): void {
  for (const document of documents ?? []) if (typeof document === 'object') made.add(document);
}

/** Whether there are documents that would be lost with the page. */
export function hasUnmade(documents: readonly SourceDocument[]): boolean {
  return documents.some((document) => !made.has(document) && kindOf(document) !== 'Example');
}

/** Characters of an id before the number that makes it unique. */
const LONGEST = 60;

/** A readable id from a title, different from those that are taken. */
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

/** A text without halves of characters, which cannot be sent. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

/** Bounds of a title that is made of a pasted text. */
const TITLE = { characters: 100, words: 6 };

/** A pasted text as a document. Its title is its first line if that is short and others follow, else its first words. */
export function pastedDocument(text: string): Fields {
  const [first = '', ...others] = text.trim().split(/[\r\n]+/);
  const line = first.replace(/^#+\s+/, '').trim();
  if (line !== '' && line.length <= TITLE.characters && others.length > 0) return { text, title: wellFormed(line) };
  const opening = line.split(/\s+/);
  const title = opening.slice(0, TITLE.words).join(' ').slice(0, TITLE.characters);
  return { text, title: wellFormed(`${title}${opening.length > TITLE.words ? '…' : ''}`) };
}

/** A document that was removed, and its place. */
export interface Removed {
  readonly document: SourceDocument;
  readonly at: number;
}

/** Puts removed documents back in their places, with other ids if theirs are taken by now. */
export function putBack(list: readonly SourceDocument[], removed: readonly Removed[]): SourceDocument[] {
  const all = [...list];
  const taken = new Set(list.map(({ id }) => id));
  for (const { document, at } of removed) {
    const own = taken.has(document.id)
      ? ofKind({ ...document, id: idFor(document.title ?? '', taken) }, kindOf(document))
      : document;
    taken.add(own.id);
    all.splice(at, 0, own);
  }
  return all;
}
