import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  AuthenticationError,
  ConnectionError,
  type DigestInput,
  PermissionError,
  type SourceDocument,
  TesseraClientError,
} from '../../client/index.ts';
import { useService, useWorkspace } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Form, TextArea, TextField } from '../parts/fields.tsx';
import { OptionsForm } from '../parts/options-form.tsx';
import { Problem } from '../parts/problem.tsx';
import { hrefOf } from '../route.ts';
import { DocumentList } from './document-list.tsx';
import { type Documents, hasUnmade, markMade, nameOf, pastedDocument, useDocuments } from './documents.ts';
import { DocumentsField } from './documents-field.tsx';
import {
  type Draft,
  type Place,
  placeOf,
  type Reader,
  requestOf,
  type Trouble,
  tooLargeWords,
  troubleOfDocument,
  troublesOf,
} from './draft.ts';
import './ask.css';

export function AskView() {
  const { intent, options, reader, pasted, change } = useWorkspace();
  const documents = useDocuments();
  const { submission, submit, cancel, forget } = useSubmission();
  const [isRefused, setRefused] = useState(false);
  const [sought, seek] = useState<SourceDocument | null>(null);
  const problems = useRef<HTMLDivElement>(null);
  const sent = useRef(documents.list);
  useLeaveQuestion(documents.list, pasted);

  const draft: Draft = { documents: documents.list, intent, options, reader };
  const hasPasted = pasted.trim() !== '';
  const pastedTrouble = hasPasted ? troubleOfDocument({ text: pasted }) : null;
  // Troubles disappear as soon as they are fixed.
  const own = isRefused ? troublesOf(draft).filter(({ place }) => place.kind !== 'documents' || !hasPasted) : [];
  const service = submission.state === 'failed' ? serviceTroubles(submission.failure) : [];
  const at = (kind: Place['kind']): string | null =>
    [...own, ...service].find(({ place }) => place.kind === kind)?.message ?? null;
  const troubles = new Map([...byDocument(own, documents.list), ...byDocument(service, sent.current)]);
  const troubled = documents.list.filter((each) => troubles.has(each));
  const hasProblem = own.length > 0 || submission.state === 'failed' || submission.state === 'cancelled';
  useEffect(() => {
    if (hasProblem) problems.current?.focus();
  }, [hasProblem]);
  useEffect(() => {
    if (own.length === 0) setRefused(false);
  }, [own.length]);

  const make = (): void => {
    forget();
    if (pastedTrouble !== null) return;
    if (hasPasted) {
      documents.add(pastedDocument(pasted), 'Text');
      change({ pasted: '' });
    }
    const whole = { ...draft, documents: documents.latest() };
    if (troublesOf(whole).length > 0) {
      setRefused(true);
      return;
    }
    sent.current = whole.documents;
    void submit(requestOf(whole));
  };
  const isSending = submission.state === 'sending';
  const [optionsTrouble, readerTrouble] = [at('options'), at('reader')];
  return (
    <div class="ask">
      <h1>Ask your documents</h1>
      <p class="ask-lead">
        Get a short answer in which every sentence is cited to an exact quote. <Example documents={documents} />
      </p>
      <Form class="ask-form" aria-label="Ask" onSubmit={make}>
        <Question intent={intent} trouble={at('intent')} onIntent={(asked) => change({ intent: asked })} />
        <DocumentsField
          documents={documents}
          pasted={pasted}
          onPasted={(text) => change({ pasted: text })}
          trouble={pastedTrouble ?? at('documents')}
        />
        <div class="ask-end">
          <OptionsForm
            value={options}
            onChange={(changed) => change({ options: changed })}
            isOpen={optionsTrouble !== null || readerTrouble !== null}
          >
            <ReaderFields reader={reader} onReader={(next) => change({ reader: next })} trouble={readerTrouble} />
            {optionsTrouble !== null && <p class="wrong">⚠ {optionsTrouble}</p>}
          </OptionsForm>
          <div class="ask-make">
            {isSending && (
              <button type="button" onClick={cancel}>
                Cancel
              </button>
            )}
            <button type="submit" class="primary" aria-disabled={isSending}>
              {isSending ? 'Sending…' : 'Make digest'}
            </button>
          </div>
        </div>
      </Form>
      <div ref={problems} tabIndex={-1} class="ask-problems">
        {submission.state === 'failed' && <Refusal failure={submission.failure} documents={sent.current} />}
        {submission.state === 'cancelled' && (
          <p class="notice" role="alert">
            Cancelled. If the service had received it by then, the digest is in the{' '}
            <a href={hrefOf({ view: 'digests' })}>list of digests</a>.
          </p>
        )}
        {own.length > 0 && (
          <div class="problem" role="alert">
            <p>
              {withName(own[0], documents.list)}
              {own.length > 1 && ` ${own.length - 1} more, marked below.`}
            </p>
          </div>
        )}
        {troubled.length > 0 && (
          <p class="actions">
            {troubled.slice(0, MAX_LINKS).map((document) => (
              <button key={document.id} type="button" onClick={() => seek(document)}>
                Go to “{nameOf(document)}”
              </button>
            ))}
            {troubled.length > MAX_LINKS && (
              <span class="muted">and {troubled.length - MAX_LINKS} more, marked below</span>
            )}
          </p>
        )}
      </div>
      <DocumentList documents={documents} troubles={troubles} sought={sought} />
    </div>
  );
}

