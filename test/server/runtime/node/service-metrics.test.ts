import { describe, expect, onTestFinished, test } from 'vitest';
import { JOB_HAPPENINGS } from '../../../../src/server/jobs/job-happenings.ts';
import { type DelayMonitor, prometheusMetrics } from '../../../../src/server/runtime/node/service-metrics.node.ts';
import { type GaugeReads, NO_METRICS, WEBHOOK_OUTCOMES } from '../../../../src/server/service-metrics.ts';

const EMPTY: GaugeReads = { queue: async () => ({ queued: 0, running: 0 }), waitingWebhooks: async () => 0 };

function metricsOf(reads: Partial<GaugeReads> = {}, monitor?: DelayMonitor) {
  const metrics = prometheusMetrics({ ...EMPTY, ...reads }, monitor);
  onTestFinished(() => metrics.stop());
  return { metrics, scrape: async () => parseExposition((await metrics.render()).body) };
}

interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

/**
 * Reads the text format 0.0.4 of Prometheus and holds it to its rules: each family once with help and type before its
 * samples, names and labels well formed, no series twice, histograms cumulative up to `+Inf` and in step with `_count`.
 */
function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line feed.');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | null = null;
  let current: [string, Family] | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment) {
      const [, kind, name, rest] = comment;
      if (kind === 'HELP') help = { name, text: rest };
      else {
        if (help?.name !== name) throw new Error(`${name} has no help.`);
        if (families.has(name)) throw new Error(`${name} comes twice.`);
        if (!['counter', 'gauge', 'histogram', 'summary'].includes(rest)) throw new Error(`${name} is a "${rest}".`);
        current = [name, { type: rest, help: help.text, samples: [] }];
        families.set(...current);
      }
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!sample || !current) throw new Error(`Not a sample: ${line}`);
    const [, name, inner = '', number] = sample;
    const [family, { type, samples }] = current;
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`${name} is under ${family}.`);
    const series = `${name}{${inner}}`;
    if (seen.has(series)) throw new Error(`${series} comes twice.`);
    seen.add(series);
    if (!/^([+-]?Inf|NaN|[+-]?\d+(\.\d+)?(e[+-]?\d+)?)$/.test(number)) throw new Error(`Not a number: ${line}`);
    samples.push({ name, labels: labelsOf(inner), value: Number(number.replace('Inf', 'Infinity')) });
  }
  for (const [name, { type, samples }] of families) if (type === 'histogram') checkHistogram(name, samples);
  return families;
}

function labelsOf(inner: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = inner;
  while (rest !== '') {
    const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/.exec(rest);
    if (!label) throw new Error(`Not labels: ${inner}`);
    if (label[1] in labels) throw new Error(`A label twice: ${inner}`);
    labels[label[1]] = label[2];
    rest = rest.slice(label[0].length);
  }
  return labels;
}

function checkHistogram(name: string, samples: Family['samples']) {
  const series = new Map<string, { bounds: number[]; counts: number[]; count: number | null; sum: number | null }>();
  for (const { name: sample, labels, value } of samples) {
    const { le, ...others } = labels;
    const key = JSON.stringify(Object.entries(others).sort());
    const own = series.get(key) ?? { bounds: [], counts: [], count: null, sum: null };
    series.set(key, own);
    if (sample.endsWith('_bucket')) {
      own.bounds.push(Number(le.replace('Inf', 'Infinity')));
      own.counts.push(value);
    } else if (sample.endsWith('_count')) own.count = value;
    else own.sum = value;
  }
  for (const { bounds, counts, count, sum } of series.values()) {
    const rising = (values: number[]) => values.every((value, at) => at === 0 || value >= values[at - 1]);
    if (!rising(bounds) || bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`Bounds of ${name}.`);
    if (!rising(counts) || counts.at(-1) !== count || sum === null) throw new Error(`Counts of ${name}.`);
  }
}

/** What `promtool check metrics` finds fault with. */
function lint(name: string, { type, help }: Family): string[] {
  const faults: [boolean, string][] = [
    [help.trim() === '', 'no help'],
    [!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name), 'not snake case'],
    [(type === 'counter') !== name.endsWith('_total'), '_total is for counters'],
    [type !== 'histogram' && /_(count|sum|bucket)$/.test(name), 'a suffix of histograms'],
    [/_(milliseconds|ms|minutes|hours|kilobytes|megabytes|percent)(_|$)/.test(name), 'not a base unit'],
    [/_(gauge|counter|histogram|summary)(_|$)/.test(name), 'the type in the name'],
  ];
  return faults.flatMap(([wrong, what]) => (wrong ? [`${name}: ${what}`] : []));
}

function sampleOf(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number | null {
  const family = families.get(name) ?? families.get(name.replace(/_(count|sum|bucket)$/, ''));
  const wanted = JSON.stringify(Object.entries(labels).sort());
  const found = family?.samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === wanted,
  );
  return found?.value ?? null;
}

