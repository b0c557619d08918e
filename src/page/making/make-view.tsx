import { useEffect, useRef, useState } from 'preact/hooks';
import { type SourceDocument, TesseraClientError } from '../../client/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { OptionsForm } from '../parts/options-form.tsx';
import { hrefOf } from '../route.ts';
import { useWorkspace } from '../workspace.tsx';
import { nameOf } from './document-facts.ts';
import { DocumentsPanel } from './documents-panel.tsx';
import { type Draft, requestOf, type Trouble, troublesOf } from './draft.ts';
import { IntentFields } from './intent-fields.tsx';
import { MakeProblem } from './make-problem.tsx';
import './making.css';
import { type Place, placeOf } from './places.ts';
import { RunPanel } from './run-panel.tsx';
import { TroubledDocuments } from './troubled-documents.tsx';
import { type Became, useDigestRun } from './use-digest-run.ts';
import { useDocuments } from './use-documents.ts';
import { useLeaveQuestion } from './use-leave-question.ts';

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
