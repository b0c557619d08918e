import { useCallback, useEffect, useId, useRef, useState } from 'preact/hooks';
import type { SourceDocument } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { decodeText } from './decode-text.ts';
import { counted, wordsOf } from './document-facts.ts';
import { DocumentFields, NOTHING_TYPED, type Typed, typedFields } from './document-fields.tsx';
import { DocumentList } from './document-list.tsx';
import { troubleOfDocument } from './draft.ts';
import { ACCEPTED, type Kind, kindOfBytes, kindOfFile, titleOfFile, whyNotRead } from './file-kinds.ts';
import { type PdfReader, pdfReader } from './pdf-reader.ts';
import { UnreadableError } from './unreadable-error.ts';
import type { Documents } from './use-documents.ts';
import { wellFormed } from './well-formed.ts';

/** A document before it has an id. */
interface ReadFile {
  readonly kind: Kind;
  readonly document: Omit<SourceDocument, 'id'>;
}

/** Bytes of a file that is read. */
const MAX_BYTES = 100_000_000;

/**
 * Reads a file as a document. What reads web pages and Word documents is loaded when the first comes.
 *
 * @throws UnreadableError with a word why, or the reason of the signal
 */
async function readFile(file: File, pdf: PdfReader, signal: AbortSignal): Promise<ReadFile> {
  if (file.size > MAX_BYTES) throw new UnreadableError('It is larger than 100 MB.');
  if (file.size === 0) throw new UnreadableError('It is empty.');
  const bytes = await bytesOf(file);
  signal.throwIfAborted();
  const kind = kindOfFile(file.name) ?? kindOfBytes(new Uint8Array(bytes));
  if (kind === null) throw new UnreadableError(whyNotRead(file.name));
  const document = { title: wellFormed(titleOfFile(file.name)), ...(await documentOf(kind, bytes, pdf, signal)) };
  if (document.text.trim() === '') throw new UnreadableError('It holds no text.');
  return { kind, document };
}

async function documentOf(
  kind: Kind,
  bytes: ArrayBuffer,
  pdf: PdfReader,
  signal: AbortSignal,
): Promise<Omit<SourceDocument, 'id'>> {
  switch (kind) {
    case 'PDF':
      return { text: await pdf.read(bytes, signal) };
    case 'Word': {
      const { docxText } = await import('./docx-text.ts');
      return { text: await docxText(bytes) };
    }
    case 'Web page': {
      const { htmlText } = await import('./html-text.ts');
      const { text, title, url, publishedAt } = htmlText(decoded(bytes, true));
      return {
        text,
        ...(title !== null && { title: wellFormed(title.slice(0, 300)) }),
        ...(url !== null && url.length <= 2000 && { url }),
        ...(publishedAt !== null && { publishedAt }),
      };
    }
    default:
      return { text: decoded(bytes, false) };
  }
}

function decoded(bytes: ArrayBuffer, isMarkup: boolean): string {
  const text = decodeText(new Uint8Array(bytes), isMarkup);
  if (text === null) throw new UnreadableError('It is no text, whatever its name says.');
  return text;
}

async function bytesOf(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch (cause) {
    throw new UnreadableError('The browser could not read it: it is a folder, or was moved or changed.', { cause });
  }
}

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
function useFileReading(documents: Documents, onEnd: (read: number, refused: number) => void): FileReading {
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
    const pdf = pdfReader();
    const counts = { done: 0, read: 0, refused: 0 };
    try {
      for (let file = queue.current.shift(); file !== undefined; file = queue.current.shift()) {
        const { name } = file;
        setNow({ name, done: counts.done, total: counts.done + 1 + queue.current.length });
        try {
          const { document, kind } = await readFile(file, pdf, control.signal);
          if (control.signal.aborted) break;
          parts.current.documents.add(document, kind);
          counts.read++;
        } catch (failure) {
          if (control.signal.aborted) break;
          const reason = failure instanceof UnreadableError ? failure.message : 'It could not be read.';
          refuse((before) => [...before, { name, reason }]);
          counts.refused++;
        }
        counts.done++;
      }
    } finally {
      pdf.end();
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

/**
 * Takes files that are dropped anywhere on the page, which would otherwise leave it for the file.
 *
 * @returns whether files are held over the page
 */
function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      // It leaves every element that it is moved over; with none to go to it leaves the page.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      latest.current([...event.dataTransfer.files]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

interface PasteFormProps {
  readonly documents: Documents;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}

/** Where text is pasted; one document after the other. */
function PasteForm({ documents, typed, onType: type }: PasteFormProps) {
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