/** Everything once. */
function notifyAll({ metrics }: ReturnType<typeof metricsOf>) {
  metrics.request('GET', '/v1/digests/{id}', 200, 0.004);
  metrics.stage('extract', 0.03);
  metrics.digest('completed', 1.5);
  metrics.tokens('write', 120, 30);
  metrics.reused('encodings', 3, 10);
  metrics.job('queued');
  metrics.webhook('delivered');
  metrics.shed('queue');
  metrics.rateLimited();
}

describe('the answer to a scrape', () => {
  test('is well formed before and after anything was counted', async () => {
    const own = metricsOf();
    expect((await own.metrics.render()).contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    const before = await own.scrape();
    notifyAll(own);
    const after = await own.scrape();
    expect([...after.keys()]).toEqual([...before.keys()]);
  });

  test('has names, types and help as promtool wants them', async () => {
    const own = metricsOf();
    notifyAll(own);
    const families = [...(await own.scrape())].filter(([name]) => name.startsWith('tessera_'));
    expect(families.flatMap(([name, family]) => lint(name, family))).toEqual([]);
    expect(Object.fromEntries(families.map(([name, { type }]) => [name, type]))).toEqual({
      tessera_http_request_duration_seconds: 'histogram',
      tessera_stage_duration_seconds: 'histogram',
      tessera_digest_duration_seconds: 'histogram',
      tessera_tokens_total: 'counter',
      tessera_cache_lookups_total: 'counter',
      tessera_job_events_total: 'counter',
      tessera_webhook_attempts_total: 'counter',
      tessera_requests_shed_total: 'counter',
      tessera_requests_rate_limited_total: 'counter',
      tessera_scrape_failures_total: 'counter',
      tessera_jobs: 'gauge',
      tessera_webhooks_waiting: 'gauge',
      tessera_event_loop_delay_seconds: 'gauge',
    });
  });

  test('holds the metrics of the process and of Node under their usual names', async () => {
    const families = await metricsOf().scrape();
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
      expect(families.has(name), name).toBe(true);
    }
  });
});

test('what was told is counted', async () => {
  const own = metricsOf();
  notifyAll(own);
  notifyAll(own);
  const families = await own.scrape();
  const value = (name: string, labels?: Record<string, string>) => sampleOf(families, name, labels);
  const request = { method: 'GET', route: '/v1/digests/{id}', status: '200' };
  expect(value('tessera_http_request_duration_seconds_count', request)).toBe(2);
  expect(value('tessera_http_request_duration_seconds_sum', request)).toBeCloseTo(0.008, 12);
  expect(value('tessera_http_request_duration_seconds_bucket', { ...request, le: '0.005' })).toBe(2);
  expect(value('tessera_stage_duration_seconds_bucket', { stage: 'extract', le: '0.025' })).toBe(0);
  expect(value('tessera_stage_duration_seconds_bucket', { stage: 'extract', le: '0.05' })).toBe(2);
  expect(value('tessera_digest_duration_seconds_bucket', { status: 'completed', le: '120' })).toBe(2);
  expect(value('tessera_tokens_total', { stage: 'write', kind: 'prompt' })).toBe(240);
  expect(value('tessera_tokens_total', { stage: 'write', kind: 'completion' })).toBe(60);
  expect(value('tessera_cache_lookups_total', { kind: 'encodings', result: 'hit' })).toBe(6);
  expect(value('tessera_cache_lookups_total', { kind: 'encodings', result: 'miss' })).toBe(14);
  expect(value('tessera_job_events_total', { event: 'queued' })).toBe(2);
  expect(value('tessera_webhook_attempts_total', { outcome: 'delivered' })).toBe(2);
  expect(value('tessera_requests_shed_total', { reason: 'queue' })).toBe(2);
  expect(value('tessera_requests_rate_limited_total')).toBe(2);
});

test('what did not happen yet is 0, so that its first time is an increase', async () => {
  const families = await metricsOf().scrape();
  for (const event of JOB_HAPPENINGS) expect(sampleOf(families, 'tessera_job_events_total', { event }), event).toBe(0);
  for (const outcome of WEBHOOK_OUTCOMES) {
    expect(sampleOf(families, 'tessera_webhook_attempts_total', { outcome }), outcome).toBe(0);
  }
  expect(sampleOf(families, 'tessera_cache_lookups_total', { kind: 'extractions', result: 'hit' })).toBe(0);
  expect(sampleOf(families, 'tessera_requests_rate_limited_total')).toBe(0);
});

test('two of them count for themselves', async () => {
  const [one, other] = [metricsOf(), metricsOf()];
  one.metrics.rateLimited();
  expect(sampleOf(await one.scrape(), 'tessera_requests_rate_limited_total')).toBe(1);
  expect(sampleOf(await other.scrape(), 'tessera_requests_rate_limited_total')).toBe(0);
});

