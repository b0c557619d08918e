import { type Calls, type Listing, path, query } from './calls.ts';
import type {
  Assignment,
  CallOptions,
  Collection,
  CollectionDocument,
  CollectionText,
  DrawsAnswer,
  Evaluation,
  EvaluationInput,
  Experiment,
  ExperimentHistory,
  ExperimentInput,
  ExperimentResults,
  ExperimentUpdate,
  KeyPoints,
  KeyPointsInput,
  ListOptions,
  Metric,
  OutcomeInput,
  PostOptions,
  PutDocument,
  RecordedOutcomes,
  SelectionsAnswer,
  SelectionsRequest,
  SourceDocument,
  WebhookEntry,
} from './types.ts';

/** Extraction alone. */
export interface KeyPointsClient {
  extract(request: KeyPointsInput, options?: PostOptions): Promise<KeyPoints>;
}

/** Selections among an app's own items, or among the points of a digest. */
export interface SelectionsClient {
  /** Draws sets. */
  create(request: SelectionsRequest & { readonly draws: number }, options?: PostOptions): Promise<DrawsAnswer>;
  /** Selects one. */
  create(request: SelectionsRequest & { readonly draws?: undefined }, options?: PostOptions): Promise<SelectionsAnswer>;
  create(request: SelectionsRequest, options?: PostOptions): Promise<SelectionsAnswer | DrawsAnswer>;
}

/** Collections of documents, for digests that are requested again and again. */
export interface CollectionsClient {
  create(collection?: { readonly name?: string | undefined }, options?: PostOptions): Promise<Collection>;
  get(id: string, options?: CallOptions): Promise<Collection>;
  list(options?: ListOptions): Listing<Collection>;
  /** Deletes a collection with its documents. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Adds a document, or replaces the one with its id; it is extracted and encoded now. */
  putDocument(id: string, document: SourceDocument, options?: CallOptions): Promise<PutDocument>;
  getDocument(id: string, document: string, options?: CallOptions): Promise<CollectionText>;
  /** The documents without their texts. */
  listDocuments(id: string, options?: ListOptions): Listing<CollectionDocument>;
  deleteDocument(id: string, document: string, options?: CallOptions): Promise<void>;
}

/** Scores of digests, of this service or of others. */
export interface EvaluationsClient {
  /** Scores by the metric that the request names. */
  create<Measure extends Metric>(
    request: { readonly metric: Measure } & EvaluationInput<Measure>,
    options?: PostOptions,
  ): Promise<Evaluation<Measure>>;
}

export interface ReadExperimentOptions extends CallOptions {
  /** Default: the newest. */
  readonly version?: number | undefined;
}

export interface ResultsOptions extends ReadExperimentOptions {
  /** Accepted probability of a false positive. Default: 0.05. */
  readonly alpha?: number | undefined;
  /** Of p-values. Default: `holm`. */
  readonly correction?: ExperimentResults['correction'] | undefined;
}

/** A/B tests of digest options. A digest takes part by its `experiment`. */
export interface ExperimentsClient {
  create(experiment: ExperimentInput, options?: PostOptions): Promise<Experiment>;
  get(key: string, options?: ReadExperimentOptions): Promise<ExperimentHistory>;
  /** In their newest versions. */
  list(options?: ListOptions): Listing<Experiment>;
  /** Changes any field of a draft; of a running experiment the hypothesis alone, or the rest in a new version. */
  update(key: string, changes: ExperimentUpdate, options?: CallOptions): Promise<Experiment>;
  /** Starts assigning subjects. */
  start(key: string, options?: PostOptions): Promise<Experiment>;
  stop(key: string, options?: PostOptions): Promise<Experiment>;
  /** The variant of a subject; nothing is recorded. */
  assignment(key: string, subject: string, options?: CallOptions): Promise<Assignment>;
  /** Records that a subject sees its variant, for apps that make the difference themselves. */
  expose(key: string, subject: string, options?: PostOptions): Promise<Assignment>;
  /** Records at most 1,000 outcomes, each counted once by its `eventId`. */
  recordOutcomes(key: string, outcomes: readonly OutcomeInput[], options?: PostOptions): Promise<RecordedOutcomes>;
  results(key: string, options?: ResultsOptions): Promise<ExperimentResults>;
}

