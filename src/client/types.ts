import type {
  Accepted,
  Digest,
  DigestList,
  DigestPart,
  DigestRequest,
  DigestStatus,
  DocumentInput,
  KeyPointsRequest,
  PendingDigest as Pending,
  Progress,
  SentenceEvent,
} from '../contract/index.ts';
import type { EvaluationAnswer, EvaluationInputs, MetricName as Metric } from '../evaluation/index.ts';

export type {
  Assignment,
  Collection,
  CollectionDocument,
  CollectionText,
  Digest,
  DigestMap,
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
  MappedPoint,
  Outcome as OutcomeInput,
  Problem,
  Progress,
  PutDocument,
  RecordedOutcomes,
  ReportRequest as ReportInput,
  RequestedDocument,
  SelectionsAnswer,
  SelectionsRequest,
  SentenceEvent as SentenceNews,
  SourceDocument,
  SourceText,
  WebhookEntry,
} from '../contract/index.ts';
export type { EvaluationAnswer, MetricName as Metric } from '../evaluation/index.ts';

/** What is read: documents that are sent along, or those of a collection. */
type Material =
  | { readonly documents: readonly DocumentInput[]; readonly collection?: undefined }
  | { readonly collection: string; readonly documents?: undefined };

/** The body of `POST /v1/digests`. */
export type DigestInput = Omit<DigestRequest, 'documents' | 'collection'> & Material;

/** The body of `POST /v1/key-points`. */
export type KeyPointsInput = Omit<KeyPointsRequest, 'documents'> & { readonly documents: readonly DocumentInput[] };

/** The body of `POST /v1/evaluations`. */
export type EvaluationInput<Measure extends Metric = Metric> = EvaluationInputs[Measure];

/** What one measure answers. */
export type Evaluation<Measure extends Metric = Metric> = Extract<EvaluationAnswer, { readonly metric: Measure }>;

/** A digest without an answer, of some of the states that it may be in. */
type Unfinished<Status extends Pending['status']> = Omit<Pending, 'status' | 'error'> & { readonly status: Status };

/** A digest that is waited for. */
export type PendingDigest = Unfinished<'queued' | 'running'>;

/** A digest that was given up by request. */
export type CancelledDigest = Unfinished<'cancelled'>;

/** A digest that could not be made. */
export type FailedDigest = Unfinished<'failed'> & Pick<Pending, 'error'>;

/** What a digest is at some moment; `isFinished` tells whether it is a whole one. */
export type DigestState = Digest | UnfinishedDigest;

/** What a digest is that has no answer. */
export type UnfinishedDigest = PendingDigest | CancelledDigest | FailedDigest;

/** A digest in a list. */
export type DigestEntry = Omit<DigestList['digests'][number], 'status'> & {
  readonly status: DigestStatus | Pending['status'];
};

interface Told<Name extends string, Data> {
  readonly event: Name;
  /** Place among the events of the digest, from 1; null where the service answered with the digest alone. */
  readonly id: number | null;
  readonly data: Data;
}

/** What a stream tells of a digest. `digest` is the last; failures and cancellations are thrown. */
export type DigestEvent =
  | Told<'accepted', Accepted>
  | Told<'progress', Progress>
  | Told<'sentence', SentenceEvent>
  | Told<'digest', Digest>;

/** What any call may be told. */
export interface CallOptions {
  /** Ends the call at once, waits between its attempts included; the call is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call that makes something may be told. */
export interface PostOptions extends CallOptions {
  /** Calls with the same key and request do the work once, and are answered alike; one is made up where it is absent. */
  readonly idempotencyKey?: string | undefined;
}

/** Which parts of a digest are wanted. */
export interface PartsOptions<Part extends DigestPart> {
  /** Beside its id and status; all where it is absent. */
  readonly include?: readonly Part[] | undefined;
}

/** A digest of which some parts were asked for. */
export type DigestWith<Part extends DigestPart> = Pick<Digest, 'id' | 'status' | Part>;

/** Which part of a list is wanted. */
export interface ListOptions extends CallOptions {
  /** Most items of a page. */
  readonly limit?: number | undefined;
  /** `next` of the page before the first wanted one. */
  readonly cursor?: string | undefined;
}

/** Whether this is a whole digest; one with the status `failed` tells of documents none of which could be read. */
export function isFinished<Finished extends DigestWith<never>>(state: Finished | UnfinishedDigest): state is Finished {
  return !('progress' in state);
}
