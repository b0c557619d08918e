import { type Calls, type Listing, path, query } from './calls.ts';
import { streamWork } from './stream-events.ts';
import type { Transport } from './transport.ts';
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
  Progress,
  PutDocument,
  PutDocuments,
  RecordedOutcomes,
  SelectionsAnswer,
  SelectionsRequest,
  SourceDocument,
  Subscription,
  SubscriptionInput,
  WebhookEntry,
} from './types.ts';

export interface PutOptions extends PostOptions {
  /**
   * Told how far the service is, by a stream that the time limit does not end and that is not resumed if it breaks. No idempotency key is
   * sent unless one is given; with one, all is told at the end, within the time limit.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

type PutEvent =
  | { readonly event: 'progress'; readonly data: Progress }
  | { readonly event: 'documents'; readonly data: PutDocuments };

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

export interface ListWebhooksOptions extends ListOptions {
  readonly status?: WebhookEntry['status'] | undefined;
}

export type Resources = ReturnType<typeof createResources>;

/** Everything but digests. */
export function createResources(transport: Transport, { get, put, patch, post, remove, list }: Calls) {
  /** Draws sets. */
  function select(request: SelectionsRequest & { readonly draws: number }, options?: PostOptions): Promise<DrawsAnswer>;
  /** Selects one. */
  function select(
    request: SelectionsRequest & { readonly draws?: undefined },
    options?: PostOptions,
  ): Promise<SelectionsAnswer>;
  function select(request: SelectionsRequest, options?: PostOptions): Promise<SelectionsAnswer | DrawsAnswer>;
  async function select(
    body: SelectionsRequest,
    { signal, idempotencyKey: given }: PostOptions = {},
  ): Promise<SelectionsAnswer | DrawsAnswer> {
    // Selecting again from a digest creates nothing, and an app may ask at every move of a slider: no answer need be stored for a day.
    const idempotencyKey = given ?? (body.digest === undefined ? undefined : null);
    return post('/v1/selections', body, { signal, idempotencyKey });
  }

  return {
    /** Extraction alone. */
    keyPoints: {
      extract: async (request: KeyPointsInput, options?: PostOptions): Promise<KeyPoints> =>
        post('/v1/key-points', request, options),
    },
    /** Selections among an app's own items, or among the points of a digest. */
    selections: { create: select },
    /** Collections of documents, for digests that are requested again and again. */
    collections: {
      create: async (
        collection: { readonly name?: string | undefined } = {},
        options?: PostOptions,
      ): Promise<Collection> => post('/v1/collections', collection, options),
      get: async (id: string, options?: CallOptions): Promise<Collection> => get(path`/v1/collections/${id}`, options),
      list: (options?: ListOptions): Listing<Collection> => list(() => '/v1/collections', 'collections', options),
      /** Deletes a collection with its documents. */
      delete: async (id: string, options?: CallOptions): Promise<void> => remove(path`/v1/collections/${id}`, options),
      /** Adds a document, or replaces the one with its id; it is extracted and encoded now. */
      putDocument: async (
        id: string,
        { id: document, ...body }: SourceDocument,
        options?: CallOptions,
      ): Promise<PutDocument> => put(path`/v1/collections/${id}/documents/${document}`, body, options),
      /** Adds or replaces documents by their ids, all or none; faster than one at a time. */
      putDocuments: async (
        id: string,
        documents: readonly SourceDocument[],
        { onProgress, ...options }: PutOptions = {},
      ): Promise<PutDocuments> => {
        const call = { path: path`/v1/collections/${id}/documents`, body: { documents }, ...options };
        if (onProgress === undefined) return post(call.path, call.body, options);
        let put!: PutDocuments; // the last event, without which the stream throws
        for await (const { event, data } of streamWork<PutEvent>(transport, call, ['progress', 'documents'])) {
          if (event === 'documents') put = data;
          else onProgress(data);
        }
        return put;
      },
      getDocument: async (id: string, document: string, options?: CallOptions): Promise<CollectionText> =>
        get(path`/v1/collections/${id}/documents/${document}`, options),
      /** The documents without their texts. */
      listDocuments: (id: string, options?: ListOptions): Listing<CollectionDocument> =>
        list(() => path`/v1/collections/${id}/documents`, 'documents', options),
      deleteDocument: async (id: string, document: string, options?: CallOptions): Promise<void> =>
        remove(path`/v1/collections/${id}/documents/${document}`, options),
    },
    /** Scores of digests, of this service or of others. */
    evaluations: {
      /** Scores by the metric that the request names. */
      create: async <Measure extends Metric>(
        request: { readonly metric: Measure } & EvaluationInput<Measure>,
        options?: PostOptions,
      ): Promise<Evaluation<Measure>> => post('/v1/evaluations', request, options),
    },
    /** A/B tests of digest options. A digest takes part by its `experiment`. */
    experiments: {
      create: async (experiment: ExperimentInput, options?: PostOptions): Promise<Experiment> =>
        post('/v1/experiments', experiment, options),
      get: async (key: string, { version, ...options }: ReadExperimentOptions = {}): Promise<ExperimentHistory> =>
        get(path`/v1/experiments/${key}` + query({ version }), options),
      /** In their newest versions. */
      list: (options?: ListOptions): Listing<Experiment> => list(() => '/v1/experiments', 'experiments', options),
      /** Changes any field of a draft; of a running experiment the hypothesis alone, or the rest in a new version. */
      update: async (key: string, changes: ExperimentUpdate, options?: CallOptions): Promise<Experiment> =>
        put(path`/v1/experiments/${key}`, changes, options),
      /** Starts assigning subjects. */
      start: async (key: string, options?: PostOptions): Promise<Experiment> =>
        post(path`/v1/experiments/${key}/start`, {}, options),
      stop: async (key: string, options?: PostOptions): Promise<Experiment> =>
        post(path`/v1/experiments/${key}/stop`, {}, options),
      /** The variant of a subject; nothing is recorded. */
      assignment: async (key: string, subject: string, options?: CallOptions): Promise<Assignment> =>
        get(path`/v1/experiments/${key}/assignment` + query({ subject }), options),
      /** Records that a subject sees its variant, for apps that make the difference themselves. */
      expose: async (key: string, subject: string, options?: PostOptions): Promise<Assignment> =>
        post(path`/v1/experiments/${key}/exposures`, { subject }, options),
      /** Records at most 1,000 outcomes, each counted once by its `eventId`. */
      recordOutcomes: async (
        key: string,
        outcomes: readonly OutcomeInput[],
        options?: PostOptions,
      ): Promise<RecordedOutcomes> => post(path`/v1/experiments/${key}/outcomes`, { outcomes }, options),
      results: async (
        key: string,
        { version, alpha, correction, ...options }: ResultsOptions = {},
      ): Promise<ExperimentResults> =>
        get(path`/v1/experiments/${key}/results` + query({ version, alpha, correction }), options),
    },
    /** Digests of what is new in a collection, made when documents are added. */
    subscriptions: {
      create: async (subscription: SubscriptionInput, options?: PostOptions): Promise<Subscription> =>
        post('/v1/subscriptions', subscription, options),
      get: async (id: string, options?: CallOptions): Promise<Subscription> =>
        get(path`/v1/subscriptions/${id}`, options),
      list: (options?: ListOptions): Listing<Subscription> => list(() => '/v1/subscriptions', 'subscriptions', options),
      /** Pauses or resumes. */
      update: async (id: string, change: Pick<Subscription, 'state'>, options?: CallOptions): Promise<Subscription> =>
        patch(path`/v1/subscriptions/${id}`, change, options),
      /** Deletes a subscription; its digests stay. */
      delete: async (id: string, options?: CallOptions): Promise<void> =>
        remove(path`/v1/subscriptions/${id}`, options),
    },
    /** Messages that a digest has ended. */
    webhooks: {
      list: ({ status, ...options }: ListWebhooksOptions = {}): Listing<WebhookEntry> =>
        list(() => '/v1/webhooks', 'webhooks', options, { status }),
      /** Sends a failed message again, under the same id. */
      retry: async (id: string, options?: PostOptions): Promise<WebhookEntry> =>
        post(path`/v1/webhooks/${id}/retry`, {}, options),
    },
  };
}
