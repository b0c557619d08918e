import type { ComponentChild } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { counted, kindOf, nameOf, wordsOf } from './document-facts.ts';
import { LongList } from './long-list.tsx';
import type { Documents } from './use-documents.ts';

interface DocumentListProps {
  readonly documents: Documents;
  /** What is wrong with documents. */
  readonly troubles: ReadonlyMap<SourceDocument, string>;
  /** A document to lead to. */
  readonly sought: SourceDocument | null;
  readonly onFound: () => void;
}

/** The documents that were put together, each to be changed or taken out. */
export function DocumentList({ documents, troubles, sought, onFound }: DocumentListProps) {
  const [edited, edit] = useState<SourceDocument | null>(null);
  const [before, setBefore] = useState<readonly SourceDocument[] | null>(null);
  const announce = useAnnounce();
  const box = useRef<HTMLDivElement>(null);
  const { list } = documents;
  const place = sought === null ? -1 : list.indexOf(sought);
  const found = useRef(onFound);
  found.current = onFound;
  useEffect(() => {
    if (place < 0) return;
    return focusWhenThere(() => box.current?.querySelector(`[data-place="${place}"] button`), found);
  }, [place]);

  const take = (left: readonly SourceDocument[], told: string): void => {
    setBefore(list);
    documents.put(left);
    announce(told);
    box.current?.focus();
  };
  const row = (document: SourceDocument, index: number): ComponentChild => (
    <DocumentRow
      place={index}
      document={document}
      trouble={troubles.get(document) ?? null}
      onEdit={() => edit(document)}
      onRemove={() =>
        take(
          list.filter(({ id }) => id !== document.id),
          `Removed ${nameOf(document)}.`,
        )
      }
    />
  );
  return (
    // Focus goes here from a row that is taken out.
    <div ref={box} tabIndex={-1} class="making-documents">
      {list.length > 0 && (
        <>
          <LongList label="Documents" items={list} keyOf={({ id }) => id} render={row} estimate={62} show={place} />
          <button type="button" class="plain" onClick={() => take([], 'Removed all documents.')}>
            Remove all
          </button>
        </>
      )}
      {before !== null && before.length > list.length && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            documents.put(before);
            setBefore(null);
            announce('Put back.');
            box.current?.focus();
          }}
        >
          Put back {counted(before.length - list.length, 'document')}
        </button>
      )}
      {edited !== null && (
        <DocumentEditor
          key={edited.id}
          document={edited}
          onSave={(fields) => documents.edit(edited, fields)}
          onClose={() => edit(null)}
        />
      )}
    </div>
  );
}

/** Frames in which a row comes that is scrolled to. */
const FRAMES = 30;

/** Focuses an element as soon as it is drawn, and says so; the function that it returns gives it up. */
function focusWhenThere(
  find: () => HTMLElement | null | undefined,
  told: { readonly current: () => void },
): () => void {
  let frame = 0;
  const look = (left: number): void => {
    const element = find();
    if (element == null && left > 0) {
      frame = requestAnimationFrame(() => look(left - 1));
      return;
    }
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
    told.current();
  };
  look(FRAMES);
  return () => cancelAnimationFrame(frame);
}

interface DocumentRowProps {
  readonly place: number;
  readonly document: SourceDocument;
  readonly trouble: string | null;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function DocumentRow({ place, document, trouble, onEdit, onRemove }: DocumentRowProps) {
  const name = nameOf(document);
  const wrong = useId();
  return (
    <div class="making-document" data-place={place}>
      <div class="making-document-facts">
        <p class="making-document-name">{name}</p>
        <p class="muted">
          {kindOf(document)} · {counted(wordsOf(document), 'word')}
          {document.publishedAt !== undefined && (
            <>
              {' · '}
              <time dateTime={document.publishedAt}>{document.publishedAt.slice(0, 10)}</time>
            </>
          )}
        </p>
        {trouble !== null && (
          <p id={wrong} class="making-wrong">
            ⚠ {trouble}
          </p>
        )}
      </div>
      <button
        type="button"
        onClick={onEdit}
        aria-label={`Edit ${name}`}
        aria-describedby={trouble === null ? undefined : wrong}
      >
        Edit
      </button>
      <button type="button" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </button>
    </div>
  );
}
