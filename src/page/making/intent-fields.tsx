import { useState } from 'preact/hooks';
import type { Reader } from './draft.ts';
import { NO_READER } from './draft.ts';

interface IntentFieldsProps {
  readonly intent: string;
  readonly onIntent: (intent: string) => void;
  readonly reader: Reader;
  readonly onReader: (reader: Reader) => void;
  /** What is wrong; null where nothing is. */
  readonly intentTrouble: string | null;
  readonly readerTrouble: string | null;
}

/** What the reader wants to know, in a sentence, and more about the reader for who likes to say more. */
export function IntentFields({ intent, onIntent, reader, onReader, intentTrouble, readerTrouble }: IntentFieldsProps) {
  const isSaid = reader !== NO_READER && Object.values(reader).some((value) => value !== '');
  // It stays as it is while one types in it.
  const [isOpen, setOpen] = useState(isSaid);
  return (
    <section class="panel" aria-labelledby="making-intent">
      <h2 id="making-intent">Question</h2>
      <label>
        What do you want to know?
        <textarea
          rows={2}
          value={intent}
          placeholder="Leave it empty for what matters most."
          aria-invalid={intentTrouble !== null}
          aria-describedby={intentTrouble === null ? undefined : 'making-intent-wrong'}
          onInput={({ currentTarget }) => onIntent(currentTarget.value)}
        />
      </label>
      {intentTrouble !== null && (
        <p id="making-intent-wrong" class="making-wrong">
          ⚠ {intentTrouble}
        </p>
      )}
      <details open={isOpen || readerTrouble !== null} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>More about the reader</summary>
        <div class="making-reader">
          <label>
            Who asks, and what for
            <input
              type="text"
              placeholder="I advise a council that plans the same."
              value={reader.userStory}
              onInput={({ currentTarget }) => onReader({ ...reader, userStory: currentTarget.value })}
            />
          </label>
          <label>
            What is known already <span class="muted">(or the id of an earlier digest: then only what is new)</span>
            <textarea
              rows={2}
              value={reader.background}
              onInput={({ currentTarget }) => onReader({ ...reader, background: currentTarget.value })}
            />
          </label>
          <div class="making-pair">
            <label>
              Published from
              <input
                type="date"
                value={reader.after}
                onInput={({ currentTarget }) => onReader({ ...reader, after: currentTarget.value })}
              />
            </label>
            <label>
              Published until
              <input
                type="date"
                value={reader.before}
                onInput={({ currentTarget }) => onReader({ ...reader, before: currentTarget.value })}
              />
            </label>
          </div>
          {readerTrouble !== null && <p class="making-wrong">⚠ {readerTrouble}</p>}
        </div>
      </details>
    </section>
  );
}
