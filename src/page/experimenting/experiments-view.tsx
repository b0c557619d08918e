import './experiments.css';
import { useState } from 'preact/hooks';
import type { Client, Experiment } from '../../client/index.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { moment } from '../parts/dates.ts';
import { Loading } from '../parts/loading.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { ExperimentProblem } from './experiment-problem.tsx';
import { counted, percent } from './results-words.ts';
import { StateBadge } from './state-badge.tsx';
import { useSubjects } from './use-subjects.ts';

/** Experiments that are read at once. */
const PAGE = 30;

interface Part {
  readonly experiments: readonly Experiment[];
  readonly next: string | null;
}

/** All experiments, the newest first. */
export function ExperimentsView() {
  const { client, session } = useService();
  const [loaded, again] = useLoaded(`${session}`, (signal) => readPart(client, undefined, signal));
  return (
    <>
      <h1>Experiments</h1>
      {loaded.state === 'loading' && <Loading what="the experiments" />}
      {loaded.state === 'failed' && <ExperimentProblem failure={loaded.failure} again={again} />}
      {loaded.state === 'there' && <List first={loaded.value} />}
    </>
  );
}

function List({ first }: { readonly first: Part }) {
  const { client } = useService();
  const announce = useAnnounce();
  const [more, setMore] = useState<Part>({ experiments: [], next: first.next });
  const [reading, setReading] = useState<{ readonly isOn: boolean; readonly failure: unknown }>({
    isOn: false,
    failure: null,
  });
  const shown = [...first.experiments, ...more.experiments];
  const subjects = useSubjects(client, shown);
  if (shown.length === 0) return <Empty />;
  const { next } = more;
  const readMore = async (): Promise<void> => {
    if (next === null || reading.isOn) return;
    setReading({ isOn: true, failure: null });
    try {
      const part = await readPart(client, next);
      setMore((before) => ({ experiments: [...before.experiments, ...part.experiments], next: part.next }));
      setReading({ isOn: false, failure: null });
      announce(`${part.experiments.length} more experiments`);
    } catch (failure) {
      setReading({ isOn: false, failure });
    }
  };
  return (
    <>
      <ul class="exp-list">
        {shown.map((experiment) => (
          <Entry key={experiment.key} experiment={experiment} subjects={subjects.get(experiment.key)} />
        ))}
      </ul>
      {reading.failure !== null && <ExperimentProblem failure={reading.failure} again={() => void readMore()} />}
      {next !== null && (
        <p class="actions">
          <button type="button" aria-disabled={reading.isOn} onClick={() => void readMore()}>
            {reading.isOn ? 'Reading…' : 'Show more'}
          </button>
        </p>
      )}
      <p class="muted">
        Create an experiment by <a href={hrefOf({ view: 'compare', left: null, right: null })}>comparing two digests</a>
        .
      </p>
    </>
  );
}

interface EntryProps {
  readonly experiment: Experiment;
  /** Null where it cannot be told, undefined where it is not known yet. */
  readonly subjects: number | null | undefined;
}

function Entry({ experiment, subjects }: EntryProps) {
  const { key, status, hypothesis, variants, startedAt, stoppedAt, createdAt } = experiment;
  return (
    <li class="panel exp-entry">
      <h2>
        <a href={hrefOf({ view: 'experiment', key })}>{key}</a> <StateBadge status={status} />
      </h2>
      <p>{hypothesis}</p>
      <p class="muted">
        {variants.map(({ name, weight }) => `${name} ${percent(weight)}`).join(', ')}
        {' · '}
        {startedAt === null ? `Made ${moment(createdAt)}` : `Started ${moment(startedAt)}`}
        {stoppedAt !== null && ` · Ended ${moment(stoppedAt)}`}
        {status !== 'draft' && typeof subjects === 'number' && ` · ${counted(subjects, 'reader')}`}
        {status !== 'draft' && subjects === undefined && ' · counting readers…'}
      </p>
    </li>
  );
}

function Empty() {
  return (
    <div class="empty">
      <p>
        There are no experiments yet. An experiment gives some of your readers one kind of digest and the others
        another, and shows which works better.
      </p>
      <a class="button" href={hrefOf({ view: 'compare', left: null, right: null })}>
        Compare two digests to begin
      </a>
    </div>
  );
}

async function readPart(client: Client, cursor: string | undefined, signal?: AbortSignal): Promise<Part> {
  for await (const { items, next } of client.experiments.list({ limit: PAGE, cursor, signal }).pages()) {
    return { experiments: items, next };
  }
  return { experiments: [], next: null };
}
