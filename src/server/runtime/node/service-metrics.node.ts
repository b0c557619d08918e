import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  type GaugeReads,
  JOB_HAPPENINGS,
  REUSE_KINDS,
  type ServiceMetrics,
  WEBHOOK_OUTCOMES,
} from '../../service-metrics.ts';

/** Seconds: from a fully cached stage to the max wait of a caller. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const RESOLUTION = 10;

type DelayMonitor = Pick<IntervalHistogram, 'count' | 'max' | 'percentile' | 'reset' | 'enable' | 'disable'>;

interface PrometheusMetrics extends ServiceMetrics {
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
  stop(): void;
}

/** Metrics in the Prometheus format, with those of the process and of Node. A gauge that cannot be read is omitted and counted. */
export function prometheusMetrics(
  reads: GaugeReads,
  monitor: DelayMonitor = monitorEventLoopDelay({ resolution: RESOLUTION }),
): PrometheusMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: BUCKETS });

  const requests = histogram(
    'tessera_http_request_duration_seconds',
    'How long requests took until the head of their response, by method, route and status.',
    ['method', 'route', 'status'],
  );
  const stages = histogram('tessera_stage_duration_seconds', 'How long the stages of digests took.', ['stage']);
  const digests = histogram('tessera_digest_duration_seconds', 'How long digests took, by how they ended.', ['status']);
  const tokens = counter('tessera_tokens_total', 'Tokens of language models and encoders, by stage.', [
    'stage',
    'kind',
  ]);
  const lookups = counter('tessera_cache_lookups_total', 'Extractions and encodings looked for in the store.', [
    'kind',
    'result',
  ]);
  const jobs = counter('tessera_job_events_total', 'What became of jobs.', ['event']);
  const webhooks = counter('tessera_webhook_attempts_total', 'Attempts to deliver webhooks, by outcome.', ['outcome']);
  const sheds = counter('tessera_requests_shed_total', 'Requests turned away with 503, by reason.', ['reason']);
  const limited = counter('tessera_requests_rate_limited_total', 'Requests turned away with 429.');
  const unread = counter('tessera_scrape_failures_total', 'Reads of gauges that failed during a scrape.');

  // Start at 0, so that rules see the increase of the first event.
  for (const event of JOB_HAPPENINGS) jobs.inc({ event }, 0);
  for (const outcome of WEBHOOK_OUTCOMES) webhooks.inc({ outcome }, 0);
  for (const kind of REUSE_KINDS) for (const result of ['hit', 'miss']) lookups.inc({ kind, result }, 0);

  new Gauge({
    name: 'tessera_jobs',
    help: 'Jobs that wait and that run, of all processes on this database.',
    labelNames: ['state'],
    registers,
    async collect() {
      try {
        const { queued, running } = await reads.queue();
        this.set({ state: 'queued' }, queued);
        this.set({ state: 'running' }, running);
      } catch {
        this.reset();
        unread.inc();
      }
    },
  });
  new Gauge({
    name: 'tessera_webhooks_waiting',
    help: 'Webhooks that are still to be delivered.',
    registers,
    async collect() {
      try {
        this.set(await reads.waitingWebhooks());
      } catch {
        this.remove();
        unread.inc();
      }
    },
  });
  // `nodejs_eventloop_lag_…` count the time between two samples as lag.
  new Gauge({
    name: 'tessera_event_loop_delay_seconds',
    help: 'How late the event loop was since the last scrape: median, 99th percentile and most.',
    labelNames: ['statistic'],
    registers,
    collect() {
      const delay = (nanoseconds: number) =>
        monitor.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000);
      this.set({ statistic: 'p50' }, delay(monitor.percentile(50)));
      this.set({ statistic: 'p99' }, delay(monitor.percentile(99)));
      this.set({ statistic: 'max' }, delay(monitor.max));
      monitor.reset();
    },
  });
  collectDefaultMetrics({ register: registry });
  monitor.enable();

  return {
    request: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    stage: (stage, seconds) => stages.observe({ stage }, seconds),
    digest: (status, seconds) => digests.observe({ status }, seconds),
    tokens(stage, prompt, completion) {
      tokens.inc({ stage, kind: 'prompt' }, prompt);
      tokens.inc({ stage, kind: 'completion' }, completion);
    },
    reused(kind, hits, total) {
      lookups.inc({ kind, result: 'hit' }, hits);
      lookups.inc({ kind, result: 'miss' }, total - hits);
    },
    job: (event) => jobs.inc({ event }),
    webhook: (outcome) => webhooks.inc({ outcome }),
    shed: (reason) => sheds.inc({ reason }),
    rateLimited: () => limited.inc(),
    async render() {
      // The format has "NaN"; prom-client writes "Nan", which some readers reject.
      const body = (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
      return { contentType: registry.contentType, body };
    },
    stop: () => {
      monitor.disable();
    },
  };
}
