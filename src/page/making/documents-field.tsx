import { useId, useMemo, useRef } from 'preact/hooks';
import { FILE_ENDINGS } from '../../text/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { counted, countWords } from './document-facts.ts';
import { pastedDocument } from './pasted.ts';
import type { Documents } from './use-documents.ts';
import { useDropped } from './use-dropped.ts';
import { useFileReading } from './use-file-reading.ts';

interface DocumentsFieldProps {
  readonly documents: Documents;
  /** Text that was pasted or typed and is no document yet. */
  readonly pasted: string;
  readonly onPasted: (pasted: string) => void;
  /** What is wrong with it, or with the documents as a whole. */
  readonly trouble: string | null;
}

/** The one place where documents come in: files are dropped on it or chosen, text is pasted or typed into it. */
export function DocumentsField({ documents, pasted, onPasted, trouble }: DocumentsFieldProps) {
  const announce = useAnnounce();
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const words = useMemo(() => countWords(pasted), [pasted]);
  const reading = useFileReading(documents, (read, refused) => {
    announce(`${counted(read, 'file')} read${refused > 0 ? `, ${refused} not` : ''}.`);
  });
  const isOver = useDropped({
    onFiles: reading.read,
    onText(text) {
      onPasted(pasted === '' ? text : `${pasted}\n\n${text}`);
      area.current?.focus();
    },
  });
  const add = (): void => {
    documents.add(pastedDocument(pasted), 'Text');
    onPasted('');
    announce(`Added. ${counted(documents.latest().length, 'document')} in all.`);
    area.current?.focus();
  };
  return (
    <>
      <div class={`ask-documents ${isOver ? 'ask-over' : ''}`}>
        <label>
          <strong>Documents</strong>
          <textarea
            ref={area}
            rows={4}
            placeholder={isOver ? 'Drop to add the files.' : 'Drop files here, or paste text.'}
            value={pasted}
            aria-invalid={trouble !== null}
            aria-describedby={`${id}${trouble === null ? '' : ` ${id}-wrong`}`}
            onInput={({ currentTarget }) => onPasted(currentTarget.value)}
          />
        </label>
        <div class="ask-files">
          <label class="button">
            Choose files
            <input
              type="file"
              multiple
              accept={[...FILE_ENDINGS, 'text/*'].join(',')}
              onChange={({ currentTarget }) => {
                reading.read([...(currentTarget.files ?? [])]);
                currentTarget.value = '';
              }}
            />
          </label>
          {pasted.trim() !== '' && (
            <button type="button" onClick={add}>
              Add another document
            </button>
          )}
          <p id={id} class="muted">
            {pasted.trim() === ''
              ? 'PDF, Word, HTML, Markdown or text, read in your browser.'
              : `This text is one document of ${counted(words, 'word')}.`}
          </p>
        </div>
      </div>
      {trouble !== null && (
        <p id={`${id}-wrong`} class="making-wrong">
          ⚠ {trouble}
        </p>
      )}
      {reading.now !== null && (
        <p role="status">
          <span class="spinner" aria-hidden="true" /> Reading {reading.now.done + 1} of {reading.now.total}:{' '}
          {reading.now.name}{' '}
          <button type="button" class="plain" onClick={reading.stop}>
            Stop
          </button>
        </p>
      )}
      {reading.refused.length > 0 && (
        <div class="problem" role="alert">
          <p>{counted(reading.refused.length, 'file')} could not be read:</p>
          <ul>
            {reading.refused.map(({ name, reason }, index) => (
              <li key={`${index} ${name}`}>
                <strong>{name}</strong>: {reason}
              </li>
            ))}
          </ul>
          <button type="button" onClick={reading.forget}>
            Close
          </button>
        </div>
      )}
    </>
  );
}
