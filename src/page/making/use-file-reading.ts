import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { UnreadableFileError } from '../../text/index.ts';
import { fileReader } from './read-file.ts';
import type { Documents } from './use-documents.ts';

/** Files that are being read one after the other. */
interface FileReading {
  /** Null where none is. */
  readonly now: { readonly name: string; readonly done: number; readonly total: number } | null;
  /** Files that could not be read, and why. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** Reads files after those that are being read. */
  read(files: readonly File[]): void;
  /** Leaves out what was not read yet. */
  stop(): void;
  /** Forgets which files were refused. */
  forget(): void;
}

/** @param onEnd told how many documents came of the files, and how many files were refused */
export function useFileReading(documents: Documents, onEnd: (read: number, refused: number) => void): FileReading {
  const [now, setNow] = useState<FileReading['now']>(null);
  const [refused, refuse] = useState<FileReading['refused']>([]);
  const parts = useRef({ documents, onEnd });
  parts.current = { documents, onEnd };
  const queue = useRef<File[]>([]);
  const giving = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    queue.current = [];
    giving.current?.abort();
  }, []);
  useEffect(() => stop, [stop]);

  const run = useCallback(async () => {
    const control = new AbortController();
    giving.current = control;
    const reader = fileReader();
    const counts = { done: 0, read: 0, refused: 0 };
    try {
      for (let file = queue.current.shift(); file !== undefined; file = queue.current.shift()) {
        const { name } = file;
        setNow({ name, done: counts.done, total: counts.done + 1 + queue.current.length });
        try {
          const { document, kind } = await reader.read(file, control.signal);
          if (control.signal.aborted) break;
          parts.current.documents.add(document, kind);
          counts.read++;
        } catch (failure) {
          if (control.signal.aborted) break;
          const reason = failure instanceof UnreadableFileError ? failure.message : 'It could not be read.';
          refuse((before) => [...before, { name, reason }]);
          counts.refused++;
        }
        counts.done++;
      }
    } finally {
      reader.end();
      giving.current = null;
      setNow(null);
      parts.current.onEnd(counts.read, counts.refused);
    }
  }, []);

  const read = useCallback(
    (files: readonly File[]) => {
      if (files.length === 0) return;
      queue.current.push(...files);
      if (giving.current === null) {
        refuse([]);
        void run();
      }
    },
    [run],
  );
  return { now, refused, read, stop, forget: useCallback(() => refuse([]), []) };
}
