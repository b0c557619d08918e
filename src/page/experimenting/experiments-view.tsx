import pLimit from 'p-limit';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { AuthenticationError, type Client, type Experiment, PermissionError } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Loading } from '../parts/loading.tsx';
import { usePages } from '../parts/pages.ts';
import { Problem } from '../parts/problem.tsx';
import { count, moment, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import './experiments.css';

/** Experiments per page. */
const LIMIT = 30;
const COMPARE = hrefOf({ view: 'compare', left: null, right: null });

export function ExperimentsView() {
  const { client } = useService();
  const {
    items: experiments,
    next,
    isLoading,
    failure,
    more,
  } = usePages(useCallback((page) => client.experiments.list({ limit: LIMIT, ...page }), [client]));
  const readers = useReaders(client, experiments);
  return (
    <>
      <h1>Experiments</h1>
      <ul class="exp-list">
        {experiments.map((experiment) => (
          <Entry key={experiment.key} experiment={experiment} readers={readers.get(experiment.key)} />
        ))}
      </ul>
      {isLoading && next === undefined && <Loading what="the experiments" />}
      {failure !== null && <ExperimentProblem failure={failure} again={more} />}
      {typeof next === 'string' && (
        <p class="actions">
          <button type="button" aria-disabled={isLoading} onClick={() => isLoading || more()}>
            {isLoading ? 'Reading…' : 'Show more'}
          </button>
        </p>
      )}
      {next === null && experiments.length === 0 && (
        <div class="empty">
          <p>
            There are no experiments yet. An experiment gives some of your readers one kind of digest and the others
            another, and shows which works better.
          </p>
          <a class="button" href={COMPARE}>
            Compare two digests to begin
          </a>
        </div>
      )}
      {experiments.length > 0 && (
        <p class="muted">
          Create an experiment by <a href={COMPARE}>comparing two digests</a>.
        </p>
      )}
    </>
  );
}

/** Reader counts of started experiments, requested two at a time because they are slow. Null if unknown. */
function useReaders(client: Client, experiments: readonly Experiment[]): ReadonlyMap<string, number | null> {
  const [readers, setReaders] = useState<ReadonlyMap<string, number | null>>(new Map());
  const asked = useRef(new Set<string>());
  const few = useRef(pLimit(2));
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  useEffect(() => {
    const { signal } = leaving.current;
    for (const { key, status } of experiments) {
      if (status === 'draft' || asked.current.has(key)) continue;
      asked.current.add(key);
      void few.current(async () => {
        if (signal.aborted) return;
        const results = await client.experiments.results(key, { signal }).catch(() => null);
        if (!signal.aborted) setReaders((before) => new Map(before).set(key, results?.exposed ?? null));
      });
    }
  }, [client, experiments]);
  return readers;
}

interface EntryProps {
  readonly experiment: Experiment;
  /** Null if unknown, undefined while loading. */
  readonly readers: number | null | undefined;
}

function Entry({ experiment, readers }: EntryProps) {
  const { key, status, hypothesis, variants, startedAt, stoppedAt, createdAt } = experiment;
  const facts = [
    variants.map(({ name, weight }) => `${name} ${percent(weight)}`).join(', '),
    startedAt === null ? `Made ${moment(createdAt)}` : `Started ${moment(startedAt)}`,
    stoppedAt !== null && `Ended ${moment(stoppedAt)}`,
    status !== 'draft' && readers === undefined && 'counting readers…',
    status !== 'draft' && typeof readers === 'number' && count(readers, 'reader'),
  ];
  return (
    <li class="panel exp-entry">
      <h2>
        <a href={hrefOf({ view: 'experiment', key })}>{key}</a> <StateBadge status={status} />
      </h2>
      <p>{hypothesis}</p>
      <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
    </li>
  );
}

const STATES = { draft: '○ Draft', running: '● Running', stopped: '■ Stopped' } as const;

export function StateBadge({ status }: Pick<Experiment, 'status'>) {
  return <span class={`exp-state ${status}`}>{STATES[status]}</span>;
}

/** A failure, with a hint if the key is missing or lacks the scope. */
export function ExperimentProblem({ failure, again }: { readonly failure: unknown; readonly again: () => void }) {
  return (
    <>
      {failure instanceof PermissionError && (
        <p class="notice">
          Your API key cannot read experiments. Enter a key with the scope “experiments” in the menu at the top right.
        </p>
      )}
      {failure instanceof AuthenticationError && (
        <p class="notice">Experiments need an API key with the scope “experiments”.</p>
      )}
      <Problem failure={failure} again={again} />
    </>
  );
}
