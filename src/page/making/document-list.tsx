import { useMemo, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { lengthInWords } from '../../text/index.ts';
import { useWorkspace } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Form, TextArea, TextField } from '../parts/fields.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { count, day } from '../parts/words.ts';
import { nameOf, wellFormed } from './draft.ts';

export function DocumentList() {
  const { documents, change } = useWorkspace();
  const [edited, edit] = useState<SourceDocument | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const keep = (kept: readonly SourceDocument[], message: string): void => {
    change({ documents: kept });
    announce(message);
    box.current?.focus();
  };
  return (
    // It gets the focus of a removed row.
    <div ref={box} tabIndex={-1} class="ask-list">
      {documents.length > 0 && (
        <>
          <div class="ask-list-head">
            <h2>{count(documents.length, 'document')}</h2>
            <button
              type="button"
              class="plain"
              onClick={() => confirm('Remove all documents?') && keep([], 'Removed all documents.')}
            >
              Remove all
            </button>
          </div>
          <ol aria-label="Documents">
            {documents.map((document) => (
              <DocumentRow
                key={document.id}
                document={document}
                onEdit={() => edit(document)}
                onRemove={() =>
                  keep(
                    documents.filter((each) => each !== document),
                    `Removed ${nameOf(document)}.`,
                  )
                }
              />
            ))}
          </ol>
        </>
      )}
      {edited !== null && (
        <DocumentEditor
          document={edited}
          onSave={(changed) => change({ documents: documents.map((each) => (each.id === edited.id ? changed : each)) })}
          onClose={() => edit(null)}
        />
      )}
    </div>
  );
}

interface DocumentRowProps {
  readonly document: SourceDocument;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function DocumentRow({ document, onEdit, onRemove }: DocumentRowProps) {
  const name = nameOf(document);
  const words = useMemo(() => lengthInWords(document.text), [document]);
  return (
    <li class="ask-document">
      <div>
        <strong>{name}</strong>
        <p class="muted">
          {document.text === '' ? 'Fetched when you ask' : count(words, 'word')}
          {document.publishedAt !== undefined && ` · ${day(document.publishedAt)}`}
        </p>
      </div>
      <button type="button" onClick={onEdit} aria-label={`Edit ${name}`}>
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
  readonly onSave: (document: SourceDocument) => void;
  readonly onClose: () => void;
}

function DocumentEditor({ document, onSave, onClose }: DocumentEditorProps) {
  const date = document.publishedAt?.slice(0, 10) ?? '';
  const [typed, setTyped] = useState({ title: document.title ?? '', text: document.text, date });
  const type = (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part }));
  const save = (): void => {
    const { title: _, publishedAt, ...kept } = document;
    // Text areas normalise line breaks: unchanged text is left as it was.
    const text = typed.text === document.text.replace(/\r\n?/g, '\n') ? document.text : wellFormed(typed.text);
    const title = wellFormed(typed.title).trim();
    const published = typed.date === date ? publishedAt : typed.date || undefined;
    onSave({ ...kept, text, ...(title !== '' && { title }), ...(published && { publishedAt: published }) });
    onClose();
  };
  return (
    <Dialog class="ask-editor" label={`Edit “${nameOf(document)}”`} onClose={onClose}>
      <Form onSubmit={save}>
        <h2>Edit “{nameOf(document)}”</h2>
        <div class="pair">
          <TextField label="Title" maxLength={1000} value={typed.title} onChange={(title) => type({ title })} />
          <TextField
            label="Published (if known)"
            type="date"
            value={typed.date}
            onChange={(at) => type({ date: at })}
          />
        </div>
        <TextArea label="Text" rows={16} required value={typed.text} onChange={(text) => type({ text })} />
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
