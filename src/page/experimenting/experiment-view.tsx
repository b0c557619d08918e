import { useState } from 'preact/hooks';
import type { Experiment, ExperimentHistory, ExperimentResults } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Select } from '../parts/fields.tsx';
import { metricName } from '../parts/figures.ts';
import { Await, useLoaded, useTask } from '../parts/loading.tsx';
import { describeOptions } from '../parts/options.ts';
import { Notices, Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { count, moment, number, percent, timeOfDay } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { StateBadge } from './experiments-view.tsx';
import { MetricPanel } from './metric-panel.tsx';
import { describeVerdict, warningsOf } from './results-words.ts';
import './experiments.css';

interface Read {
  readonly experiment: ExperimentHistory;
  readonly results: ExperimentResults;
  readonly at: Date;
}

export function ExperimentView({ experiment: key }: { readonly experiment: string }) {
  const { client, session } = useService();
  const [version, setVersion] = useState<number | undefined>(undefined);
  const loading = useLoaded(`${key} ${version} ${session}`, async (signal): Promise<Read> => {
    const [experiment, results] = await Promise.all([
      client.experiments.get(key, { version, signal }),
      client.experiments.results(key, { version, signal }),
    ]);
    return { experiment, results, at: new Date() };
  });
  const [, again] = loading;
  return (
    <>
      <p>
        <a href={hrefOf({ view: 'experiments' })}>← All experiments</a>
      </p>
      <h1>{key}</h1>
      <Await of={loading} what="the experiment">
        {(read) => <Shown {...read} onVersion={setVersion} again={again} />}
      </Await>
    </>
  );
}

interface ShownProps extends Read {
  readonly onVersion: (version: number) => void;
  readonly again: () => void;
}

function Shown({ experiment, results, at, onVersion, again }: ShownProps) {
  const { version, status, startedAt, stoppedAt, versions } = experiment;
  const isNewest = version === versions[0]?.version;
  return (
    <>
      <div class="exp-top muted">
        <StateBadge status={status} />
        {startedAt !== null && <span>Started {moment(startedAt)}</span>}
        {stoppedAt !== null && <span>Ended {moment(stoppedAt)}</span>}
        <span>{count(results.exposed, 'reader')}</span>
        {versions.length > 1 && (
          <Select
            label="Version"
            value={String(version)}
            choices={versions.map((each) => [String(each.version), `${each.version} (${each.status})`])}
            onChoose={(chosen) => onVersion(Number(chosen))}
          />
        )}
      </div>
      <p>{experiment.hypothesis}</p>
      <section class={`panel exp-verdict ${results.verdict}`} aria-labelledby="exp-verdict">
        <h2 id="exp-verdict">{describeVerdict(results)}</h2>
        <p>{results.conclusion}</p>
      </section>
      <Notices of={warningsOf(results, experiment)} />
      <div class="actions">
        <button type="button" onClick={again}>
          Refresh
        </button>
        {isNewest && <Act experiment={experiment} changed={again} />}
        <span class="muted" role="status">
          As of {timeOfDay(at)}
          {!isNewest && '. This is an earlier version. It can only be read.'}
        </span>
      </div>
      <Variants experiment={experiment} results={results} />
      {status === 'draft' ? (
        <PlannedMetrics experiment={experiment} />
      ) : (
        <MeasuredMetrics experiment={experiment} results={results} />
      )}
    </>
  );
}

const ACTS = {
  start: {
    from: 'draft',
    name: 'Start…',
    ask: 'Start the experiment? Readers are assigned from now on. To change variants, shares or metrics later, you need a new version, which assigns readers again.',
    done: 'The experiment is running',
  },
  stop: {
    from: 'running',
    name: 'Stop…',
    ask: 'Stop the experiment? No more readers are assigned, and you cannot start it again. Outcomes up to now still count if they are reported later.',
    done: 'The experiment was stopped',
  },
} as const;

interface ActProps {
  readonly experiment: Experiment;
  readonly changed: () => void;
}

/** Starts a draft, or stops what is running. */
function Act({ experiment: { key, status }, changed }: ActProps) {
  const { client } = useService();
  const { failure, run } = useTask();
  const act = (['start', 'stop'] as const).find((each) => ACTS[each].from === status);
  if (act === undefined) return null;
  const { name, ask, done } = ACTS[act];
  const take = async (): Promise<void> => {
    await client.experiments[act](key);
    announce(done);
    changed();
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => confirm(ask) && void run(take)}>
        {name}
      </button>
      {failure !== null && <Problem failure={failure} />}
    </>
  );
}

const ROLES = [
  { role: 'goal', title: 'Goals', line: 'These decide the verdict.' },
  { role: 'guardrail', title: 'Guardrails', line: 'These must not get worse by more than the margin.' },
  { role: 'automatic', title: 'Also recorded', line: 'Recorded for every digest. They do not affect the verdict.' },
] as const;

function MeasuredMetrics({ experiment, results }: Pick<Read, 'experiment' | 'results'>) {
  const isReliable = !results.sampleRatio.mismatch;
  return (
    <>
      {ROLES.map(({ role, title, line }) => {
        const metrics = results.metrics.filter((metric) => metric.role === role);
        if (metrics.length === 0) return null;
        return (
          <details key={role} class="exp-part" open={isReliable && role !== 'automatic'}>
            <summary>
              <strong>
                {title} ({metrics.length}){!isReliable && ', not reliable'}
              </strong>
            </summary>
            <p class="muted">{line}</p>
            {metrics.map((metric) => (
              <MetricPanel key={metric.key} metric={metric} results={results} experiment={experiment} />
            ))}
          </details>
        );
      })}
      <p class="muted">
        Changes and their intervals are from the control, the first variant (pp: percentage points). p, the chance of
        seeing so much if there is no difference, is corrected for the number of goals and variants (
        {results.correction}) if the metric is a goal.
      </p>
    </>
  );
}

function PlannedMetrics({ experiment: { metrics, guardrails } }: Pick<Read, 'experiment'>) {
  const row = ({ key, direction }: Experiment['metrics'][number], role: string, limit: string) => {
    return [metricName(key), role, direction === 'increase' ? 'more' : 'less', limit];
  };
  return (
    <Table
      label="Metrics"
      heads={['Metric', 'Role', 'Better', 'Limit']}
      rows={[
        ...metrics.map((metric) => {
          const { minimumEffect } = metric;
          return row(metric, 'Goal', minimumEffect === null ? '–' : `from a change of ${percent(minimumEffect)}`);
        }),
        ...guardrails.map((metric) => row(metric, 'Guardrail', `up to ${percent(metric.margin)} worse is allowed`)),
      ]}
    />
  );
}

function Variants({ experiment, results }: Pick<Read, 'experiment' | 'results'>) {
  const { variants, traffic } = experiment;
  const { exposed, sampleRatio } = results;
  return (
    <>
      <h2>Variants</h2>
      <Table
        label="Variants"
        heads={['Variant', '#Planned', '#Readers', '#Share', 'Sets']}
        rows={variants.map(({ name, weight, options }) => {
          const seen = sampleRatio.observed.find(({ variant }) => variant === name)?.subjects ?? 0;
          return [
            name,
            percent(weight),
            number(seen),
            exposed > 0 ? percent(seen / exposed) : '–',
            describeOptions(options) ?? 'nothing: digests are made as requested',
          ];
        })}
      />
      <p class="muted">
        The first is the control.{' '}
        {traffic < 1 ? `${percent(traffic)} of all readers take part.` : 'All readers may take part.'}
      </p>
    </>
  );
}
