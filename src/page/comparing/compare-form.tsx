import { useEffect, useId, useRef, useState } from 'preact/hooks';
import {
  type Client,
  DigestCancelledError,
  type DigestInput,
  type Progress,
  type SourceDocument,
} from '../../client/index.ts';
import { useService, useWorkspace } from '../context.tsx';
import { intentOf } from '../making/draft.ts';
import { announce } from '../parts/browser.ts';
import { Form, TextArea } from '../parts/fields.tsx';
import { useLoaded } from '../parts/loading.tsx';
import { type DigestOptions, describeOptions, leavesOf, optionsFrom, withOptions } from '../parts/options.ts';
import { OptionsForm } from '../parts/options-form.tsx';
import { Problem } from '../parts/problem.tsx';
import { count } from '../parts/words.ts';
import { type Intent, IntentFacts, problemOf, withProblem } from '../reading/intent.tsx';
import { loadDocuments, optionsOf, type StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { STAGE_NAMES } from './figures.tsx';

interface Draft {
  readonly intent: Intent;
  readonly options: DigestOptions;
}

type Drafts = Readonly<Record<'left' | 'right', Draft>>;

interface PairPreset {
  readonly name: string;
  /** Name of the right side, if there is a left one already. */
  readonly otherName: string;
  readonly line: string;
  readonly left: (base: DigestOptions) => DigestOptions;
  readonly right: (base: DigestOptions) => DigestOptions;
}

const without = (base: DigestOptions, paths: RegExp): DigestOptions =>
  optionsFrom(leavesOf(base).filter(([path]) => !paths.test(path)));
const withStrategy = (base: DigestOptions, strategy: string): DigestOptions =>
  withOptions(without(base, /^selection\.preset$/), { 'selection.strategy': strategy });

export const PAIR_PRESETS: readonly PairPreset[] = [
  {
    name: 'Default against published',
    otherName: 'As published',
    line: 'The defaults of this service, and the selection of the paper.',
    left: (base) => without(base, /^selection\./),
    right: (base) => withOptions(without(base, /^selection\./), { 'selection.preset': 'published' }),
  },
  {
    name: 'DPP against MMR',
    otherName: 'With MMR',
    line: 'The default strategy, and the classic one: relevant and unlike what was selected before.',
    left: (base) => withStrategy(base, 'dpp-map'),
    right: (base) => withStrategy(base, 'mmr'),
  },
  {
    name: 'With and without the question’s weight',
    otherName: 'Without the question’s weight',
    line: 'Key points near the question come first, or only variety counts.',
    left: (base) => base,
    right: (base) => withOptions(base, { 'selection.relevance.weight': 0 }),
  },
];

/** Drafts of this visit, restored on return. */
const kept = new Map<string, Drafts>();

export function CompareForm({ given }: { readonly given: StoredDigest | null }) {
  const { client, session } = useService();
  const workspace = useWorkspace();
  const base: Draft =
    given === null
      ? { intent: intentOf(workspace), options: workspace.options }
      : { intent: given.request.intent, options: optionsOf(given.request) };
  const place = JSON.stringify([session, given?.digest.id ?? base]);
  const [drafts, setDrafts] = useState(() => kept.get(place) ?? { left: base, right: base });
  const [loadedCount, setLoadedCount] = useState(0);
  const [loaded, again] = useLoaded(
    place,
    async (signal): Promise<readonly SourceDocument[]> =>
      given === null
        ? workspace.documents
        : loadDocuments(client, given, workspace.documents, { signal, onLoaded: setLoadedCount }),
  );
  const runs = { left: useRun(client), right: useRun(client) };
  const documents = loaded.state === 'there' ? loaded.value : [];
  const idOf = ({ run }: Running) => (run.state === 'done' ? run.id : null);
  const made = { left: given?.digest.id ?? idOf(runs.left), right: idOf(runs.right) };
  const { left, right } = made;
  useEffect(() => {
    if (left === null || right === null) return;
    announce('Both digests are ready');
    location.hash = hrefOf({ view: 'compare', left, right });
  }, [left, right]);

  const keep = (next: Drafts): void => {
    kept.set(place, next);
    setDrafts(next);
  };
  const make = (side: 'left' | 'right'): void => {
    const { intent, options } = drafts[side];
    const input = { documents, ...options, ...(problemOf(intent).trim() !== '' && intent !== null && { intent }) };
    if (documents.length > 0 && made[side] === null) void runs[side].start(input);
  };
  const isRunning = runs.left.run.state === 'running' || runs.right.run.state === 'running';
  const isNew = given === null && runs.left.run.state === 'idle' && runs.right.run.state === 'idle';
  const sideForm = (side: 'left' | 'right') => (
    <SideForm
      name={side === 'left' ? 'Left' : 'Right'}
      draft={drafts[side]}
      onChange={(draft) => keep({ ...drafts, [side]: draft })}
      isLocked={isRunning || made[side] !== null}
      run={runs[side].run}
      again={() => make(side)}
    />
  );

  if (given === null && workspace.documents.length === 0) return <NoDocuments />;
  return (
    <>
      <p>
        {given === null
          ? 'Make two digests of the same documents in different ways: another strategy, another question, another engine.'
          : 'Make a second digest of the same documents in another way.'}
      </p>
      {loaded.state === 'loading' && given !== null && (
        <p class="loading" role="status">
          <span class="spinner" aria-hidden="true" /> Fetching the documents: {loadedCount} of{' '}
          {given.request.documents.length}…
        </p>
      )}
      {loaded.state === 'failed' && <Problem failure={loaded.failure} again={again} />}
      {documents.length > 0 && <p class="muted">{describeDocuments(documents)}</p>}
      <Form
        onSubmit={() => {
          make('left');
          make('right');
        }}
      >
        <fieldset class="actions" disabled={isRunning}>
          <legend>Presets</legend>
          {PAIR_PRESETS.map((preset) => (
            <button
              key={preset.name}
              type="button"
              title={preset.line}
              onClick={() =>
                keep({
                  left: given === null ? { ...drafts.left, options: preset.left(base.options) } : drafts.left,
                  right: { ...drafts.right, options: preset.right(base.options) },
                })
              }
            >
              {given === null ? preset.name : preset.otherName}
            </button>
          ))}
        </fieldset>
        <div class="cmp-columns">
          {given === null ? sideForm('left') : <GivenSide stored={given} />}
          {sideForm('right')}
        </div>
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning || documents.length === 0}>
            {isNew ? 'Make both' : 'Make it'}
          </button>
          {isRunning && (
            <button
              type="button"
              onClick={() => {
                runs.left.cancel();
                runs.right.cancel();
              }}
            >
              Cancel
            </button>
          )}
        </div>
      </Form>
    </>
  );
}

