import { useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { counted, wordsOf } from './document-facts.ts';
import { NOTHING_TYPED } from './document-fields.tsx';
import { DocumentList } from './document-list.tsx';
import { ACCEPTED } from './file-kinds.ts';
import { PasteForm } from './paste-form.tsx';
import type { Documents } from './use-documents.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useFileReading } from './use-file-reading.ts';

interface DocumentsPanelProps {
  readonly documents: Documents;
  readonly troubles: ReadonlyMap<SourceDocument, string>;
  /** What is wrong with the documents as a whole. */
  readonly trouble: string | null;
  readonly onExample: () => void;
  /** A document to lead to. */
  readonly sought: SourceDocument | null;
  readonly onFound: () => void;
}

/** Where documents come in: files that are chosen or dropped, text that is pasted, or the example. */
export function DocumentsPanel({ documents, troubles, trouble, onExample, sought, onFound }: DocumentsPanelProps) {
  const announce = useAnnounce();
  const reading = useFileReading(documents, (read, refused) => {
    announce(`${counted(read, 'file')} read${refused > 0 ? `, ${refused} not` : ''}.`);
  });
  const { list } = documents;
  const [isPasting, setPasting] = useState(list.length === 0);
  const [typed, type] = useState(NOTHING_TYPED);
  /** Where documents come in another way, an empty form is in theirs. */
  const tidyUp = (): void => setPasting((is) => is && (typed.title !== '' || typed.text !== ''));
  const take = (files: readonly File[]): void => {
    tidyUp();
    reading.read(files);
  };
  const isOver = useFileDrop(take);
  const words = list.reduce((sum, document) => sum + wordsOf(document), 0);
  return (
    <section class={`panel making-panel ${isOver ? 'making-over' : ''}`} aria-labelledby="making-documents">
      <h2 id="making-documents">
        Documents{' '}
        {list.length > 0 && (
          <span class="muted">
            {list.length.toLocaleString('en')} · {counted(words, 'word')}
          </span>
        )}
      </h2>
      <div class="making-drop">
        <p>{isOver ? 'Let go to add the files.' : 'Drop files anywhere on this page.'}</p>
        <div class="actions">
          <label class="button making-files">
            Choose files
            <input
              type="file"
              multiple
              accept={ACCEPTED}
              onChange={({ currentTarget }) => {
                take([...(currentTarget.files ?? [])]);
                currentTarget.value = '';
              }}
            />
          </label>
          <button type="button" aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
            Paste text
          </button>
          <button
            type="button"
            onClick={() => {
              tidyUp();
              onExample();
            }}
          >
            Take the example
          </button>
        </div>
        <p class="muted">
          Text, Markdown, web pages (HTML), PDF and Word (.docx). They are read here, in your browser.
        </p>
      </div>
      {reading.now !== null && (
        <p class="making-reading">
          <span class="spinner" aria-hidden="true" /> Reading {reading.now.done + 1} of {reading.now.total}:{' '}
          {reading.now.name}{' '}
          <button type="button" class="plain" onClick={reading.stop}>
            Stop
          </button>
        </p>
      )}
      {reading.refused.length > 0 && (
        <div class="notice" role="alert">
          <p>{counted(reading.refused.length, 'file')} could not be read:</p>
          <ul>
            {reading.refused.map(({ name, reason }, index) => (
              <li key={`${index} ${name}`}>
                <strong>{name}</strong>: {reason}
              </li>
            ))}
          </ul>
          <button type="button" class="plain" onClick={reading.forget}>
            Understood
          </button>
        </div>
      )}
      {isPasting && <PasteForm documents={documents} typed={typed} onType={type} />}
      {trouble !== null && <p class="making-wrong">⚠ {trouble}</p>}
      <DocumentList documents={documents} troubles={troubles} sought={sought} onFound={onFound} />
    </section>
  );
}
