import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { DigestInput, Progress, SourceDocument } from '../../client/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import { intentOf } from '../making/draft.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { tidy } from '../parts/change-options.ts';
import { OptionsForm } from '../parts/options-form.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { loadDocuments } from '../reading/load-documents.ts';
import { optionsOf, type StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { useWorkspace, type Workspace } from '../workspace.tsx';
import type { Side } from './compare-metrics.ts';
import { type IntentInput, restOf, sentIntent, textOf, withText } from './intent-text.ts';
import { leavesOf } from './option-leaves.ts';
import { PAIR_PRESETS, type PairPreset } from './pair-presets.ts';
import { type Run, type Running, useRun } from './use-run.ts';
import { describeOption, optionName } from './words-of-options.ts';

const STAGES: Readonly<Record<Progress['stage'], string>> = {
  extract: 'Reading the documents',
  encode: 'Comparing key points',
  rank: 'Matching them with the question',
  select: 'Selecting key points',
  write: 'Writing',
};

/** How far one side has come. */
function RunStatus({ run, again }: { readonly run: Run; readonly again: () => void }) {
  if (run.state === 'idle') return null;
  if (run.state === 'failed') return <Problem failure={run.failure} again={again} />;
  if (run.state === 'cancelled') return <p class="notice">Cancelled.</p>;
  if (run.state === 'done') {
    return (
      <p class="cmp-run">
        <span aria-hidden="true">✓</span> Made.{' '}
        <a href={hrefOf({ view: 'digest', id: run.id, face: 'read' })}>Read it</a>
      </p>
    );
  }
  const { progress } = run;
  return (
    <div class="cmp-run">
      <p role="status">{progress === null ? 'Waiting for the service' : STAGES[progress.stage]}…</p>
      <progress
        aria-label="How far this stage has come"
        {...(progress !== null && progress.total > 0 && { max: progress.total, value: progress.done })}
      />
      {progress !== null && progress.total > 1 && (
        <p class="muted">
          {progress.done} of {progress.total}
        </p>
      )}
    </div>
  );
}

interface SideFormProps {
  readonly side: Side;
  readonly draft: SideDraft;
  readonly onChange: (draft: SideDraft) => void;
  readonly isLocked: boolean;
  readonly running: Running;
  readonly again: () => void;
}

/** How one side is to be made, and how far that has come. */
function SideForm({ side, draft, onChange, isLocked, running, again }: SideFormProps) {
  const id = useId();
  const name = side === 'left' ? 'Left' : 'Right';
  const rest = restOf(draft.intent);
  return (
    <section class="cmp-side panel" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <RunStatus run={running.run} again={again} />
      <fieldset class="cmp-plain" disabled={isLocked}>
        <legend class="unseen">How the {side} one is made</legend>
        <label>
          Question
          <textarea
            rows={3}
            value={textOf(draft.intent)}
            onInput={({ currentTarget }) => onChange({ ...draft, intent: withText(draft.intent, currentTarget.value) })}
          />
        </label>
        {rest.length > 0 && (
          <dl class="cmp-rest">
            {rest.map(({ name: what, text }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        )}
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

/** What was chosen last of the same beginnings, so that it is there again for who comes back. */
const kept = new Map<string, Readonly<Record<Side, SideDraft>>>();

/** Chooses how two digests of the same documents are made, and has them made; the left one may be there already. */
export function CompareForm({ given }: { readonly given: StoredDigest | null }) {
  const { client, session } = useService();
  const workspace = useWorkspace();
  const announce = useAnnounce();
  const beginning = given?.digest.id ?? [intentOf(workspace), workspace.options];
  const place = JSON.stringify([session, beginning]);
  const [drafts, setDrafts] = useState(() => kept.get(place) ?? draftsOf(given, workspace));
  const [loadedCount, setLoadedCount] = useState(0);
  const [loaded, again] = useLoaded(
    place,
    async (signal): Promise<readonly SourceDocument[]> =>
      given === null ? [] : loadDocuments(client, given, workspace.documents, { signal, onLoaded: setLoadedCount }),
  );
  const [left, right] = [useRun(client), useRun(client)];
  const documents = given === null ? workspace.documents : loaded.state === 'there' ? loaded.value : null;
  const madeLeft = given?.digest.id ?? (left.run.state === 'done' ? left.run.id : null);
  const madeRight = right.run.state === 'done' ? right.run.id : null;

  useEffect(() => {
    if (madeLeft === null || madeRight === null) return;
    announce('Both digests are ready');
    location.hash = hrefOf({ view: 'compare', left: madeLeft, right: madeRight });
  }, [madeLeft, madeRight, announce]);

  const isRunning = left.run.state === 'running' || right.run.state === 'running';
  const keep = (next: Readonly<Record<Side, SideDraft>>): void => {
    kept.set(place, next);
    setDrafts(next);
  };
  const base = useMemo(
    () => (given === null ? workspace.options : optionsOf(given.request)),
    [given, workspace.options],
  );
  const take = (preset: PairPreset): void =>
    keep({
      left: given === null ? { ...drafts.left, options: preset.left(base) } : drafts.left,
      right: { ...drafts.right, options: preset.right(base) },
    });
  const make = (side: Side): void => {
    if (documents === null) return;
    (side === 'left' ? left : right).start(inputOf(documents, drafts[side]));
  };
  const makeBoth = (): void => {
    if (madeLeft === null) make('left');
    if (madeRight === null) make('right');
  };

  if (given === null && workspace.documents.length === 0) return <NoDocuments />;
  return (
    <>
      <h1>Compare</h1>
      <p>
        {given === null
          ? 'Make two digests of the same documents in different ways: another strategy, another question, another engine.'
          : 'Make a second digest of the same documents in another way.'}
      </p>
      {given !== null && loaded.state === 'loading' && (
        <p class="loading" role="status">
          <span class="spinner" aria-hidden="true" /> Fetching the documents: {loadedCount} of{' '}
          {given.request.documents.length}…
        </p>
      )}
      {given !== null && loaded.state === 'failed' && <Problem failure={loaded.failure} again={again} />}
      {documents !== null && <p class="muted">{describeDocuments(documents)}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          makeBoth();
        }}
      >
        <fieldset class="cmp-presets" disabled={isRunning}>
          <legend>Presets</legend>
          {PAIR_PRESETS.map((preset) => (
            <button key={preset.name} type="button" title={preset.line} onClick={() => take(preset)}>
              {given === null ? preset.name : preset.otherName}
            </button>
          ))}
        </fieldset>
        <div class="cmp-columns">
          {given === null ? (
            <SideForm
              side="left"
              draft={drafts.left}
              onChange={(changed) => keep({ ...drafts, left: changed })}
              isLocked={isRunning || madeLeft !== null}
              running={left}
              again={() => make('left')}
            />
          ) : (
            <GivenSide stored={given} />
          )}
          <SideForm
            side="right"
            draft={drafts.right}
            onChange={(changed) => keep({ ...drafts, right: changed })}
            isLocked={isRunning || madeRight !== null}
            running={right}
            again={() => make('right')}
          />
        </div>
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning || documents === null || documents.length === 0}>
            {given === null && left.run.state === 'idle' && right.run.state === 'idle' ? 'Make both' : 'Make it'}
          </button>
          {isRunning && (
            <button
              type="button"
              onClick={() => {
                left.cancel();
                right.cancel();
              }}
            >
              Cancel
            </button>
          )}
        </div>
      </form>
    </>
  );
}

function NoDocuments() {
  return (
    <>
      <h1>Compare</h1>
      <div class="empty">
        <p>
          Make two digests of the same documents with different settings and see what changes. Add documents first, or
          open a digest and choose “Compare with other options”.
        </p>
        <a class="button" href={hrefOf({ view: 'make' })}>
          Add documents
        </a>
      </div>
    </>
  );
}

function draftsOf(given: StoredDigest | null, workspace: Workspace): Readonly<Record<Side, SideDraft>> {
  const draft =
    given === null
      ? { intent: intentOf(workspace) ?? undefined, options: workspace.options }
      : { intent: given.request.intent ?? undefined, options: optionsOf(given.request) };
  return { left: draft, right: draft };
}

function inputOf(documents: readonly SourceDocument[], { intent, options }: SideDraft): DigestInput {
  const asked = sentIntent(intent);
  return { documents, ...(asked !== undefined && { intent: asked }), ...tidy(options) };
}

function describeDocuments(documents: readonly SourceDocument[]): string {
  const titles = documents.slice(0, 3).map(({ id, title }) => title ?? id);
  const more = documents.length - titles.length;
  const count = documents.length === 1 ? 'One document' : `${documents.length} documents`;
  return `${count}: ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** The side that is there already: what was asked for, and its first sentences. */
function GivenSide({ stored }: { readonly stored: StoredDigest }) {
  const { digest, request } = stored;
  const intent = request.intent ?? undefined;
  const options = leavesOf(optionsOf(request));
  const { sentences } = digest.summary;
  return (
    <section class="cmp-side panel" aria-labelledby="cmp-given">
      <h2 id="cmp-given">Left: this digest</h2>
      <dl class="cmp-rest">
        <div>
          <dt>Question</dt>
          <dd>{textOf(intent) || 'none'}</dd>
        </div>
        {restOf(intent).map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {options.map(({ path, value }) => (
          <div key={path.join('.')}>
            <dt>{optionName(path.join('.'))}</dt>
            <dd>{describeOption(value)}</dd>
          </div>
        ))}
      </dl>
      {options.length === 0 && <p class="muted">All options are the defaults.</p>}
      <ol class="cmp-glance">
        {sentences.slice(0, 6).map(({ text }, place) => (
          <li key={place}>{text}</li>
        ))}
      </ol>
      {sentences.length > 6 && <p class="muted">and {sentences.length - 6} more sentences</p>}
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read the digest</a>
      </p>
    </section>
  );
}

/** How one side is to be made. */
interface SideDraft {
  readonly intent: IntentInput;
  readonly options: DigestOptions;
}
