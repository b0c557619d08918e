import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/client.ts';
import { nameOf } from './document-facts.ts';
import { DocumentFields, type Typed, typedFields } from './document-fields.tsx';
import { troubleOfDocument } from './draft.ts';

interface DocumentEditorProps {
  readonly document: SourceDocument;
  readonly onSave: (fields: Omit<SourceDocument, 'id'>) => void;
  readonly onClose: () => void;
}

/** A document's title, date and text, over the page. */
export function DocumentEditor({ document, onSave, onClose }: DocumentEditorProps) {
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
            Leave as it was
          </button>
        </div>
      </form>
    </dialog>
  );
}
