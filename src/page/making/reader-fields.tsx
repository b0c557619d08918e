import type { Reader } from './draft.ts';

interface ReaderFieldsProps {
  readonly reader: Reader;
  readonly onReader: (reader: Reader) => void;
  /** What is wrong; null where nothing is. */
  readonly trouble: string | null;
}

/** What may be said of the reader beside the question. */
export function ReaderFields({ reader, onReader, trouble }: ReaderFieldsProps) {
  return (
    <fieldset class="ask-reader">
      <legend>About you</legend>
      <label>
        Who asks, and why
        <input
          type="text"
          placeholder="I advise a council that plans the same."
          value={reader.userStory}
          onInput={({ currentTarget }) => onReader({ ...reader, userStory: currentTarget.value })}
        />
      </label>
      <label>
        What you know already <span class="muted">(or the id of an earlier digest, to see only what is new)</span>
        <textarea
          rows={2}
          value={reader.background}
          onInput={({ currentTarget }) => onReader({ ...reader, background: currentTarget.value })}
        />
      </label>
      <div class="making-pair">
        <label>
          Documents published from
          <input
            type="date"
            value={reader.after}
            onInput={({ currentTarget }) => onReader({ ...reader, after: currentTarget.value })}
          />
        </label>
        <label>
          Documents published until
          <input
            type="date"
            value={reader.before}
            onInput={({ currentTarget }) => onReader({ ...reader, before: currentTarget.value })}
          />
        </label>
      </div>
      {trouble !== null && <p class="making-wrong">⚠ {trouble}</p>}
    </fieldset>
  );
}