/** Max troubled documents with a button that leads to them. */
const MAX_LINKS = 3;

interface QuestionProps {
  readonly intent: string;
  readonly onIntent: (intent: string) => void;
  readonly trouble: string | null;
}

function Question({ intent, onIntent, trouble }: QuestionProps) {
  return (
    <>
      <label>
        <strong>Question</strong> <span class="muted">(optional)</span>
        <textarea
          class="ask-question"
          rows={2}
          value={intent}
          placeholder="What do you want to know?"
          aria-invalid={trouble !== null}
          aria-describedby={trouble === null ? undefined : 'ask-question-wrong'}
          onInput={({ currentTarget }) => onIntent(currentTarget.value)}
          onKeyDown={(event) => {
            // Enter asks, as in a search.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      {trouble !== null && (
        <p id="ask-question-wrong" class="wrong">
          ⚠ {trouble}
        </p>
      )}
    </>
  );
}

interface ReaderFieldsProps {
  readonly reader: Reader;
  readonly onReader: (reader: Reader) => void;
  readonly trouble: string | null;
}

function ReaderFields({ reader, onReader, trouble }: ReaderFieldsProps) {
  const field = (name: keyof Reader) => ({
    value: reader[name],
    onChange: (value: string) => onReader({ ...reader, [name]: value }),
  });
  return (
    <fieldset class="ask-reader">
      <legend>About you</legend>
      <TextField
        label="Who asks, and why"
        placeholder="I advise a council that plans the same."
        {...field('userStory')}
      />
      <TextArea
        label="What you know already (or the id of an earlier digest, to see only what is new)"
        rows={2}
        {...field('background')}
      />
      <div class="pair">
        <TextField label="Documents published from" type="date" {...field('after')} />
        <TextField label="Documents published until" type="date" {...field('before')} />
      </div>
      {trouble !== null && <p class="wrong">⚠ {trouble}</p>}
    </fieldset>
  );
}

function Example({ documents }: { readonly documents: Documents }) {
  const { intent, change } = useWorkspace();
  const add = async (): Promise<void> => {
    const { addExample } = await import('../example/example.ts');
    const question = addExample(documents);
    if (intent.trim() === '') change({ intent: question });
    announce('The example was added: eight documents and a question.');
  };
  return (
    <button type="button" class="plain" onClick={() => void add()}>
      Try an example
    </button>
  );
}

/** Total characters above which the size may be why the service was unreachable. */
const LARGE = 5_000_000;

interface RefusalProps {
  readonly failure: unknown;
  readonly documents: readonly SourceDocument[];
}