export interface ListWebhooksOptions extends ListOptions {
  readonly status?: WebhookEntry['status'] | undefined;
}

/** Messages that a digest has ended. */
export interface WebhooksClient {
  list(options?: ListWebhooksOptions): Listing<WebhookEntry>;
  /** Sends a failed message again, under the same id. */
  retry(id: string, options?: PostOptions): Promise<WebhookEntry>;
}

export interface Resources {
  readonly keyPoints: KeyPointsClient;
  readonly selections: SelectionsClient;
  readonly collections: CollectionsClient;
  readonly evaluations: EvaluationsClient;
  readonly experiments: ExperimentsClient;
  readonly webhooks: WebhooksClient;
}

/** Everything but digests. */
export function createResources({ get, put, post, remove, list }: Calls): Resources {
  // The request's type says which of the two answers comes.
  async function select<Answered extends SelectionsAnswer & DrawsAnswer>(
    body: SelectionsRequest,
    { signal, idempotencyKey: given }: PostOptions = {},
  ): Promise<Answered> {
    // Selecting again from a digest creates nothing, and a slider may ask at every move: no answer need be stored for a day.
    const idempotencyKey = given ?? (body.digest === undefined ? undefined : null);
    return post('/v1/selections', body, { signal, idempotencyKey });
  }

  return {
    keyPoints: { extract: async (request, options) => post('/v1/key-points', request, options) },
    selections: { create: select },
    collections: {
      create: async (collection = {}, options) => post('/v1/collections', collection, options),
      get: async (id, options) => get(path`/v1/collections/${id}`, options),
      list: (options) => list(() => '/v1/collections', 'collections', options),
      delete: async (id, options) => remove(path`/v1/collections/${id}`, options),
      putDocument: async (id, { id: document, ...body }, options) =>
        put(path`/v1/collections/${id}/documents/${document}`, body, options),
      getDocument: async (id, document, options) => get(path`/v1/collections/${id}/documents/${document}`, options),
      listDocuments: (id, options) => list(() => path`/v1/collections/${id}/documents`, 'documents', options),
      deleteDocument: async (id, document, options) =>
        remove(path`/v1/collections/${id}/documents/${document}`, options),
    },
    evaluations: { create: async (request, options) => post('/v1/evaluations', request, options) },
    experiments: {
      create: async (experiment, options) => post('/v1/experiments', experiment, options),
      get: async (key, { version, ...options } = {}) => get(path`/v1/experiments/${key}` + query({ version }), options),
      list: (options) => list(() => '/v1/experiments', 'experiments', options),
      update: async (key, changes, options) => put(path`/v1/experiments/${key}`, changes, options),
      start: async (key, options) => post(path`/v1/experiments/${key}/start`, {}, options),
      stop: async (key, options) => post(path`/v1/experiments/${key}/stop`, {}, options),
      assignment: async (key, subject, options) =>
        get(path`/v1/experiments/${key}/assignment` + query({ subject }), options),
      expose: async (key, subject, options) => post(path`/v1/experiments/${key}/exposures`, { subject }, options),
      recordOutcomes: async (key, outcomes, options) =>
        post(path`/v1/experiments/${key}/outcomes`, { outcomes }, options),
      results: async (key, { version, alpha, correction, ...options } = {}) =>
        get(path`/v1/experiments/${key}/results` + query({ version, alpha, correction }), options),
    },
    webhooks: {
      list: ({ status, ...options } = {}) => list(() => '/v1/webhooks', 'webhooks', options, { status }),
      retry: async (id, options) => post(path`/v1/webhooks/${id}/retry`, {}, options),
    },
  };
}
