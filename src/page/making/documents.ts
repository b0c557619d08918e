import { useMemo, useRef } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { useWorkspace } from '../context.tsx';
import { wellFormed } from './draft.ts';

export type Fields = Omit<SourceDocument, 'id'>;

export interface Documents {
  readonly list: readonly SourceDocument[];
  add(fields: Fields): void;
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
      add(fields) {
        const taken = new Set(latest.current.map(({ id }) => id));
        put([...latest.current, { id: idFor(fields.title ?? '', taken), ...fields, text: wellFormed(fields.text) }]);
      },
      latest: () => latest.current,
    };
  }, [list, change]);
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
