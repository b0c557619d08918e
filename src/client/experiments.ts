import { type Listing, listing } from './listing.ts';
import { path, query } from './path.ts';
import type { Call, Transport } from './transport.ts';
import type {
  Assignment,
  CallOptions,
  Experiment,
  ExperimentHistory,
  ExperimentInput,
  ExperimentResults,
  ExperimentUpdate,
  ListOptions,
  OutcomeInput,
  PostOptions,
  RecordedOutcomes,
} from './types.ts';

export interface ReadExperimentOptions extends CallOptions {
  /** The newest where it is absent. */
  readonly version?: number | undefined;
}

export interface ResultsOptions extends ReadExperimentOptions {
  /** Chance of a false finding that is accepted; 0.05 where it is absent. */
  readonly alpha?: number | undefined;
  /** Of p-values; `holm` where it is absent. */
  readonly correction?: ExperimentResults['correction'] | undefined;
}

/** A/B tests of how digests are made. A digest takes part by its `experiment`. */
export interface ExperimentsClient {
  create(experiment: ExperimentInput, options?: PostOptions): Promise<Experiment>;
  get(key: string, options?: ReadExperimentOptions): Promise<ExperimentHistory>;
  /** In their newest versions. */
  list(options?: ListOptions): Listing<Experiment>;
  /** Changes a draft in all, one that has begun in its hypothesis or in a new version. */
  update(key: string, changes: ExperimentUpdate, options?: CallOptions): Promise<Experiment>;
  /** From now on subjects are assigned. */
  start(key: string, options?: PostOptions): Promise<Experiment>;
  stop(key: string, options?: PostOptions): Promise<Experiment>;
  /** Which variant a subject is assigned to; nothing is noted. */
  assignment(key: string, subject: string, options?: CallOptions): Promise<Assignment>;
  /** Notes that a subject sees its variant, for apps that make the difference themselves. */
  expose(key: string, subject: string, options?: PostOptions): Promise<Assignment>;
  /** Records what became of subjects: 1,000 outcomes at most, each counted once by its `eventId`. */
  recordOutcomes(key: string, outcomes: readonly OutcomeInput[], options?: PostOptions): Promise<RecordedOutcomes>;
  results(key: string, options?: ResultsOptions): Promise<ExperimentResults>;
}

export function experimentsClient({ send }: Transport): ExperimentsClient {
  const bodyOf = async <Body>(call: Call): Promise<Body> => (await send<Body>(call)).body;
  const post = async <Body>(at: string, body: unknown, { signal, idempotencyKey }: PostOptions): Promise<Body> =>
    bodyOf({ method: 'POST', path: at, body, signal, idempotencyKey });

  return {
    create: (experiment, options = {}) => post('/v1/experiments', experiment, options),
    async get(key, { version, signal } = {}) {
      return bodyOf({ method: 'GET', path: path`/v1/experiments/${key}` + query({ version }), signal });
    },
    list({ limit, cursor: first, signal } = {}) {
      return listing(async (cursor) => {
        const { experiments, next } = await bodyOf<{
          readonly experiments: readonly Experiment[];
          readonly next: string | null;
        }>({ method: 'GET', path: `/v1/experiments${query({ limit, cursor })}`, signal });
        return { items: experiments, next };
      }, first);
    },
    async update(key, changes, { signal } = {}) {
      return bodyOf({ method: 'PUT', path: path`/v1/experiments/${key}`, body: changes, signal });
    },
    // With a body: of pages in browsers the service wants the type of one.
    start: async (key, options = {}) => post(path`/v1/experiments/${key}/start`, {}, options),
    stop: async (key, options = {}) => post(path`/v1/experiments/${key}/stop`, {}, options),
    async assignment(key, subject, { signal } = {}) {
      return bodyOf({ method: 'GET', path: path`/v1/experiments/${key}/assignment` + query({ subject }), signal });
    },
    expose: async (key, subject, options = {}) => post(path`/v1/experiments/${key}/exposures`, { subject }, options),
    recordOutcomes: async (key, outcomes, options = {}) =>
      post(path`/v1/experiments/${key}/outcomes`, { outcomes }, options),
    async results(key, { version, alpha, correction, signal } = {}) {
      const asked = query({ version, alpha, correction });
      return bodyOf({ method: 'GET', path: path`/v1/experiments/${key}/results` + asked, signal });
    },
  };
}
