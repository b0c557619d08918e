import type { DigestStatus, Stage, StageName } from '../contract/index.ts';

/** `retried` if another attempt follows, otherwise `failed`. */
export const WEBHOOK_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

export const REUSE_KINDS = ['extractions', 'encodings'] as const;
type ReuseKind = (typeof REUSE_KINDS)[number];

/** Labels come from small sets, never from a request. */
export interface ServiceMetrics {
  /** `route` is as in the OpenAPI document. */
  request(method: string, route: string, status: number, seconds: number): void;
  stage(stage: Stage, seconds: number): void;
  digest(status: DigestStatus | 'cancelled', seconds: number): void;
  tokens(stage: StageName | 'encode', prompt: number, completion: number): void;
  /** `hits` is the part of `total` found in the store. */
  reused(kind: ReuseKind, hits: number, total: number): void;
  job(event: JobHappening): void;
  webhook(outcome: WebhookOutcome): void;
  shed(reason: string): void;
  rateLimited(): void;
  /** Null if metrics are disabled. */
  render(): Promise<{ readonly contentType: string; readonly body: string } | null>;
}

export interface GaugeReads {
  readonly queue: () => Promise<{ readonly queued: number; readonly running: number }>;
  readonly waitingWebhooks: () => Promise<number>;
}

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

export const JOB_HAPPENINGS = [
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
