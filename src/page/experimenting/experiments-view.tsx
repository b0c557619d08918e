import { useCallback } from 'preact/hooks';
import type { Experiment } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { Loading } from '../parts/loading.tsx';
import { usePages } from '../parts/pages.ts';
import { LoadProblem } from '../parts/problem.tsx';
import { moment, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import './experiments.css';

/** Experiments per page. */
const LIMIT = 30;

export function ExperimentsView() {
  const { client } = useService();
  const { items, next, isLoading, failure, more } = usePages(
    useCallback((page) => client.experiments.list({ limit: LIMIT, ...page }), [client]),
  );
  return (
    <>
      <h1>Experiments</h1>
      <ul class="exp-list">
        {items.map((experiment) => (
          <Entry key={experiment.key} experiment={experiment} />
        ))}
      </ul>
      {isLoading && next === undefined && <Loading what="the experiments" />}
      {failure !== null && <LoadProblem failure={failure} again={more} />}
      {typeof next === 'string' && (
        <p class="actions">
          <button type="button" disabled={isLoading} onClick={more}>
            Show more
          </button>
        </p>
      )}
      {next === null && items.length === 0 && (
        <div class="empty">
          <p>
            There are no experiments yet. An experiment gives some of your readers one kind of digest and the others
            another, and shows which works better. Your app creates it by the API.
          </p>
          <a class="button" href="/docs">
            Open the API reference
          </a>
        </div>
      )}
    </>
  );
}

function Entry({ experiment }: { readonly experiment: Experiment }) {
  const { key, status, hypothesis, variants, startedAt, stoppedAt, createdAt } = experiment;
  const facts = [
    variants.map(({ name, weight }) => `${name} ${percent(weight)}`).join(', '),
    startedAt === null ? `Made ${moment(createdAt)}` : `Started ${moment(startedAt)}`,
    stoppedAt !== null && `Ended ${moment(stoppedAt)}`,
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
