import type { DigestStatus, Stage, StageName } from '../contract/index.ts';
import type { JobHappening } from './jobs/job-happenings.ts';

/** What came of one attempt to deliver a webhook: `retried` if there will be another, `failed` if not. */
export const WEBHOOK_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

export const REUSE_KINDS = ['extractions', 'encodings'] as const;
type ReuseKind = (typeof REUSE_KINDS)[number];

/** Metrics as they are answered. */
interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

/** What the service tells of its work, for whoever watches it. Strings come from small sets, never from a request. */
export interface ServiceMetrics {
  /** @param route as `routeOf` has it */
  request(method: string, route: string, status: number, seconds: number): void;
  stage(stage: Stage, seconds: number): void;
  digest(status: DigestStatus | 'cancelled', seconds: number): void;
  tokens(stage: StageName | 'encode', prompt: number, completion: number): void;
  /** @param hits how many of `total` were there already */
  reused(kind: ReuseKind, hits: number, total: number): void;
  job(event: JobHappening): void;
  webhook(outcome: WebhookOutcome): void;
  /** A request that was turned away with 503, and why in a word. */
  shed(reason: string): void;
  /** A request that was turned away with 429. */
  rateLimited(): void;
  /** Null where nothing is counted. */
  render(): Promise<RenderedMetrics | null>;
}

/** What is read when somebody looks. */
export interface GaugeReads {
  /** Jobs of all tenants. */
  readonly queue: () => Promise<{ readonly queued: number; readonly running: number }>;
  /** Webhooks of all tenants that are still to be delivered. */
  readonly waitingWebhooks: () => Promise<number>;
}

/** Counts nothing. */
export const NO_METRICS: ServiceMetrics = {
  request() {},
  stage() {},
  digest() {},
  tokens() {},
  reused() {},
  job() {},
  webhook() {},
  shed() {},
  rateLimited() {},
  render: async () => null,
};
