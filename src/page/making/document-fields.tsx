import type { SourceDocument } from '../../client/index.ts';

/** A document as it is typed. */
export interface Typed {
  readonly title: string;
  readonly text: string;
  /** As `2026-01-31`; empty where it is not known. */
  readonly date: string;
}

interface DocumentFieldsProps {
  readonly value: Typed;
  readonly onChange: (value: Typed) => void;
  readonly rows: number;
  /** Id of what says what is wrong with it; null where nothing is. */
  readonly wrong: string | null;
}

/** Title, date and text of a document. */
export function DocumentFields({ value, onChange, rows, wrong }: DocumentFieldsProps) {
  return (
    <>
      <div class="making-pair">
        <label>
          Title
          <input
            type="text"
            autocomplete="off"
            value={value.title}
            onInput={({ currentTarget }) => onChange({ ...value, title: currentTarget.value })}
          />
        </label>
        <label>
          Published <span class="muted">(if known)</span>
          <input
            type="date"
            value={value.date}
            onInput={({ currentTarget }) => onChange({ ...value, date: currentTarget.value })}
          />
        </label>
      </div>
      <label>
        Text
        <textarea
          rows={rows}
          value={value.text}
          aria-invalid={wrong !== null}
          aria-describedby={wrong ?? undefined}
          onInput={({ currentTarget }) => onChange({ ...value, text: currentTarget.value })}
        />
      </label>
    </>
  );
}

/** What was typed as fields of a document. */
export function typedFields({ title, text, date }: Typed): Omit<SourceDocument, 'id'> {
  const name = title.trim();
  return { text, ...(name !== '' && { title: name }), ...(date !== '' && { publishedAt: date }) };
}
