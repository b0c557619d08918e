import { useEffect, useRef, useState } from 'preact/hooks';
import type { Assignment, Experiment, ExperimentHistory, ExperimentResults } from '../../client/index.ts';
import { describeOptions } from '../comparing/words-of-options.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { moment, timeOfDay } from '../parts/dates.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { hrefOf } from '../route.ts';
import { useService } from '../service.tsx';
import { Actions } from './actions.tsx';
import { ExperimentProblem } from './experiment-problem.tsx';
import { MetricPanel } from './metric-panel.tsx';
import {
  counted,
  describeConclusion,
  describeVerdict,
  metricName,
  percent,
  short,
  warningsOf,
} from './results-words.ts';
import { StateBadge } from './state-badge.tsx';
import './experiments.css';

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
    announce('The results are up to date');
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
        <h2 id="exp-verdict">{describeVerdict(results)}</h2>
        <p>{describeConclusion(results)}</p>
        {status === 'draft' && (
          <p>
            Check the variants and metrics below, then start it. From then on, requests that name this experiment and a
            reader use the options of the reader’s variant.
          </p>
        )}
      </section>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <div class="exp-controls">
        <div class="actions">
          <button type="button" aria-disabled={isReading} onClick={() => isReading || refresh()}>
            {isReading ? 'Reading…' : 'Refresh'}
          </button>
          <span class="muted">As of {timeOfDay(at)}</span>
        </div>
        {isNewest && <Actions experiment={experiment} changed={changed} />}
      </div>
      {!isNewest && <p class="muted">This is an earlier version. It can only be read.</p>}
      <Allocation experiment={experiment} results={results} />
      {status === 'draft' ? (
        <PlannedMetrics experiment={experiment} />
      ) : results.sampleRatio.mismatch ? (
        <details class="exp-part exp-untrusted">
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
  {
    role: 'automatic',
    title: 'Also recorded',
    line: 'Recorded for every digest. They do not affect the verdict.',
  },
] as const;

/** What was measured, by what it decides; what decides nothing is folded. */
function MeasuredMetrics({ experiment, results }: Pick<Read, 'experiment' | 'results'>) {
  return ROLES.map(({ role, title, line }) => {
    const metrics = results.metrics.filter((metric) => metric.role === role);
    if (metrics.length === 0) return null;
    const panels = (
      <>
        <p class="muted">{line}</p>
        <div class="exp-metrics">
          {metrics.map((metric) => (
            <MetricPanel key={metric.key} metric={metric} results={results} experiment={experiment} />
          ))}
        </div>
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

/** What is going to be measured. */
function PlannedMetrics({ experiment: { metrics, guardrails } }: { readonly experiment: ExperimentHistory }) {
  return (
    <section class="exp-part" aria-labelledby="exp-planned">
      <h2 id="exp-planned">Metrics</h2>
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

interface AllocationProps {
  readonly experiment: Experiment;
  readonly results: ExperimentResults | null;
}

/** Who gets what: the variants with their shares, as planned and as they came, and what each sets. */
function Allocation({ experiment, results }: AllocationProps) {
  const { variants, traffic, layer } = experiment;
  const exposed = results?.exposed ?? 0;
  return (
    <section class="exp-part" aria-labelledby="exp-variants">
      <h2 id="exp-variants">Variants</h2>
      <ul class="exp-allocation">
        {variants.map(({ name, weight, options }, place) => {
          const seen = results?.sampleRatio.observed.find(({ variant }) => variant === name)?.subjects ?? 0;
          return (
            <li key={name}>
              <p>
                <strong>{name}</strong>
                {place === 0 && name !== 'control' && <span class="muted"> (control)</span>}: {percent(weight)} planned
                {exposed > 0 && `, ${counted(seen, 'reader')} so far (${percent(seen / exposed)})`}
              </p>
              <svg width="100%" height={18} aria-hidden="true" focusable="false">
                <rect class="exp-track" x="0" y="0" width="100%" height="18" rx="3" />
                <rect
                  class={place === 0 ? 'exp-bar control' : 'exp-bar'}
                  x="0"
                  y="0"
                  width={`${100 * (exposed > 0 ? seen / exposed : weight)}%`}
                  height="18"
                  rx="3"
                />
                {/* A line of two colours is seen on the bar and beside it. */}
                <line class="exp-planned-under" x1={`${100 * weight}%`} x2={`${100 * weight}%`} y1="0" y2="18" />
                <line class="exp-planned" x1={`${100 * weight}%`} x2={`${100 * weight}%`} y1="0" y2="18" />
              </svg>
              <p class="muted">{describeSet(options)}</p>
            </li>
          );
        })}
      </ul>
      <p class="muted">
        {exposed > 0 && 'Bars: readers so far. Lines: as planned. '}
        {traffic < 1 ? `${percent(traffic)} of all readers take part. ` : 'All readers may take part. '}
        {layer !== null &&
          `It uses the part from ${short(layer.from)} to ${short(layer.to)} of the layer “${layer.key}”, which other experiments of the layer leave alone.`}
      </p>
    </section>
  );
}

function describeSet(options: object): string {
  const told = describeOptions(options);
  return told === null ? 'Sets nothing: digests are made as requested.' : `${told}.`;
}

/** Tells what a reader would get; nothing is noted. */
function AssignmentBox({ experiment }: { readonly experiment: string }) {
  const { client } = useService();
  const [subject, setSubject] = useState('');
  const [answer, setAnswer] = useState<{
    readonly subject: string;
    readonly assignment?: Assignment;
    readonly failure?: unknown;
  } | null>(null);
  const ask = async (): Promise<void> => {
    const asked = subject;
    try {
      setAnswer({ subject: asked, assignment: await client.experiments.assignment(experiment, asked) });
    } catch (failure) {
      setAnswer({ subject: asked, failure });
    }
  };
  return (
    <section class="exp-part" aria-labelledby="exp-who">
      <h2 id="exp-who">Look up a reader</h2>
      <form
        class="exp-ask"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          Reader (the id in your app)
          <input
            required
            maxLength={200}
            value={subject}
            placeholder="user-123"
            onInput={({ currentTarget }) => setSubject(currentTarget.value)}
          />
        </label>
        <button type="submit">Look up</button>
      </form>
      <div role="status">
        {answer?.assignment !== undefined && <p>{describeAssignment(answer.subject, answer.assignment)}</p>}
      </div>
      {answer?.failure !== undefined && <Problem failure={answer.failure} />}
      <p class="muted">Preview only. This does not enrol the user.</p>
    </section>
  );
}

/** What a reader gets, and why where it is nothing. */
function describeAssignment(subject: string, { variant, reason }: Assignment): string {
  if (variant !== null) return `“${subject}” gets “${variant}”.`;
  const why: Readonly<Record<Assignment['reason'], string>> = {
    assigned: 'there is no variant',
    traffic: 'they are outside the share of readers that takes part',
    layer: 'they are in another part of the layer',
    draft: 'the experiment has not started',
    stopped: 'the experiment has ended',
  };
  return `“${subject}” does not take part: ${why[reason]}.`;
}
