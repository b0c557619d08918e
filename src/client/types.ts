import type {
  Accepted,
  CellEvent,
  Digest,
  DigestDocumentInput,
  DigestList,
  DigestPart,
  DigestRequest,
  DigestStatus,
  DocumentInput,
  EngineInput,
  EngineName,
  KeyPointsRequest,
  PendingDigest as Pending,
  Progress,
  SentenceEvent,
  Table,
  TableRequest,
} from '../contract/index.ts';
import type { EvaluationAnswer, EvaluationOrder, MetricName as Metric } from '../evaluation/index.ts';

export type {
  Assignment,
  Collection,
  CollectionDocument,
  CollectionText,
  Digest,
  DigestDocumentInput,
  DigestPart,
  DigestStatus,
  DocumentInput,
  DrawsAnswer,
  Experiment,
  ExperimentInput,
  ExperimentResults,
  ExperimentUpdate,
  ExperimentVersion,
  ExperimentWithVersions as ExperimentHistory,
  KeptRequest,
  KeyPoints,
  Outcome as OutcomeInput,
  Problem,
  Progress,
  PutDocument,
  PutDocuments,
  RecordedOutcomes,
  ReportRequest as ReportInput,
  RequestedDocument,
  SelectionsAnswer,
  SelectionsRequest,
  SentenceEvent as SentenceNews,
  SourceDocument,
  SourceText,
  Subscription,
  SubscriptionInput,
  Table,
  TableCell,
  WebhookEntry,
} from '../contract/index.ts';
export type { EvaluationAnswer, MetricName as Metric } from '../evaluation/index.ts';

type Material =
  | { readonly documents: readonly DigestDocumentInput[]; readonly collection?: undefined }
  | { readonly collection: string; readonly documents?: undefined };

/** The body of `POST /v1/digests`. */
export type DigestInput = Omit<DigestRequest, 'documents' | 'collection' | 'engine'> & {
  readonly engine?: EngineInput;
} & Material;

/** The body of `POST /v1/tables`. */
export type TableInput = Omit<TableRequest, 'documents' | 'collection'> & Material;

/** Events of a table. Cells come in any order; `table` is the last. */
export type TableEvent =
  | { readonly event: 'progress'; readonly data: Progress }
  | { readonly event: 'cell'; readonly data: CellEvent }
  | { readonly event: 'table'; readonly data: Table };

/** The body of `POST /v1/key-points`. */
export type KeyPointsInput = Omit<KeyPointsRequest, 'documents' | 'engine'> & {
  readonly documents: readonly DocumentInput[];
  readonly engine?: KeyPointsRequest['engine'] | EngineName;
};

/** The body of `POST /v1/evaluations`. */
export type EvaluationInput<Measure extends Metric = Metric> = Extract<EvaluationOrder, { readonly metric: Measure }>;

export type Evaluation<Measure extends Metric = Metric> = Extract<EvaluationAnswer, { readonly metric: Measure }>;

/** A digest without an answer, in one of some states. */
type Unfinished<Status extends Pending['status']> = Omit<Pending, 'status' | 'error'> & { readonly status: Status };

export type PendingDigest = Unfinished<'queued' | 'running'>;

export type CancelledDigest = Unfinished<'cancelled'>;

export type FailedDigest = Unfinished<'failed'> & Pick<Pending, 'error'>;

/** A digest in any state; `isFinished` tells if it is complete. */
export type DigestState = Digest | UnfinishedDigest;

export type UnfinishedDigest = PendingDigest | CancelledDigest | FailedDigest;

export type DigestEntry = Omit<DigestList['digests'][number], 'status'> & {
  readonly status: DigestStatus | Pending['status'];
};

interface Told<Name extends string, Data> {
  readonly event: Name;
  /** Number of the event, from 1; null if the service answered with the digest alone. */
  readonly id: number | null;
  readonly data: Data;
}

/** Events of a digest. `digest` is the last; failures and cancellations are thrown. */
export type DigestEvent =
  | Told<'accepted', Accepted>
  | Told<'progress', Progress>
  | Told<'sentence', SentenceEvent>
  | Told<'digest', Digest>;

export interface CallOptions {
  /** Ends the call at once, even between attempts; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface PostOptions extends CallOptions {
  /** Calls with the same key and request do the work once and get the same answer. Default: a random one. */
  readonly idempotencyKey?: string | undefined;
}

export interface PartsOptions<Part extends DigestPart> {
  /** Besides id and status. Default: all. */
  readonly include?: readonly Part[] | undefined;
  /** Whether `keyPoints` holds every key point, selected or not, and `documents` every document. Default: false. */
  readonly receipts?: boolean | undefined;
}

/** Some parts of a digest. */
export type DigestWith<Part extends DigestPart> = Pick<Digest, 'id' | 'status' | Part>;

export interface ListOptions extends CallOptions {
  /** Max items per page. */
  readonly limit?: number | undefined;
  /** `next` of an earlier page. */
  readonly cursor?: string | undefined;
}

/** Whether the digest is complete. A complete one with status `failed` reports that no document could be read. */
export function isFinished<Finished extends DigestWith<never>>(state: Finished | UnfinishedDigest): state is Finished {
  return !('progress' in state);
}
