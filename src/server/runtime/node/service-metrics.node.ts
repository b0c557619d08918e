import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { COUNTERS, DURATIONS, type ServiceMetrics } from '../../service-metrics.ts';

/** Seconds: from a fully cached stage to the max wait of a caller. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

const RESOLUTION = 10;

export interface GaugeReads {
  readonly queue: () => Promise<{ readonly queued: number; readonly running: number }>;
  readonly waitingWebhooks: () => Promise<number>;
}

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
  const durations = new Map(
    Object.entries(DURATIONS).map(([key, { name, help, labels: labelNames }]) => [
      key,
      new Histogram({ name, help, labelNames: [...labelNames], registers, buckets: BUCKETS }),
    ]),
  );
  const counters = new Map(
    Object.entries(COUNTERS).map(([key, metric]) => {
      const { name, help, labels: labelNames } = metric;
      const counter = new Counter({ name, help, labelNames: [...labelNames], registers });
      for (const labels of 'known' in metric ? metric.known : []) counter.inc(labels, 0);
      return [key, counter];
    }),
  );

  const gauge = (name: string, help: string, label: string | null, read: () => Promise<Record<string, number>>) =>
    new Gauge({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers,
      async collect() {
        this.reset();
        if (label === null) this.remove(); // a reset gauge without labels says 0
        try {
          const values = await read();
          for (const [value, number] of Object.entries(values))
            this.set(label === null ? {} : { [label]: value }, number);
        } catch {
          counters.get('unread')?.inc();
        }
      },
    });
  gauge('tessera_jobs', 'Jobs that wait and that run, of all processes on this database.', 'state', async () => {
    const { queued, running } = await reads.queue();
    return { queued, running };
  });
  gauge('tessera_webhooks_waiting', 'Webhooks that are still to be delivered.', null, async () => ({
    waiting: await reads.waitingWebhooks(),
  }));
  // `nodejs_eventloop_lag_…` count the time between two samples as lag.
  const lateness = 'How late the event loop was since the last scrape: median, 99th percentile and most.';
  gauge('tessera_event_loop_delay_seconds', lateness, 'statistic', async () => {
    const delays = { p50: monitor.percentile(50), p99: monitor.percentile(99), max: monitor.max };
    const isRead = monitor.count > 0;
    monitor.reset();
    const secondsOf = (nanoseconds: number) => (isRead ? Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000) : 0);
    return Object.fromEntries(Object.entries(delays).map(([name, delay]) => [name, secondsOf(delay)]));
  });
  collectDefaultMetrics({ register: registry });
  monitor.enable();

  return {
    time: (name, labels, seconds) => durations.get(name)?.observe(labels, seconds),
    count: (name, labels, by) => counters.get(name)?.inc(labels, by),
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
