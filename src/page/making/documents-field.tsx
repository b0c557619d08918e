import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { FILE_ENDINGS, lengthInWords, UnreadableFileError } from '../../text/index.ts';
import { useWorkspace } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { useTask } from '../parts/loading.tsx';
import { count } from '../parts/words.ts';
import { isAddress, pastedDocument, withDocument } from './documents.ts';
import { fileReader } from './read-file.ts';

export function DocumentsField() {
  const { documents, pasted, change } = useWorkspace();
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const isEmpty = pasted.trim() === '';
  const words = useMemo(() => lengthInWords(pasted), [pasted]);
  const reading = useFileReading();
  const add = (): void => {
    change((before) => ({ documents: withDocument(before.documents, pastedDocument(pasted)), pasted: '' }));
    announce(`Added. ${count(documents.length + 1, 'document')} in all.`);
    area.current?.focus();
  };
  return (
    <>
      <div class="ask-documents">
        <label>
          <strong>Documents</strong>
          <textarea
            ref={area}
            rows={4}
            placeholder="Drop files here, or paste text or an address."
            value={pasted}
            required={documents.length === 0}
            aria-describedby={id}
            onInput={({ currentTarget }) => change({ pasted: currentTarget.value })}
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
              ? 'PDF, Word, PowerPoint, Excel, CSV, HTML, mail, Markdown or text, read in your browser.'
              : isAddress(pasted)
                ? 'The service fetches this address when you ask.'
                : `This text is one document of ${count(words, 'word')}.`}
          </p>
        </div>
      </div>
      {reading.now !== null && (
        <p role="status">
          <span class="spinner" aria-hidden="true" /> Reading {reading.now}{' '}
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
        </div>
      )}
    </>
  );
}

interface Refused {
  readonly name: string;
  readonly reason: string;
}

/** Reads files one after the other; further ones wait for those before. @returns the one that is being read, and those that could not be */
function useFileReading() {
  const { change } = useWorkspace();
  const [now, setNow] = useState<string | null>(null);
  const [refused, refuse] = useState<readonly Refused[]>([]);
  const queue = useRef<File[]>([]);
  const { run, cancel } = useTask();
  const readQueue = async (signal: AbortSignal): Promise<void> => {
    refuse([]);
    const reader = fileReader();
    let added = 0;
    for (let file = queue.current.shift(); file !== undefined; file = queue.current.shift()) {
      const { name } = file;
      setNow(queue.current.length === 0 ? name : `${name}, ${queue.current.length} to come`);
      try {
        const read = await reader.read(file, signal);
        change((before) => ({ documents: withDocument(before.documents, read) }));
        added += 1;
      } catch (failure) {
        const reason = failure instanceof UnreadableFileError ? failure.message : 'It could not be read.';
        if (!signal.aborted) refuse((before) => [...before, { name, reason }]);
      }
      if (signal.aborted) queue.current = [];
    }
    reader.end();
    setNow(null);
    announce(`${count(added, 'file')} added.`);
  };
  const read = (files: readonly File[]): void => {
    queue.current.push(...files);
    if (files.length > 0) void run(readQueue);
  };
  useFiles(read);
  return { now, refused, read, stop: cancel };
}

/** Takes files dropped or pasted anywhere on the page. */
function useFiles(onFiles: (files: readonly File[]) => void): void {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const listen = (name: 'dragover' | 'drop' | 'paste') =>
      addEventListener(
        name,
        (event) => {
          const data = 'dataTransfer' in event ? event.dataTransfer : event.clipboardData;
          if (!data?.types.includes('Files')) return;
          event.preventDefault();
          if (name !== 'dragover') latest.current([...data.files]);
        },
        { signal },
      );
    for (const name of ['dragover', 'drop', 'paste'] as const) listen(name);
    return () => leaving.abort();
  }, []);
}
