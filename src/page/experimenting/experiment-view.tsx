import './experiments.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExperimentHistory, ExperimentResults } from '../../client/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { moment, timeOfDay } from '../parts/dates.ts';
import { Loading } from '../parts/loading.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { Actions } from './actions.tsx';
import { Allocation } from './allocation.tsx';
import { AssignmentBox } from './assignment-box.tsx';
import { ExperimentProblem } from './experiment-problem.tsx';
import { MetricPanel } from './metric-panel.tsx';
import { counted, metricName, percent, tellConclusion, tellVerdict, warningsOf } from './results-words.ts';
import { StateBadge } from './state-badge.tsx';

interface Read {
  readonly experiment: ExperimentHistory;
  readonly results: ExperimentResults;
  readonly at: Date;
}

/** An experiment: its conclusion, what to be wary of, who gets what, and every metric. */
export function ExperimentView({ experiment: key }: { readonly experiment: string }) {
  const { client, session } = useService();
  const announce = useAnnounce();
  const [version, setVersion] = useState<number | undefined>(undefined);
  const [loaded, again] = useLoaded(`${key} ${version} ${session}`, async (signal): Promise<Read> => {
    const [experiment, results] = await Promise.all([
      client.experiments.get(key, { version, signal }),
      client.experiments.results(key, { version, signal }),
    ]);
    return { experiment, results, at: new Date() };
  });
  // What was read last stays while it is read again, so that nothing jumps and the keyboard stays where it is.
  const last = useRef<Read | null>(null);
  const asked = useRef(false);
  if (loaded.state === 'there') last.current = loaded.value;
  useEffect(() => {
    if (loaded.state !== 'there' || !asked.current) return;
    asked.current = false;
    announce('The results were read again');
  }, [loaded, announce]);
  const read = last.current;
  const refresh = (): void => {
    asked.current = true;
    again();
  };
  if (loaded.state === 'failed') {
    return (
      <>
        <h1>{key}</h1>
        <ExperimentProblem failure={loaded.failure} again={again} />
        <p>
          <a href={hrefOf({ view: 'experiments' })}>All experiments</a>
        </p>
      </>
    );
  }
  if (read === null) {
    return (
      <>
        <h1>{key}</h1>
        <Loading what="the experiment" />
      </>
    );
  }
  return (
    <Shown
      read={read}
      isReading={loaded.state === 'loading'}
      refresh={refresh}
      changed={again}
      version={version}
      choose={setVersion}
    />
  );
}

interface ShownProps {
  readonly read: Read;
  readonly isReading: boolean;
  readonly refresh: () => void;
  readonly changed: () => void;
  readonly version: number | undefined;
  readonly choose: (version: number) => void;
}

function Shown({ read, isReading, refresh, changed, version, choose }: ShownProps) {
  const { experiment, results, at } = read;
  const { status, startedAt, stoppedAt, versions } = experiment;
  const isNewest = experiment.version === versions[0]?.version;
  const warnings = warningsOf(results, experiment);
  return (
    <>
      <p class="exp-top muted">
        <StateBadge status={status} />
        {startedAt !== null && <span>Started {moment(startedAt)}</span>}
        {stoppedAt !== null && <span>Ended {moment(stoppedAt)}</span>}
        <span>{counted(results.exposed, 'reader')}</span>
        {versions.length > 1 && (
          <label class="exp-version">
            Version{' '}
            <select
              value={version ?? experiment.version}
              onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
            >
              {versions.map((each) => (
                <option key={each.version} value={each.version}>
                  {each.version} ({each.status})
                </option>
              ))}
            </select>
          </label>
        )}
      </p>
      <h1>{experiment.key}</h1>
      <p class="exp-hypothesis">{experiment.hypothesis}</p>
      <section class={`panel exp-verdict ${results.verdict}`} aria-labelledby="exp-verdict">
        <h2 id="exp-verdict">{tellVerdict(results)}</h2>
        <p>{tellConclusion(results)}</p>
        {status === 'draft' && (
          <p>
            Look at the variants and metrics below, then start it. From then on requests that name this experiment and a
            subject (their reader) are made by the reader’s variant.
          </p>
        )}
      </section>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <p class="exp-as-of">
        <button type="button" aria-disabled={isReading} onClick={() => isReading || refresh()}>
          {isReading ? 'Reading…' : 'Refresh'}
        </button>{' '}
        <span class="muted">As of {timeOfDay(at)}</span>
      </p>
      {isNewest ? (
        <Actions experiment={experiment} changed={changed} />
      ) : (
        <p class="muted">This is an earlier version; it is only there to be read.</p>
      )}
      <Allocation experiment={experiment} results={results} />
      {status === 'draft' ? (
        <PlannedMetrics experiment={experiment} />
      ) : results.sampleRatio.mismatch ? (
        <details class="exp-part exp-untrusted">
          <summary>Numbers, not to be trusted</summary>
          <MeasuredMetrics experiment={experiment} results={results} />
        </details>
      ) : (
        <MeasuredMetrics experiment={experiment} results={results} />
      )}
      {isNewest && <AssignmentBox experiment={experiment.key} />}
    </>
  );
}

const ROLES = [
  { role: 'goal', title: 'Goals', line: 'These decide.' },
  { role: 'guardrail', title: 'Guardrails', line: 'These must not get worse by more than is allowed.' },
  {
    role: 'automatic',
    title: 'Also recorded',
    line: 'Every digest records these by itself. They have no say in the verdict.',
  },
] as const;

/** What was measured, by what it decides. */
function MeasuredMetrics({ experiment, results }: Pick<Read, 'experiment' | 'results'>) {
  return ROLES.map(({ role, title, line }) => {
    const metrics = results.metrics.filter((metric) => metric.role === role);
    return metrics.length === 0 ? null : (
      <section key={role} class="exp-part" aria-labelledby={`exp-${role}`}>
        <h2 id={`exp-${role}`}>{title}</h2>
        <p class="muted">{line}</p>
        <div class="exp-metrics">
          {metrics.map((metric) => (
            <MetricPanel key={metric.key} metric={metric} results={results} experiment={experiment} />
          ))}
        </div>
      </section>
    );
  });
}

/** What is going to be measured. */
function PlannedMetrics({ experiment: { metrics, guardrails } }: { readonly experiment: ExperimentHistory }) {
  return (
    <section class="exp-part" aria-labelledby="exp-planned">
      <h2 id="exp-planned">What will tell</h2>
      <ul>
        {metrics.map(({ key, direction, minimumEffect }) => (
          <li key={key}>
            Goal: <strong>{metricName(key)}</strong>, {direction === 'increase' ? 'more' : 'less'} is better
            {minimumEffect !== null && `, from a change of ${percent(minimumEffect)}`}
          </li>
        ))}
        {guardrails.map(({ key, direction, margin }) => (
          <li key={key}>
            Guardrail: <strong>{metricName(key)}</strong>, {direction === 'increase' ? 'more' : 'less'} is better, up to{' '}
            {percent(margin)} worse is allowed
          </li>
        ))}
      </ul>
    </section>
  );
}
