import { useEffect, useRef, useState } from 'preact/hooks';
import { type SourceDocument, TesseraClientError } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { OptionsForm } from '../parts/options-form.tsx';
import { hrefOf } from '../route.ts';
import { useWorkspace } from '../workspace.tsx';
import { nameOf } from './document-facts.ts';
import { DocumentsPanel } from './documents-panel.tsx';
import { type Draft, NO_READER, type Reader, requestOf, type Trouble, troublesOf } from './draft.ts';
import { hasUnmade } from './made-documents.ts';
import { MakeProblem } from './make-problem.tsx';
import { type Place, placeOf } from './places.ts';
import { RunPanel } from './run-panel.tsx';
import { type Became, useDigestRun } from './use-digest-run.ts';
import { useDocuments } from './use-documents.ts';
import './making.css';

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

/** Where a digest is put together, and watched while it is made. */
export function MakeView() {
  const { intent, options, reader, change } = useWorkspace();
  const documents = useDocuments();
  const { run, progress, isBroken, left, start, cancel, forget } = useDigestRun();
  const [isRefused, setRefused] = useState(false);
  const [sought, seek] = useState<SourceDocument | null>(null);
  const announce = useAnnounce();
  const problems = useRef<HTMLDivElement>(null);

  const isMaking = run.state === 'making';
  useLeaveQuestion(documents.list);
  const draft: Draft = { documents: documents.list, intent, options, reader };
  // What was put right is not complained of any longer.
  const own = isRefused ? troublesOf(draft) : [];
  const sent = useRef(documents.list);
  const service = run.state === 'failed' ? told(run.failure) : [];
  const at = (kind: Place['kind']): string | null =>
    [...own, ...service].find(({ place }) => place.kind === kind)?.message ?? null;
  const troubles = new Map([...byDocument(own, documents.list), ...byDocument(service, sent.current)]);
  const hasProblem = own.length > 0 || run.state === 'failed' || run.state === 'cancelled';
  useEffect(() => {
    if (hasProblem) problems.current?.focus();
  }, [hasProblem]);

  useEffect(() => {
    if (own.length === 0) setRefused(false);
  }, [own.length]);

  const make = (): void => {
    forget();
    if (troublesOf(draft).length > 0) {
      setRefused(true);
      problems.current?.focus();
      return;
    }
    setRefused(false);
    if (!isMaking) sent.current = documents.list;
    start(requestOf(draft));
  };
  const takeExample = async (): Promise<void> => {
    const { EXAMPLE } = await import('../example/example.ts');
    const taken = new Set(EXAMPLE.documents.map(({ id }) => id));
    documents.put([...documents.latest().filter(({ id }) => !taken.has(id)), ...EXAMPLE.documents]);
    change({ intent: EXAMPLE.intent });
    announce('The example is there: eight documents and a question.');
  };

  return (
    <>
      {isMaking && (
        <RunPanel
          documents={sent.current}
          progress={progress}
          startedAt={run.startedAt}
          isBroken={isBroken}
          isCancelling={run.isCancelling}
          onCancel={cancel}
        />
      )}
      {/* What is typed and not added yet stays for when it is cancelled. */}
      <div hidden={isMaking}>
        <h1>New digest</h1>
        <p class="making-lead">
          Many documents and one question become a short text in which every sentence is cited to an exact quote.
        </p>
        {left !== null && (
          <p class="notice">
            The digest that you began before may still be under way:{' '}
            <a href={hrefOf({ view: 'digest', id: left, face: 'read' })}>look at it</a>.
          </p>
        )}
        <div ref={problems} tabIndex={-1} class="making-problems">
          {run.state === 'failed' && <MakeProblem failure={run.failure} documents={sent.current} />}
          {run.state === 'failed' && run.mayGoOn !== null && (
            <p class="notice">
              The service had taken the digest, and may still finish it:{' '}
              <a href={hrefOf({ view: 'digest', id: run.mayGoOn, face: 'read' })}>look at it</a>.
            </p>
          )}
          {run.state === 'cancelled' && <Cancelled became={run.became} />}
          {own.length > 0 && (
            <div class="problem" role="alert">
              <p>
                <strong>Not yet.</strong> {named(own[0], documents.list)}
                {own.length > 1 && ` And ${own.length - 1} more, marked below.`}
              </p>
            </div>
          )}
          <TroubledDocuments documents={documents.list.filter((each) => troubles.has(each))} onSeek={seek} />
        </div>
        <div class="making">
          <DocumentsPanel
            documents={documents}
            troubles={troubles}
            sought={sought}
            onFound={() => seek(null)}
            trouble={at('documents')}
            onExample={() => void takeExample()}
          />
          <div class="making-asked">
            <IntentFields
              intent={intent}
              onIntent={(asked) => change({ intent: asked })}
              reader={reader}
              onReader={(next) => change({ reader: next })}
              intentTrouble={at('intent')}
              readerTrouble={at('reader')}
            />
            <OptionsForm legend="Options" value={options} onChange={(changed) => change({ options: changed })} />
            {at('options') !== null && <p class="making-wrong">⚠ {at('options')}</p>}
            <button type="button" class="primary making-make" onClick={make}>
              Make the digest
            </button>
          </div>
        </div>
      </div>
    </>
  );
}

function Cancelled({ became }: { readonly became: Became }) {
  return (
    <p class="notice" role="alert">
      {became.kind === 'cancelled' && 'The digest was cancelled. What you put together is still here.'}
      {became.kind === 'unknown' && (
        <>
          Given up before the service answered. Should it have begun all the same, the digest is in the{' '}
          <a href={hrefOf({ view: 'digests' })}>list</a>.
        </>
      )}
      {became.kind === 'unreached' && (
        <>
          The service could not be reached to cancel it, and may still finish it:{' '}
          <a href={hrefOf({ view: 'digest', id: became.id, face: 'read' })}>look at it</a>.
        </>
      )}
      {became.kind === 'finished' && (
        <>
          It was finished before it could be cancelled:{' '}
          <a href={hrefOf({ view: 'digest', id: became.id, face: 'read' })}>read it</a>.
        </>
      )}
      {became.kind === 'failed' && 'It had failed before it could be cancelled. What you put together is still here.'}
    </p>
  );
}

/** What is wrong, with the name of the document that it is in. */
function named({ place, message }: Trouble, documents: readonly SourceDocument[]): string {
  const document = place.kind === 'document' ? documents[place.index] : undefined;
  return document === undefined ? message : `“${nameOf(document)}”: ${message}`;
}

/** What the service pointed at. */
function told(failure: unknown): Trouble[] {
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
function useLeaveQuestion(documents: readonly SourceDocument[]): void {
  useEffect(() => {
    if (documents.length === 0) return;
    const ask = (event: BeforeUnloadEvent): void => {
      if (hasUnmade(documents)) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [documents]);
}

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
function IntentFields({ intent, onIntent, reader, onReader, intentTrouble, readerTrouble }: IntentFieldsProps) {
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
