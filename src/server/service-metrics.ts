const JOB_HAPPENINGS = [
  'queued',
  'started',
  'done',
  'failed',
  'cancelled',
  'retried',
  'taken-over',
  'handed-back',
] as const;
export type JobHappening = (typeof JOB_HAPPENINGS)[number];

type Labels = Readonly<Record<string, string | number>>;

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Counted from 0 at the start, so that rules see the increase of the first event. */
  readonly known?: readonly Labels[];
}

/** Histograms of seconds. Labels come from small sets, never from a request. */
export const DURATIONS = {
  requests: {
    name: 'tessera_http_request_duration_seconds',
    help: 'How long requests took until the head of their response, by method, route and status.',
    labels: ['method', 'route', 'status'],
  },
  stages: { name: 'tessera_stage_duration_seconds', help: 'How long the stages of digests took.', labels: ['stage'] },
  digests: {
    name: 'tessera_digest_duration_seconds',
    help: 'How long digests took, by how they ended.',
    labels: ['status'],
  },
} as const satisfies Record<string, Metric>;

export const COUNTERS = {
  tokens: {
    name: 'tessera_tokens_total',
    help: 'Tokens of language models and encoders, by stage.',
    labels: ['stage', 'kind'],
  },
  lookups: {
    name: 'tessera_cache_lookups_total',
    help: 'Extractions and encodings looked for in the store.',
    labels: ['kind', 'result'],
    known: ['extractions', 'encodings'].flatMap((kind) => ['hit', 'miss'].map((result) => ({ kind, result }))),
  },
  jobs: {
    name: 'tessera_job_events_total',
    help: 'What became of jobs.',
    labels: ['event'],
    known: JOB_HAPPENINGS.map((event) => ({ event })),
  },
  webhooks: {
    name: 'tessera_webhook_attempts_total',
    help: 'Attempts to deliver webhooks, by outcome.',
    labels: ['outcome'],
    known: ['delivered', 'retried', 'failed'].map((outcome) => ({ outcome })),
  },
  sheds: { name: 'tessera_requests_shed_total', help: 'Requests turned away with 503, by reason.', labels: ['reason'] },
  limited: { name: 'tessera_requests_rate_limited_total', help: 'Requests turned away with 429.', labels: [] },
  unread: {
    name: 'tessera_scrape_failures_total',
    help: 'Reads of gauges that failed during a scrape.',
    labels: [],
  },
} as const satisfies Record<string, Metric>;

type LabelsOf<Table extends Record<string, Metric>, Name extends keyof Table> = Readonly<
  Record<Table[Name]['labels'][number], string | number>
>;

export interface ServiceMetrics {
  time<Name extends keyof typeof DURATIONS>(
    name: Name,
    labels: LabelsOf<typeof DURATIONS, Name>,
    seconds: number,
  ): void;
  /** By 1 unless told otherwise. */
  count<Name extends keyof typeof COUNTERS>(name: Name, labels: LabelsOf<typeof COUNTERS, Name>, by?: number): void;
  /** Null if metrics are disabled. */
  render(): Promise<{ readonly contentType: string; readonly body: string } | null>;
}

export const NO_METRICS: ServiceMetrics = { time() {}, count() {}, render: async () => null };
