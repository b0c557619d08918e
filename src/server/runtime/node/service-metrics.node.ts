import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { COUNTERS, DURATIONS, type ServiceMetrics } from '../../service-metrics.ts';

/** Seconds: from a fully cached stage to the max wait of a caller. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export interface GaugeReads {
  readonly queue: () => Promise<{ readonly queued: number; readonly running: number }>;
  readonly waitingWebhooks: () => Promise<number>;
}

/** Metrics in the Prometheus format, with those of the process and of Node. A gauge that cannot be read is omitted and counted. */
export function prometheusMetrics(reads: GaugeReads): ServiceMetrics {
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

  const gauge = (name: string, help: string, labelNames: string[], read: (own: Gauge) => Promise<void>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        if (labelNames.length === 0) this.remove(); // once reset it says 0
        await read(this).catch(() => counters.get('unread')?.inc());
      },
    });
  gauge('tessera_jobs', 'Jobs that wait and that run, of all processes on this database.', ['state'], async (own) => {
    const { queued, running } = await reads.queue();
    own.set({ state: 'queued' }, queued);
    own.set({ state: 'running' }, running);
  });
  gauge('tessera_webhooks_waiting', 'Webhooks that are still to be delivered.', [], async (own) => {
    own.set(await reads.waitingWebhooks());
  });
  collectDefaultMetrics({ register: registry });

  return {
    time: (name, labels, seconds) => durations.get(name)?.observe(labels, seconds),
    count: (name, labels, by) => counters.get(name)?.inc(labels, by),
    async render() {
      // The format has "NaN"; prom-client writes "Nan", which some readers reject.
      const body = (await registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
      return { contentType: registry.contentType, body };
    },
  };
}
