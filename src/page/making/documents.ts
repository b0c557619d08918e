import { useMemo, useRef } from 'preact/hooks';
import type { DigestInput, SourceDocument } from '../../client/index.ts';
import { countWords, type FileKind } from '../../text/index.ts';
import { useWorkspace } from '../context.tsx';

type Kind = FileKind | 'Example';
export type Fields = Omit<SourceDocument, 'id'>;

export interface Documents {
  readonly list: readonly SourceDocument[];
  add(fields: Fields, kind: Kind): void;
  edit(document: SourceDocument, fields: Fields): void;
  /** The current list, even before it is rendered. */
  latest(): readonly SourceDocument[];
  put(documents: readonly SourceDocument[]): void;
}

export function useDocuments(): Documents {
  const { documents: list, change } = useWorkspace();
  // Reading several files changes the list before it is rendered.
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

/** Kept apart, since documents are sent as they are. */
const kinds = new WeakMap<SourceDocument, Kind>();
const words = new WeakMap<SourceDocument, number>();
/** Documents of digests that the service has accepted. */
const made = new WeakSet<object>();

export function ofKind(document: SourceDocument, kind: Kind): SourceDocument {
  kinds.set(document, kind);
  return document;
}

export function kindOf(document: SourceDocument): Kind {
  return kinds.get(document) ?? 'Text';
}

export function wordsOf(document: SourceDocument): number {
  const known = words.get(document) ?? countWords(document.text);
  words.set(document, known);
  return known;
}

export function nameOf({ title, id }: SourceDocument): string {
  return title?.trim() || id;
}

export function markMade(documents: DigestInput['documents']): void {
  for (const document of documents ?? []) if (typeof document === 'object') made.add(document);
}

export function hasUnmade(documents: readonly SourceDocument[]): boolean {
  return documents.some((document) => !made.has(document) && kindOf(document) !== 'Example');
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

/** Removes lone surrogates, which cannot be sent. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

/** Max length of a title made from pasted text. */
const TITLE = { characters: 100, words: 6 };

/** The title is the first line if that is short and others follow, else the first words. */
export function pastedDocument(text: string): Fields {
  const [first = '', ...others] = text.trim().split(/[\r\n]+/);
  const line = first.replace(/^#+\s+/, '').trim();
  if (line !== '' && line.length <= TITLE.characters && others.length > 0) return { text, title: wellFormed(line) };
  const opening = line.split(/\s+/);
  const title = opening.slice(0, TITLE.words).join(' ').slice(0, TITLE.characters);
  return { text, title: wellFormed(`${title}${opening.length > TITLE.words ? '…' : ''}`) };
}

export interface Removed {
  readonly document: SourceDocument;
  readonly at: number;
}

/** Restores removed documents to their places, with new ids if theirs are taken. */
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
