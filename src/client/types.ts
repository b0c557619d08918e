import type {
  ArgueOrder,
  Digest,
  DigestRequest,
  DigestStatus,
  EvaluationAnswer,
  ExperimentSubject,
  KeyPointRecallOrder,
  KeyPointsRequest,
  Metric,
  Problem,
  Progress,
  ReportRequest,
  SourceCoverageOrder,
  SourceDocument,
  SummarySentence,
  SummHayOrder,
} from '../contract/index.ts';

export type {
  Assignment,
  Collection,
  CollectionDocument,
  CollectionText,
  Digest,
  DigestMap,
  DigestStatus,
  DrawsAnswer,
  EvaluationAnswer,
  Experiment,
  ExperimentInput,
  ExperimentResults,
  ExperimentUpdate,
  ExperimentVersion,
  ExperimentWithVersions as ExperimentHistory,
  KeptRequest,
  KeyPoints,
  MappedPoint,
  Metric,
  Outcome as OutcomeInput,
  Problem,
  Progress,
  PutDocument,
  RecordedOutcomes,
  ReportRequest as ReportInput,
  RequestedDocument,
  SelectionsAnswer,
  SelectionsRequest,
  SourceDocument,
  SourceText,
} from '../contract/index.ts';

/** What is read: documents that are sent along, or those of a collection. */
type Material =
  | { readonly documents: readonly SourceDocument[]; readonly collection?: undefined }
  | { readonly collection: string; readonly documents?: undefined };

/** The body of `POST /v1/digests`. */
export type DigestInput = Pick<DigestRequest, 'selection' | 'summary' | 'engine'> &
  Material & {
    readonly intent?: string | ReportRequest | undefined;
    /** Gets a signed webhook when the digest is finished. */
    readonly callbackUrl?: string | undefined;
    /** Makes it by the options of the subject's variant, and notes that the subject saw them. */
    readonly experiment?: ExperimentSubject | undefined;
  };

/** The body of `POST /v1/key-points`. */
export interface KeyPointsInput extends Pick<KeyPointsRequest, 'engine'> {
  readonly documents: readonly SourceDocument[];
}

/** An order that gives the text that is scored, with what else it needs then, or a digest in its place. */
type TextOrDigest<Order, Text extends keyof Order, Others extends keyof Order = never> =
  | (Omit<Order, 'digest' | Text | Others> & { readonly [Field in Text | Others]: Exclude<Order[Field], undefined> } & {
      readonly digest?: undefined;
    })
  | (Omit<Order, 'digest' | Text> & { readonly digest: string } & { readonly [Field in Text]?: undefined });

/** The bodies of `POST /v1/evaluations`, by measure. */
export interface EvaluationInputs {
  readonly summhay: TextOrDigest<SummHayOrder, 'bullets'>;
  readonly 'key-point-recall': TextOrDigest<KeyPointRecallOrder, 'answer'>;
  readonly argue: TextOrDigest<ArgueOrder, 'report', 'documents'>;
  readonly 'source-coverage': TextOrDigest<SourceCoverageOrder, 'summary', 'documents'>;
}

/** The body of `POST /v1/evaluations`. */
export type EvaluationInput<Measure extends Metric = Metric> = EvaluationInputs[Measure];

/** What one measure answers. */
export type Evaluation<Measure extends Metric = Metric> = Extract<EvaluationAnswer, { readonly metric: Measure }>;

interface Unfinished {
  readonly id: string;
  /** How far it has come; null before the first stage. */
  readonly progress: Progress | null;
  readonly createdAt: string;
}

/** A digest that is waited for. */
export interface PendingDigest extends Unfinished {
  readonly status: 'queued' | 'running';
}

/** A digest that was given up by request. */
export interface CancelledDigest extends Unfinished {
  readonly status: 'cancelled';
}

/** A digest that could not be made. */
export interface FailedDigest extends Unfinished {
  readonly status: 'failed';
  readonly error?: Problem | undefined;
}

/** What a digest is at some moment; `isFinished` tells whether it is a whole one. */
export type DigestState = Digest | PendingDigest | CancelledDigest | FailedDigest;

/** A digest in a list. */
export interface DigestEntry {
  readonly id: string;
  readonly status: DigestStatus | PendingDigest['status'] | CancelledDigest['status'];
  readonly createdAt: string;
}

/** A sentence of the summary, once it stands; one with an index that was told before replaces the earlier one. */
export interface SentenceNews extends SummarySentence {
  readonly index: number;
  /** Numbers of the sources that it cites. */
  readonly sources: readonly number[];
}

interface Told<Name extends string, Data> {
  readonly event: Name;
  /** Place among the events of the digest, from 1; null where the service answered with the digest alone. */
  readonly id: number | null;
  readonly data: Data;
}

/** What a stream tells of a digest. `digest` is the last; failures and cancellations are thrown. */
export type DigestEvent =
  | Told<'accepted', { readonly id: string; readonly location: string }>
  | Told<'progress', Progress>
  | Told<'sentence', SentenceNews>
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

/** Which part of a list is wanted. */
export interface ListOptions extends CallOptions {
  /** Most items of a page. */
  readonly limit?: number | undefined;
  /** `next` of the page before the first wanted one. */
  readonly cursor?: string | undefined;
}

/** Whether this is a whole digest; one with the status `failed` tells of documents none of which could be read. */
export function isFinished(state: DigestState): state is Digest {
  return 'summary' in state;
}