describe('gauges', () => {
  test('are read with each scrape', async () => {
    let queued = 3;
    const { scrape } = metricsOf({
      queue: async () => ({ queued: queued++, running: 2 }),
      waitingWebhooks: async () => 7,
    });
    const first = await scrape();
    expect(sampleOf(first, 'tessera_jobs', { state: 'queued' })).toBe(3);
    expect(sampleOf(first, 'tessera_jobs', { state: 'running' })).toBe(2);
    expect(sampleOf(first, 'tessera_webhooks_waiting')).toBe(7);
    expect(sampleOf(await scrape(), 'tessera_jobs', { state: 'queued' })).toBe(4);
  });

  test('that cannot be read are absent while all else is there', async () => {
    let broken = false;
    const fail =
      <T>(value: T) =>
      async () => {
        if (broken) throw new Error('the database is gone');
        return value;
      };
    const { scrape } = metricsOf({ queue: fail({ queued: 1, running: 1 }), waitingWebhooks: fail(1) });
    expect(sampleOf(await scrape(), 'tessera_webhooks_waiting')).toBe(1);
    broken = true;
    const without = await scrape();
    expect(without.get('tessera_jobs')?.samples).toEqual([]);
    expect(without.get('tessera_webhooks_waiting')?.samples).toEqual([]);
    expect(without.has('process_resident_memory_bytes')).toBe(true);
    broken = false;
    const again = await scrape();
    expect(sampleOf(again, 'tessera_jobs', { state: 'running' })).toBe(1);
    expect(sampleOf(again, 'tessera_webhooks_waiting')).toBe(1);
    expect(sampleOf(again, 'tessera_scrape_failures_total')).toBe(2);
  });
});

describe('the delay of the event loop', () => {
  test('is what the monitor says beyond its own interval, since the last scrape', async () => {
    const calls: string[] = [];
    const delays = [10.5e6, 11e6, 60e6]; // nanoseconds
    const monitor: DelayMonitor = {
      get count() {
        return delays.length;
      },
      get max() {
        return delays.length ? Math.max(...delays) : 0;
      },
      percentile: (share) => delays[Math.ceil((share / 100) * delays.length) - 1] ?? 511,
      reset: () => void delays.splice(0),
      enable: () => calls.push('enable') > 0,
      disable: () => calls.push('disable') > 0,
    };
    const { metrics, scrape } = metricsOf({}, monitor);
    const read = async () => {
      const families = await scrape();
      return ['p50', 'p99', 'max'].map((statistic) =>
        sampleOf(families, 'tessera_event_loop_delay_seconds', { statistic }),
      );
    };
    expect(await read()).toEqual([expect.closeTo(0.001, 9), expect.closeTo(0.05, 9), expect.closeTo(0.05, 9)]);
    expect(await read()).toEqual([0, 0, 0]);
    expect(calls).toEqual(['enable']);
    metrics.stop();
    expect(calls).toEqual(['enable', 'disable']);
  });

  test('shows that something held the loop up', async () => {
    const { scrape } = metricsOf();
    const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    await pause(30);
    const end = performance.now() + 60;
    while (performance.now() < end);
    await pause(20);
    const most = sampleOf(await scrape(), 'tessera_event_loop_delay_seconds', { statistic: 'max' });
    expect(most).toBeGreaterThan(0.03);
  });
});

describe('the parser', () => {
  const head = '# HELP a_total A.\n# TYPE a_total counter\n';
  test.each([
    ['no line feed at the end', `${head}a_total 1`],
    ['no type', 'a_total 1\n'],
    ['no help', '# TYPE a_total counter\na_total 1\n'],
    ['a family twice', `${head}a_total 1\n${head}a_total{b="1"} 1\n`],
    ['a series twice', `${head}a_total{b="1"} 1\na_total{b="1"} 2\n`],
    ['another name', `${head}b_total 1\n`],
    ['labels without quotes', `${head}a_total{b=1} 1\n`],
    ['no number', `${head}a_total x\n`],
    [
      'a histogram that falls',
      '# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
    ],
    ['a histogram without end', '# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_sum 1\nh_count 2\n'],
  ])('refuses %s', (_, text) => {
    expect(() => parseExposition(text)).toThrow();
  });

  test('lint finds what promtool finds', () => {
    expect(lint('tessera_wait_milliseconds', { type: 'gauge', help: 'W.', samples: [] })).toHaveLength(1);
    expect(lint('tesseraJobs', { type: 'counter', help: ' ', samples: [] })).toHaveLength(3);
    expect(lint('tessera_jobs_total', { type: 'gauge', help: 'J.', samples: [] })).toHaveLength(1);
  });
});

test('NO_METRICS counts nothing and has nothing to show', async () => {
  NO_METRICS.request('GET', '/', 200, 1);
  NO_METRICS.job('done');
  NO_METRICS.rateLimited();
  expect(await NO_METRICS.render()).toBeNull();
});
