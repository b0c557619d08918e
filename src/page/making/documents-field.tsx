import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { countWords, FILE_ENDINGS, UnreadableFileError } from '../../text/index.ts';
import { announce } from '../parts/browser.ts';
import { count } from '../parts/words.ts';
import { type Documents, pastedDocument } from './documents.ts';
import { fileReader } from './read-file.ts';

interface DocumentsFieldProps {
  readonly documents: Documents;
  /** Text not yet added as a document. */
  readonly pasted: string;
  readonly onPasted: (pasted: string) => void;
  /** Problem with that text, or with the documents as a whole. */
  readonly trouble: string | null;
}

export function DocumentsField({ documents, pasted, onPasted, trouble }: DocumentsFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isEmpty = pasted.trim() === '';
  const words = useMemo(() => countWords(pasted), [pasted]);
  const reading = useFileReading(documents);
  const isOver = useDropped(reading.read, (text) => {
    onPasted(pasted === '' ? text : `${pasted}\n\n${text}`);
    area.current?.focus();
  });
  const add = (): void => {
    documents.add(pastedDocument(pasted), 'Text');
    onPasted('');
    announce(`Added. ${count(documents.latest().length, 'document')} in all.`);
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
          {!isEmpty && (
            <button type="button" onClick={add}>
              Add another document
            </button>
          )}
          <p id={id} class="muted">
            {isEmpty
              ? 'PDF, Word, HTML, Markdown or text, read in your browser.'
              : `This text is one document of ${count(words, 'word')}.`}
          </p>
        </div>
      </div>
      {trouble !== null && (
        <p id={`${id}-wrong`} class="wrong">
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
          <p>{count(reading.refused.length, 'file')} could not be read:</p>
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

interface FileReading {
  readonly now: { readonly name: string; readonly done: number; readonly total: number } | null;
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  read(files: readonly File[]): void;
  stop(): void;
  forget(): void;
}

function useFileReading(documents: Documents): FileReading {
  const [now, setNow] = useState<FileReading['now']>(null);
  const [refused, refuse] = useState<FileReading['refused']>([]);
  const latest = useRef(documents);
  latest.current = documents;
  const queue = useRef<File[]>([]);
  const giving = useRef<AbortController | null>(null);
  const stop = (): void => {
    queue.current = [];
    giving.current?.abort();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: on leaving only
  useEffect(() => stop, []);

  const run = async (): Promise<void> => {
    const control = new AbortController();
    giving.current = control;
    const reader = fileReader();
    let [read, failed] = [0, 0];
    for (let file = queue.current.shift(); file !== undefined; file = queue.current.shift()) {
      const { name } = file;
      const done = read + failed;
      setNow({ name, done, total: done + 1 + queue.current.length });
      try {
        const { document, kind } = await reader.read(file, control.signal);
        if (control.signal.aborted) break;
        latest.current.add(document, kind);
        read++;
      } catch (failure) {
        if (control.signal.aborted) break;
        const reason = failure instanceof UnreadableFileError ? failure.message : 'It could not be read.';
        refuse((before) => [...before, { name, reason }]);
        failed++;
      }
    }
    reader.end();
    giving.current = null;
    setNow(null);
    announce(`${count(read, 'file')} read${failed > 0 ? `, ${failed} not` : ''}.`);
  };
  const read = (files: readonly File[]): void => {
    queue.current.push(...files);
    if (files.length === 0 || giving.current !== null) return;
    refuse([]);
    void run();
  };
  return { now, refused, read, stop, forget: () => refuse([]) };
}

/** Takes files dropped or pasted anywhere on the page, and text pasted outside of fields. @returns whether files are being dragged */
function useDropped(onFiles: (files: readonly File[]) => void, onText: (text: string) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef({ onFiles, onText });
  latest.current = { onFiles, onText };
  useEffect(() => {
    const leaving = new AbortController();
    const listen = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
      addEventListener(name, act, { signal: leaving.signal });
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setIsOver(true);
    });
    // Without a related target, the pointer has left the page.
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setIsOver(false));
    listen('drop', (event) => {
      setIsOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      latest.current.onFiles([...event.dataTransfer.files]);
    });
    listen('paste', (event) => {
      const { target, clipboardData } = event;
      const files = [...(clipboardData?.files ?? [])];
      const isInField = target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
      const text = isInField ? '' : (clipboardData?.getData('text/plain') ?? '');
      if (files.length === 0 && text.trim() === '') return;
      // Otherwise the browser pastes it again into the newly focused field.
      event.preventDefault();
      if (files.length > 0) latest.current.onFiles(files);
      else latest.current.onText(text);
    });
    return () => leaving.abort();
  }, []);
  return isOver;
}
