import { useId, useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';
import { DocumentFields, NOTHING_TYPED, type Typed, typedFields } from './document-fields.tsx';
import { troubleOfDocument } from './draft.ts';
import type { Documents } from './use-documents.ts';

interface PasteFormProps {
  readonly documents: Documents;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}

/** Where text is pasted; one document after the other. */
export function PasteForm({ documents, typed, onType: type }: PasteFormProps) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const announce = useAnnounce();
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  return (
    <form
      ref={form}
      class="making-paste"
      aria-label="Paste a document"
      onSubmit={(event) => {
        event.preventDefault();
        const wrong = typed.text.trim() === '' ? 'Paste some text first.' : troubleOfDocument(typed);
        setTrouble(wrong);
        if (wrong !== null) return form.current?.querySelector('textarea')?.focus();
        documents.add(typedFields(typed), 'Text');
        type(NOTHING_TYPED);
        announce(`Added. ${documents.list.length + 1} in all.`);
        form.current?.querySelector('input')?.focus();
      }}
    >
      <DocumentFields value={typed} onChange={type} rows={5} wrong={trouble === null ? null : id} />
      {trouble !== null && (
        <p id={id} class="making-wrong" role="alert">
          {trouble}
        </p>
      )}
      <button type="submit">Add this text</button>
    </form>
  );
}
