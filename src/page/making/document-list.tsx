import type { ComponentChild } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { day } from '../parts/dates.ts';
import { counted, kindOf, nameOf, ofKind, wordsOf } from './document-facts.ts';
import { DocumentFields, type Typed, typedFields } from './document-fields.tsx';
import { idFor } from './document-ids.ts';
import { troubleOfDocument } from './draft.ts';
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
  const [removed, setRemoved] = useState<readonly Removed[]>([]);
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

  const words = list.reduce((sum, document) => sum + wordsOf(document), 0);
  const hasExample = list.some((document) => kindOf(document) === 'Example');

  const take = (isTaken: (document: SourceDocument) => boolean, message: string): void => {
    setRemoved(list.flatMap((document, at) => (isTaken(document) ? [{ document, at }] : [])));
    documents.put(list.filter((document) => !isTaken(document)));
    announce(message);
    box.current?.focus();
  };
  const row = (document: SourceDocument, index: number): ComponentChild => (
    <DocumentRow
      place={index}
      document={document}
      trouble={troubles.get(document) ?? null}
      onEdit={() => edit(document)}
      onRemove={() => take(({ id }) => id === document.id, `Removed ${nameOf(document)}.`)}
    />
  );
  return (
    // Focus goes here from a row that is taken out.
    <div ref={box} tabIndex={-1} class="making-documents">
      {list.length > 0 && (
        <>
          <div class="making-documents-head">
            <h2>
              {counted(list.length, 'document')} <span class="muted">{counted(words, 'word')}</span>
            </h2>
            {hasExample && (
              <button
                type="button"
                class="plain"
                onClick={() => take((document) => kindOf(document) === 'Example', 'Removed the example.')}
              >
                Remove the example
              </button>
            )}
            <button type="button" class="plain" onClick={() => take(() => true, 'Removed all documents.')}>
              Remove all
            </button>
          </div>
          <LongList label="Documents" items={list} keyOf={({ id }) => id} render={row} estimate={48} show={place} />
        </>
      )}
      {removed.length > 0 && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            documents.put(putBack(list, removed));
            setRemoved([]);
            announce('Put back.');
            box.current?.focus();
          }}
        >
          Put back {counted(removed.length, 'document')}
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

/** A document that was taken out, and where it stood. */
interface Removed {
  readonly document: SourceDocument;
  readonly at: number;
}

/** A list with what was taken out of it in its old places, beside what has come and changed since. */
function putBack(list: readonly SourceDocument[], removed: readonly Removed[]): SourceDocument[] {
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
          {kindOf(document) === 'Example' ? <span class="making-example">Example</span> : kindOf(document)} ·{' '}
          {counted(wordsOf(document), 'word')}
          {document.publishedAt !== undefined && (
            <>
              {' · '}
              <time dateTime={document.publishedAt}>{day(document.publishedAt)}</time>
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

interface DocumentEditorProps {
  readonly document: SourceDocument;
  readonly onSave: (fields: Omit<SourceDocument, 'id'>) => void;
  readonly onClose: () => void;
}

/** A document's title, date and text, over the page. */
function DocumentEditor({ document, onSave, onClose }: DocumentEditorProps) {
  const [typed, type] = useState<Typed>(() => ({
    title: document.title ?? '',
    text: document.text,
    date: document.publishedAt?.slice(0, 10) ?? '',
  }));
  const [trouble, setTrouble] = useState<string | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const save = (): void => {
    // Fields for text know one kind of line break only: text that was left alone is left as it was.
    const isSame = typed.text === document.text.replace(/\r\n?/g, '\n');
    const fields = typedFields({ ...typed, text: isSame ? document.text : typed.text });
    const wrong = troubleOfDocument(fields);
    setTrouble(wrong);
    if (wrong !== null) return;
    const { id: _, title, text, publishedAt, ...kept } = document;
    const isSameDate = publishedAt?.slice(0, 10) === typed.date;
    onSave({ ...kept, ...fields, ...(isSameDate && { publishedAt }) });
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="making-editor" aria-labelledby={`${id}-title`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <h2 id={`${id}-title`}>Edit “{nameOf(document)}”</h2>
        <DocumentFields value={typed} onChange={type} rows={16} wrong={trouble === null ? null : id} />
        {trouble !== null && (
          <p id={id} class="making-wrong" role="alert">
            {trouble}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
