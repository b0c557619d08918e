import type {
  Assignment,
  Digest,
  DigestMap,
  DigestRequest,
  DigestStatus,
  DrawsAnswer,
  ExperimentDefinition,
  ExperimentState,
  ExperimentSubject,
  Guardrail,
  KeptRequest,
  KeyPoints,
  KeyPointsRequest,
  MappedPoint,
  MetricDefinition,
  Outcome,
  Problem,
  RecordedOutcomes,
  ReportRequest,
  RequestedDocument,
  ExperimentResults as Results,
  SelectionsAnswer,
  SelectionsRequest,
  SourceText,
  Stage,
  SummarySentence,
  Variant,
} from '../contract/index.ts';
import type { EvaluationAnswer, EvaluationInputs, MetricName as Metric } from '../evaluation/index.ts';
import type { SourceDocument } from '../text/index.ts';

export type {
  Assignment,
  Digest,
  DigestMap,
  DigestStatus,
  DrawsAnswer,
  EvaluationAnswer,
  KeptRequest,
  KeyPoints,
  MappedPoint,
  Metric,
  Problem,
  RecordedOutcomes,
  RequestedDocument,
  SelectionsAnswer,
  SelectionsRequest,
  SourceDocument,
  SourceText,
};

/** How far a digest has come. */
export interface Progress {
  readonly stage: Stage;
  readonly done: number;
  readonly total: number;
  /** The document that was just read. */
  readonly document?: string | undefined;
}

/** What the reader knows already: in words, or by an earlier digest. */
export type Background = string | { readonly digest: string };

/** What the reader wants to know, as it is sent. */
export interface ReportInput extends Omit<ReportRequest, 'background'> {
  readonly background?: Background | undefined;
}

/** What is read: documents that are sent along, or those of a collection. */
type Material =
  | { readonly documents: readonly SourceDocument[]; readonly collection?: undefined }
  | { readonly collection: string; readonly documents?: undefined };

/** The body of `POST /v1/digests`. */
export type DigestInput = Pick<DigestRequest, 'selection' | 'summary' | 'engine'> &
  Material & {
    readonly intent?: string | ReportInput | undefined;
    /** Gets a signed webhook when the digest is finished. */
    readonly callbackUrl?: string | undefined;
    /** Makes it by the options of the subject's variant, and notes that the subject saw them. */
    readonly experiment?: ExperimentSubject | undefined;
  };

/** The body of `POST /v1/key-points`. */
export interface KeyPointsInput extends Pick<KeyPointsRequest, 'engine'> {
  readonly documents: readonly SourceDocument[];
}

/** The body of `POST /v1/evaluations`. */
export type EvaluationInput<Measure extends Metric = Metric> = EvaluationInputs[Measure];

/** What one measure answers. */
export type Evaluation<Measure extends Metric = Metric> = EvaluationAnswer<Measure>;

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

/** Documents that are kept, so that each is extracted and encoded once. */
export interface Collection {
  readonly id: string;
  readonly name: string | null;
  /** How many there are. */
  readonly documents: number;
  readonly createdAt: string;
}

/** A document of a collection, without its text. */
export interface CollectionDocument extends Omit<SourceDocument, 'text'> {
  readonly characters: number;
  readonly keyPoints: number;
  readonly updatedAt: string;
}

/** A document of a collection with its text. */
export interface CollectionText extends CollectionDocument {
  readonly text: string;
}

/** What became of a document that was put into a collection. */
export interface PutDocument extends CollectionDocument {
  readonly status: 'ok' | 'empty' | 'failed';
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** `Field`s of a type that need not be there. */
type Lax<Type, Field extends keyof Type> = Omit<Type, Field> & { readonly [Name in Field]?: Type[Name] | undefined };

/** What an experiment tries and what tells, as it is sent. */
export interface ExperimentFields {
  readonly hypothesis: string;
  /** The first is the control; without options it is what requests ask for. */
  readonly variants: readonly Lax<Variant, 'options'>[];
  readonly metrics: readonly Lax<MetricDefinition, 'minimumEffect'>[];
  readonly guardrails?: readonly Lax<Guardrail, 'minimumEffect'>[] | undefined;
  /** Share of the subjects that take part; all where it is absent. */
  readonly traffic?: number | undefined;
  readonly layer?: ExperimentDefinition['layer'] | undefined;
  readonly salt?: string | undefined;
}

/** The body of `POST /v1/experiments`. */
export interface ExperimentInput extends ExperimentFields {
  readonly key: string;
  /** `running` starts it at once; a draft where it is absent. */
  readonly status?: 'draft' | 'running' | undefined;
}

/** The body of `PUT /v1/experiments/{key}`: what is absent stays as it is. */
export type ExperimentUpdate = { readonly [Field in keyof ExperimentFields]?: ExperimentFields[Field] | undefined } & {
  /** The version that the change is for: it is refused where there is a newer one by now. */
  readonly version?: number | undefined;
  /** Of one that has begun, which goes on in it at once, with its subjects assigned afresh. */
  readonly newVersion?: boolean | undefined;
};

/** A version of an experiment. */
export interface ExperimentVersion {
  readonly version: number;
  readonly status: ExperimentState;
  readonly startedAt: string | null;
  readonly stoppedAt: string | null;
}

export interface Experiment extends ExperimentDefinition, ExperimentVersion {
  readonly createdAt: string;
}

/** An experiment with all its versions, the newest first. */
export interface ExperimentHistory extends Experiment {
  readonly versions: readonly ExperimentVersion[];
}

/** What became of a subject. */
export interface OutcomeInput extends Omit<Outcome, 'at'> {
  /** ISO 8601; when it arrives, where it is absent. */
  readonly at?: string | undefined;
}

/** What an experiment has shown. */
export interface ExperimentResults extends Omit<Results, 'state'> {
  readonly status: ExperimentState;
}

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
