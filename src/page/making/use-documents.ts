import { useMemo, useRef } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { useWorkspace } from '../workspace.tsx';
import type { Kind } from './document-facts.ts';
import { kindOf, ofKind } from './document-facts.ts';
import { idFor } from './document-ids.ts';

type Fields = Omit<SourceDocument, 'id'>;

/** The documents of the workspace, and what can be done with them. */
export interface Documents {
  readonly list: readonly SourceDocument[];
  /** Adds one with an id of its own. */
  add(document: Fields, kind: Kind): void;
  /** Puts other fields in the place of a document's. */
  edit(document: SourceDocument, fields: Fields): void;
  /** The list as it is by now, also where it was not drawn since. */
  latest(): readonly SourceDocument[];
  /** Puts another list in the place of this one. */
  put(documents: readonly SourceDocument[]): void;
}

export function useDocuments(): Documents {
  const { documents: list, change } = useWorkspace();
  // Files that are read one after the other change it before it is drawn again.
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
