import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type SourceDocument, TesseraClientError } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { OptionsForm } from '../parts/options-form.tsx';
import { hrefOf } from '../route.ts';
import { useWorkspace } from '../workspace.tsx';
import { nameOf } from './document-facts.ts';
import { DocumentList } from './document-list.tsx';
import { DocumentsField } from './documents-field.tsx';
import { type Draft, requestOf, type Trouble, troubleOfDocument, troublesOf } from './draft.ts';
import { hasUnmade } from './made-documents.ts';
import { MakeProblem } from './make-problem.tsx';
import { pastedDocument } from './pasted.ts';
import { type Place, placeOf } from './places.ts';
import { ReaderFields } from './reader-fields.tsx';
import { type Documents, useDocuments } from './use-documents.ts';
import { useSubmission } from './use-submission.ts';
import './making.css';

/** The first view: a question, documents, and a button. */
export function AskView() {
  const { intent, options, reader, pasted, change } = useWorkspace();
  const documents = useDocuments();
  const { submission, submit, cancel, forget } = useSubmission();
  const [isRefused, setRefused] = useState(false);
  const [sought, seek] = useState<SourceDocument | null>(null);
  const problems = useRef<HTMLDivElement>(null);
  useLeaveQuestion(documents.list, pasted);

  const draft: Draft = { documents: documents.list, intent, options, reader };
  // What was put right is not complained of any longer.
  const own = isRefused
    ? troublesOf(draft).filter(({ place }) => place.kind !== 'documents' || pasted.trim() === '')
    : [];
  const pastedTrouble = pasted.trim() === '' ? null : troubleOfDocument({ text: pasted });
  const sent = useRef(documents.list);
  const service = submission.state === 'failed' ? serviceTroubles(submission.failure) : [];
  const at = (kind: Place['kind']): string | null =>
    [...own, ...service].find(({ place }) => place.kind === kind)?.message ?? null;
  const troubles = new Map([...byDocument(own, documents.list), ...byDocument(service, sent.current)]);
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
    if (pasted.trim() !== '') {
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
  const optionsTrouble = at('options');
  const readerTrouble = at('reader');

  return (
    <div class="ask">
      <h1>Ask your documents</h1>
      <p class="ask-lead">
        Get a short answer in which every sentence is cited to an exact quote. <Example documents={documents} />
      </p>
      <form
        class="ask-form"
        aria-label="Ask"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
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
            {optionsTrouble !== null && <p class="making-wrong">⚠ {optionsTrouble}</p>}
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
      </form>
      <div ref={problems} tabIndex={-1} class="making-problems">
        {submission.state === 'failed' && <MakeProblem failure={submission.failure} documents={sent.current} />}
        {submission.state === 'cancelled' && (
          <p class="notice" role="alert">
            Cancelled. If the service had received it by then, the digest is in the{' '}
            <a href={hrefOf({ view: 'digests' })}>list of digests</a>.
          </p>
        )}
        {own.length > 0 && (
          <div class="problem" role="alert">
            <p>
              {named(own[0], documents.list)}
              {own.length > 1 && ` ${own.length - 1} more, marked below.`}
            </p>
          </div>
        )}
        <TroubledDocuments documents={documents.list.filter((each) => troubles.has(each))} onSeek={seek} />
      </div>
      <DocumentList documents={documents} troubles={troubles} sought={sought} onFound={() => seek(null)} />
    </div>
  );
}

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
            // A question is one line: Enter asks it, as in a search.
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      {trouble !== null && (
        <p id="ask-question-wrong" class="making-wrong">
          ⚠ {trouble}
        </p>
      )}
    </>
  );
}

/** Adds documents to try the page with. They stand beside what is there, and are marked in the list. */
function Example({ documents }: { readonly documents: Documents }) {
  const { intent, change } = useWorkspace();
  const announce = useAnnounce();
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

/** Documents that are named; more are marked in the list. */
const MAX = 3;

interface TroubledDocumentsProps {
  readonly documents: readonly SourceDocument[];
  readonly onSeek: (document: SourceDocument) => void;
}

/** The ways from what is said at the top to the documents that it is about. */
function TroubledDocuments({ documents, onSeek }: TroubledDocumentsProps) {
  if (documents.length === 0) return null;
  return (
    <p class="actions">
      {documents.slice(0, MAX).map((document) => (
        <button key={document.id} type="button" class="making-seek" onClick={() => onSeek(document)}>
          Go to “{nameOf(document)}”
        </button>
      ))}
      {documents.length > MAX && <span class="muted">and {documents.length - MAX} more, marked below</span>}
    </p>
  );
}

/** What is wrong, with the name of the document that it is in. */
function named({ place, message }: Trouble, documents: readonly SourceDocument[]): string {
  const document = place.kind === 'document' ? documents[place.index] : undefined;
  return document === undefined ? message : `“${nameOf(document)}”: ${message}`;
}

/** What the service pointed at. */
function serviceTroubles(failure: unknown): Trouble[] {
  const errors = failure instanceof TesseraClientError ? (failure.problem?.errors ?? []) : [];
  return errors.map(({ pointer, detail }) => ({ place: placeOf(pointer), message: `It ${detail}.` }));
}

/** Troubles with documents as they are: one that was changed is another document. */
function byDocument(troubles: readonly Trouble[], documents: readonly SourceDocument[]): Map<SourceDocument, string> {
  return new Map(
    troubles.flatMap(({ place, message }) => {
      const document = place.kind === 'document' ? documents[place.index] : undefined;
      return document === undefined ? [] : [[document, message] as const];
    }),
  );
}

/** Has the browser ask before the page is closed or loaded again, while documents would be lost with it. */
function useLeaveQuestion(documents: readonly SourceDocument[], pasted: string): void {
  // Not after the next picture: what was just typed would be lost until then.
  useLayoutEffect(() => {
    if (documents.length === 0 && pasted.trim() === '') return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (pasted.trim() !== '' || hasUnmade(documents)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [documents, pasted]);
}
