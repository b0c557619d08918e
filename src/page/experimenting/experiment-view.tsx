import { useEffect, useRef, useState } from 'preact/hooks';
import type { Assignment, ExperimentHistory, ExperimentResults } from '../../client/index.ts';
import { useService } from '../context.tsx';
import { announce } from '../parts/browser.ts';
import { Form, Select, TextField } from '../parts/fields.tsx';
import { Loading, useLoaded } from '../parts/loading.tsx';
import { describeOptions } from '../parts/options.ts';
import { Problem } from '../parts/problem.tsx';
import { count, moment, number, percent, timeOfDay } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { Actions } from './actions.tsx';
import { ExperimentProblem, StateBadge } from './experiments-view.tsx';
import { MetricPanel } from './metric-panel.tsx';
import { describeConclusion, describeVerdict, metricName, warningsOf } from './results-words.ts';
import './experiments.css';

interface Read {
  readonly experiment: ExperimentHistory;
  readonly results: ExperimentResults;
  readonly at: Date;
}

export function ExperimentView({ experiment: key }: { readonly experiment: string }) {
  const { client, session } = useService();
  const [version, setVersion] = useState<number | undefined>(undefined);
  const [loaded, again] = useLoaded(`${key} ${version} ${session}`, async (signal): Promise<Read> => {
    const [experiment, results] = await Promise.all([
      client.experiments.get(key, { version, signal }),
      client.experiments.results(key, { version, signal }),
    ]);
    return { experiment, results, at: new Date() };
  });
  // The last results stay while new ones are read, so that nothing jumps and the focus stays.
  const last = useRef<Read | null>(null);
  const isRefreshing = useRef(false);
  if (loaded.state === 'there') last.current = loaded.value;
  useEffect(() => {
    if (loaded.state === 'there' && isRefreshing.current) announce('The results are up to date');
    if (loaded.state !== 'loading') isRefreshing.current = false;
  }, [loaded]);
  if (loaded.state === 'failed' || last.current === null) {
    return (
      <>
        <h1>{key}</h1>
        {loaded.state === 'failed' ? (
          <ExperimentProblem failure={loaded.failure} again={again} />
        ) : (
          <Loading what="the experiment" />
        )}
        <p>
          <a href={hrefOf({ view: 'experiments' })}>All experiments</a>
        </p>
      </>
    );
  }
  const { experiment, results, at } = last.current;
  const { status, startedAt, stoppedAt, versions } = experiment;
  const isNewest = experiment.version === versions[0]?.version;
  const isReading = loaded.state === 'loading';
  return (
    <>
      <p class="exp-top muted">
        <StateBadge status={status} />
        {startedAt !== null && <span>Started {moment(startedAt)}</span>}
        {stoppedAt !== null && <span>Ended {moment(stoppedAt)}</span>}
        <span>{count(results.exposed, 'reader')}</span>
        {versions.length > 1 && (
          <Select
            label="Version"
            value={String(version ?? experiment.version)}
            choices={versions.map((each) => [String(each.version), `${each.version} (${each.status})`])}
            onChoose={(chosen) => setVersion(Number(chosen))}
          />
        )}
      </p>
      <h1>{experiment.key}</h1>
      <p class="exp-hypothesis">{experiment.hypothesis}</p>
      <section class={`panel exp-verdict ${results.verdict}`} aria-labelledby="exp-verdict">
        <h2 id="exp-verdict">{describeVerdict(results)}</h2>
        <p>{describeConclusion(results)}</p>
        {status === 'draft' && (
          <p>
            Check the variants and metrics below, then start it. From then on, requests that name this experiment and a
            reader use the options of the reader’s variant.
          </p>
        )}
      </section>
      {warningsOf(results, experiment).map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <div class="exp-controls">
        <div class="actions">
          <button
            type="button"
            aria-disabled={isReading}
            onClick={() => {
              isRefreshing.current = true;
              if (!isReading) again();
            }}
          >
            {isReading ? 'Reading…' : 'Refresh'}
          </button>
          <span class="muted">As of {timeOfDay(at)}</span>
        </div>
        {isNewest && <Actions experiment={experiment} changed={again} />}
      </div>
      {!isNewest && <p class="muted">This is an earlier version. It can only be read.</p>}
      <Allocation experiment={experiment} results={results} />
      {status === 'draft' ? (
        <PlannedMetrics experiment={experiment} />
      ) : results.sampleRatio.mismatch ? (
        <details class="exp-part">
          <summary>Numbers (not reliable)</summary>
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
  { role: 'goal', title: 'Goals', line: 'These decide the verdict.' },
  { role: 'guardrail', title: 'Guardrails', line: 'These must not get worse by more than the margin.' },
  { role: 'automatic', title: 'Also recorded', line: 'Recorded for every digest. They do not affect the verdict.' },
] as const;

function MeasuredMetrics({ experiment, results }: Pick<Read, 'experiment' | 'results'>) {
  return ROLES.map(({ role, title, line }) => {
    const metrics = results.metrics.filter((metric) => metric.role === role);
    if (metrics.length === 0) return null;
    const panels = (
      <>
        <p class="muted">{line}</p>
        {metrics.map((metric) => (
          <MetricPanel key={metric.key} metric={metric} results={results} experiment={experiment} />
        ))}
      </>
    );
    if (role === 'automatic') {
      return (
        <details key={role} class="exp-part">
          <summary>
            {title} ({metrics.length})
          </summary>
          {panels}
        </details>
      );
    }
    return (
      <section key={role} class="exp-part" aria-labelledby={`exp-${role}`}>
        <h2 id={`exp-${role}`}>{title}</h2>
        {panels}
      </section>
    );
  });
}

function PlannedMetrics({ experiment: { metrics, guardrails } }: { readonly experiment: ExperimentHistory }) {
  const better = (direction: 'increase' | 'decrease') => `, ${direction === 'increase' ? 'more' : 'less'} is better`;
  return (
    <section class="exp-part" aria-labelledby="exp-planned">
      <h2 id="exp-planned">Metrics</h2>
      <ul>
        {metrics.map(({ key, direction, minimumEffect }) => (
          <li key={key}>
            Goal: <strong>{metricName(key)}</strong>
            {better(direction)}
            {minimumEffect !== null && `, from a change of ${percent(minimumEffect)}`}
          </li>
        ))}
        {guardrails.map(({ key, direction, margin }) => (
          <li key={key}>
            Guardrail: <strong>{metricName(key)}</strong>
            {better(direction)}, up to {percent(margin)} worse is allowed
          </li>
        ))}
      </ul>
    </section>
  );
}

function Allocation({ experiment, results }: Pick<Read, 'experiment' | 'results'>) {
  const { variants, traffic, layer } = experiment;
  const { exposed, sampleRatio } = results;
  return (
    <section class="exp-part" aria-labelledby="exp-variants">
      <h2 id="exp-variants">Variants</h2>
      <ul class="exp-allocation">
        {variants.map(({ name, weight, options }, place) => {
          const seen = sampleRatio.observed.find(({ variant }) => variant === name)?.subjects ?? 0;
          const set = describeOptions(options);
          return (
            <li key={name}>
              <p>
                <strong>{name}</strong>
                {place === 0 && name !== 'control' && <span class="muted"> (control)</span>}: {percent(weight)} planned
                {exposed > 0 && `, ${count(seen, 'reader')} so far (${percent(seen / exposed)})`}
              </p>
              <svg width="100%" height={18} aria-hidden="true">
                <rect class="exp-track" width="100%" height="18" rx="3" />
                <rect
                  class={place === 0 ? 'exp-bar control' : 'exp-bar'}
                  width={`${100 * (exposed > 0 ? seen / exposed : weight)}%`}
                  height="18"
                  rx="3"
                />
                {/* A line with an edge is visible on the bar and beside it. */}
                <line class="exp-planned-under" x1={`${100 * weight}%`} x2={`${100 * weight}%`} y2="18" />
                <line class="exp-planned" x1={`${100 * weight}%`} x2={`${100 * weight}%`} y2="18" />
              </svg>
              <p class="muted">{set === null ? 'Sets nothing: digests are made as requested.' : `${set}.`}</p>
            </li>
          );
        })}
      </ul>
      <p class="muted">
        {exposed > 0 && 'Bars: readers so far. Lines: as planned. '}
        {traffic < 1 ? `${percent(traffic)} of all readers take part. ` : 'All readers may take part. '}
        {layer !== null &&
          `It uses the part from ${number(layer.from)} to ${number(layer.to)} of the layer “${layer.key}”, which other experiments of the layer leave alone.`}
      </p>
    </section>
  );
}

function AssignmentBox({ experiment }: { readonly experiment: string }) {
  const { client } = useService();
  const [subject, setSubject] = useState('');
  const [answer, setAnswer] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const ask = async (): Promise<void> => {
    setFailure(null);
    setAnswer('');
    try {
      setAnswer(describeAssignment(subject, await client.experiments.assignment(experiment, subject)));
    } catch (problem) {
      setFailure(problem);
    }
  };
  return (
    <section class="exp-part" aria-labelledby="exp-who">
      <h2 id="exp-who">Look up a reader</h2>
      <Form class="exp-ask" onSubmit={() => void ask()}>
        <TextField
          label="Reader (the id in your app)"
          required
          maxLength={200}
          placeholder="user-123"
          value={subject}
          onChange={setSubject}
        />
        <button type="submit">Look up</button>
      </Form>
      <p role="status">{answer}</p>
      {failure !== null && <Problem failure={failure} />}
      <p class="muted">Preview only. This does not enrol the user.</p>
    </section>
  );
}

const REASONS: Readonly<Record<Assignment['reason'], string>> = {
  assigned: 'there is no variant',
  traffic: 'they are outside the share of readers that takes part',
  layer: 'they are in another part of the layer',
  draft: 'the experiment has not started',
  stopped: 'the experiment has ended',
};

function describeAssignment(subject: string, { variant, reason }: Assignment): string {
  return variant === null ? `“${subject}” does not take part: ${REASONS[reason]}.` : `“${subject}” gets “${variant}”.`;
}