function NoDocuments() {
  return (
    <div class="empty">
      <p>
        Make two digests of the same documents with different settings and see what changes. Add documents first, or
        open a digest and choose “Compare with other options”.
      </p>
      <a class="button" href={hrefOf({ view: 'make' })}>
        Add documents
      </a>
    </div>
  );
}

function describeDocuments(documents: readonly SourceDocument[]): string {
  const titles = documents.slice(0, 3).map(({ id, title }) => title ?? id);
  const more = documents.length - titles.length;
  return `${count(documents.length, 'document')}: ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

interface SideFormProps {
  readonly name: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly isLocked: boolean;
  readonly run: Run;
  readonly again: () => void;
}

function SideForm({ name, draft, onChange, isLocked, run, again }: SideFormProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <RunStatus run={run} again={again} />
      <fieldset class="cmp-plain" disabled={isLocked}>
        <legend class="unseen">How the {name.toLowerCase()} one is made</legend>
        <TextArea
          label="Question"
          rows={3}
          value={problemOf(draft.intent)}
          onChange={(typed) => onChange({ ...draft, intent: withProblem(draft.intent, typed) })}
        />
        <IntentFacts intent={draft.intent} />
        <OptionsForm
          label={`${name}: options`}
          isOpen
          value={draft.options}
          onChange={(options) => onChange({ ...draft, options })}
        />
      </fieldset>
    </section>
  );
}

function RunStatus({ run, again }: { readonly run: Run; readonly again: () => void }) {
  switch (run.state) {
    case 'idle':
      return null;
    case 'failed':
      return <Problem failure={run.failure} again={again} />;
    case 'cancelled':
      return <p class="notice">Cancelled.</p>;
    case 'done':
      return (
        <p>
          <span aria-hidden="true">✓</span> Made.{' '}
          <a href={hrefOf({ view: 'digest', id: run.id, face: 'read' })}>Read it</a>
        </p>
      );
    case 'running': {
      const { stage, done = 0, total = 0 } = run.progress ?? {};
      return (
        <div class="cmp-run">
          <p role="status">{stage === undefined ? 'Waiting for the service' : STAGE_NAMES[stage]}…</p>
          <progress aria-label="Progress of this stage" {...(total > 0 && { max: total, value: done })} />
          {total > 1 && <p class="muted">{`${done} of ${total}`}</p>}
        </div>
      );
    }
  }
}

type Run =
  | { readonly state: 'idle' | 'cancelled' }
  | { readonly state: 'running'; readonly progress: Progress | null }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'done'; readonly id: string };

interface Running {
  readonly run: Run;
  /** Ignored while a digest is being made. */
  start(input: DigestInput): Promise<void>;
  cancel(): void;
}

/** The service continues if the view is left. */
function useRun(client: Client): Running {
  const [run, setRun] = useState<Run>({ state: 'idle' });
  const current = useRef<{ readonly leaving: AbortController; id: string | null } | null>(null);
  useEffect(() => () => current.current?.leaving.abort(), []);
  const start = async (input: DigestInput): Promise<void> => {
    if (current.current !== null) return;
    const leaving = new AbortController();
    const own: { leaving: AbortController; id: string | null } = { leaving, id: null };
    current.current = own;
    setRun({ state: 'running', progress: null });
    try {
      for await (const { event, data } of client.digests.stream(input, { signal: leaving.signal })) {
        if (event === 'accepted') own.id = data.id;
        if (event === 'progress') setRun({ state: 'running', progress: data });
        if (event === 'digest') return setRun({ state: 'done', id: data.id });
      }
      throw new Error('The stream ended without a digest.');
    } catch (failure) {
      const isCancelled = leaving.signal.aborted || failure instanceof DigestCancelledError;
      setRun(isCancelled ? { state: 'cancelled' } : { state: 'failed', failure });
    } finally {
      current.current = null;
    }
  };
  const cancel = (): void => {
    const own = current.current;
    if (own === null) return;
    if (own.id === null) own.leaving.abort();
    // Cancelling ends the stream. If the cancel request fails, stop waiting.
    else client.digests.cancel(own.id).catch(() => own.leaving.abort());
  };
  return { run, start, cancel };
}

function GivenSide({ stored: { digest, request } }: { readonly stored: StoredDigest }) {
  return (
    <section class="panel" aria-labelledby="cmp-given">
      <h2 id="cmp-given">Left: this digest</h2>
      <p>{problemOf(request.intent) || 'No question.'}</p>
      <IntentFacts intent={request.intent} />
      <p class="muted">{describeOptions(optionsOf(request)) ?? 'All options are the defaults.'}</p>
      <ol>
        {digest.summary.sentences.slice(0, 6).map(({ text }, index) => (
          <li key={index}>{text}</li>
        ))}
      </ol>
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read the digest</a>
      </p>
    </section>
  );
}