function Refusal({ failure, documents }: RefusalProps) {
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  if (failure instanceof TesseraClientError && failure.status === 413) {
    return (
      <div class="problem" role="alert">
        <p>
          <strong>The documents are too large in total.</strong> {tooLargeWords(failure.problem?.detail, characters)}
        </p>
      </div>
    );
  }
  return (
    <>
      <Problem failure={withNames(failure, documents)} />
      {failure instanceof ConnectionError && characters > LARGE && (
        <p class="notice">The documents may be too large for this service.</p>
      )}
    </>
  );
}

function withNames(failure: unknown, documents: readonly SourceDocument[]): unknown {
  if (!(failure instanceof TesseraClientError) || failure.problem?.errors === undefined) return failure;
  const { status, requestId, problem, message } = failure;
  const errors = problem.errors?.map(({ pointer, detail }) => {
    const [, index, rest] = /^\/documents\/(\d+)(.*)$/.exec(pointer) ?? [];
    const document = index === undefined ? undefined : documents[Number(index)];
    return { pointer: document === undefined ? pointer : `“${nameOf(document)}”${rest}`, detail };
  });
  const named = { ...problem, detail: 'What is wrong is marked below.', ...(errors && { errors }) };
  return new TesseraClientError(message, { status, requestId, problem: named });
}

function withName({ place, message }: Trouble, documents: readonly SourceDocument[]): string {
  const document = place.kind === 'document' ? documents[place.index] : undefined;
  return document === undefined ? message : `“${nameOf(document)}”: ${message}`;
}

function serviceTroubles(failure: unknown): Trouble[] {
  const errors = failure instanceof TesseraClientError ? (failure.problem?.errors ?? []) : [];
  return errors.map(({ pointer, detail }) => ({ place: placeOf(pointer), message: `It ${detail}.` }));
}

/** The messages about each document; an edited document is another one. */
function byDocument(troubles: readonly Trouble[], documents: readonly SourceDocument[]): Map<SourceDocument, string> {
  return new Map(
    troubles.flatMap(({ place, message }) => {
      const document = place.kind === 'document' ? documents[place.index] : undefined;
      return document === undefined ? [] : [[document, message] as const];
    }),
  );
}

type Submission =
  | { readonly state: 'none' | 'sending' | 'cancelled' }
  | { readonly state: 'failed'; readonly failure: unknown };

/** Sends requests one at a time, and goes to the digest as soon as it has an id. */
function useSubmission() {
  const { client, session } = useService();
  const [submission, setSubmission] = useState<Submission>({ state: 'none' });
  const current = useRef<AbortController | null>(null);
  // The service continues after the view is left; ignore its answer.
  useEffect(
    () => () => {
      current.current = null;
    },
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal of the last key does not concern another one
  useEffect(() => setSubmission((before) => (isOfKey(before) ? { state: 'none' } : before)), [session]);

  const submit = async (request: DigestInput): Promise<void> => {
    if (current.current !== null) return;
    const own = new AbortController();
    current.current = own;
    setSubmission({ state: 'sending' });
    try {
      const { id } = await client.digests.submit(request, { signal: own.signal });
      markMade(request.documents);
      if (current.current === own) location.hash = hrefOf({ view: 'digest', id, face: 'read' });
    } catch (failure) {
      setSubmission(own.signal.aborted ? { state: 'cancelled' } : { state: 'failed', failure });
    }
    if (current.current === own) current.current = null;
  };
  return {
    submission,
    submit,
    cancel: () => current.current?.abort(),
    forget: () => setSubmission((before) => (before.state === 'sending' ? before : { state: 'none' })),
  };
}

function isOfKey(submission: Submission): boolean {
  if (submission.state !== 'failed') return false;
  return submission.failure instanceof AuthenticationError || submission.failure instanceof PermissionError;
}

/** Asks for confirmation before the page closes if documents would be lost. */
function useLeaveQuestion(documents: readonly SourceDocument[], pasted: string): void {
  // In a layout effect, so that it covers the text that was just typed.
  useLayoutEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (pasted.trim() !== '' || hasUnmade(documents)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [documents, pasted]);
}
