import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { announce } from '../parts/browser.ts';
import { Form, TextArea, TextField } from '../parts/fields.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { count, day } from '../parts/words.ts';
import { type Documents, type Fields, kindOf, nameOf, putBack, type Removed, wordsOf } from './documents.ts';
import { troubleOfDocument } from './draft.ts';

interface DocumentListProps {
  readonly documents: Documents;
  readonly troubles: ReadonlyMap<SourceDocument, string>;
  readonly sought: SourceDocument | null;
}

export function DocumentList({ documents, troubles, sought }: DocumentListProps) {
  const [edited, edit] = useState<SourceDocument | null>(null);
  const [removed, setRemoved] = useState<readonly Removed[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const { list } = documents;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed list is not searched again
  useEffect(() => {
    const row = sought && box.current?.querySelector(`[data-place="${list.indexOf(sought)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector('button')?.focus({ preventScroll: true });
  }, [sought]);

  const words = list.reduce((sum, document) => sum + wordsOf(document), 0);
  const remove = (isRemoved: (document: SourceDocument) => boolean, message: string): void => {
    setRemoved(list.flatMap((document, at) => (isRemoved(document) ? [{ document, at }] : [])));
    documents.put(list.filter((document) => !isRemoved(document)));
    announce(message);
    box.current?.focus();
  };
  const isExample = (document: SourceDocument) => kindOf(document) === 'Example';
  return (
    // It gets the focus of a removed row.
    <div ref={box} tabIndex={-1} class="ask-list">
      {list.length > 0 && (
        <>
          <div class="ask-list-head">
            <h2>
              {count(list.length, 'document')} <span class="muted">{count(words, 'word')}</span>
            </h2>
            {list.some(isExample) && (
              <button type="button" class="plain" onClick={() => remove(isExample, 'Removed the example.')}>
                Remove the example
              </button>
            )}
            <button type="button" class="plain" onClick={() => remove(() => true, 'Removed all documents.')}>
              Remove all
            </button>
          </div>
          <ol aria-label="Documents">
            {list.map((document, place) => (
              <DocumentRow
                key={document.id}
                place={place}
                document={document}
                trouble={troubles.get(document) ?? null}
                onEdit={() => edit(document)}
                onRemove={() => remove(({ id }) => id === document.id, `Removed ${nameOf(document)}.`)}
              />
            ))}
          </ol>
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
          Put back {count(removed.length, 'document')}
        </button>
      )}
      {edited !== null && (
        <DocumentEditor
          document={edited}
          onSave={(fields) => documents.edit(edited, fields)}
          onClose={() => edit(null)}
        />
      )}
    </div>
  );
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
  const kind = kindOf(document);
  const wrong = useId();
  return (
    <li class="ask-document" data-place={place}>
      <div>
        <strong>{name}</strong>
        <p class="muted">
          <span class={kind === 'Example' ? 'ask-example' : undefined}>{kind}</span> ·{' '}
          {count(wordsOf(document), 'word')}
          {document.publishedAt !== undefined && (
            <>
              {' · '}
              <time dateTime={document.publishedAt}>{day(document.publishedAt)}</time>
            </>
          )}
        </p>
        {trouble !== null && (
          <p id={wrong} class="wrong">
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
    </li>
  );
}

interface DocumentEditorProps {
  readonly document: SourceDocument;
  readonly onSave: (fields: Fields) => void;
  readonly onClose: () => void;
}

function DocumentEditor({ document, onSave, onClose }: DocumentEditorProps) {
  const date = document.publishedAt?.slice(0, 10) ?? '';
  const [typed, setTyped] = useState({ title: document.title ?? '', text: document.text, date });
  const type = (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part }));
  const [trouble, setTrouble] = useState<string | null>(null);
  const save = (): void => {
    const { id: _, title: _title, publishedAt, ...kept } = document;
    // Text areas normalise line breaks: unchanged text is left as it was.
    const text = typed.text === document.text.replace(/\r\n?/g, '\n') ? document.text : typed.text;
    const title = typed.title.trim();
    const published = typed.date === date ? publishedAt : typed.date || undefined;
    const wrong = troubleOfDocument({ text, title });
    setTrouble(wrong);
    if (wrong !== null) return;
    onSave({ ...kept, text, ...(title !== '' && { title }), ...(published && { publishedAt: published }) });
    onClose();
  };
  return (
    <Dialog class="ask-editor" label={`Edit “${nameOf(document)}”`} onClose={onClose}>
      <Form onSubmit={save}>
        <h2>Edit “{nameOf(document)}”</h2>
        <div class="pair">
          <TextField label="Title" value={typed.title} onChange={(title) => type({ title })} />
          <TextField label="Published (if known)" type="date" value={typed.date} onChange={(date) => type({ date })} />
        </div>
        <TextArea
          label="Text"
          rows={16}
          value={typed.text}
          hint={trouble ?? undefined}
          isWrong={trouble !== null}
          onChange={(text) => type({ text })}
        />
        <div class="actions">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
