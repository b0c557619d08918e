import type { ZodType, z } from 'zod';
import {
  type Digest,
  type DigestRequest,
  type DrawsAnswer,
  digestRequestSchema,
  type Progress,
  problemsIn,
  type SelectionsAnswer,
  type SelectionsRequest,
  type SummarySentence,
  selectionsRequestSchema,
} from './contract/index.ts';
import {
  createDigest,
  createSelection,
  type DigestDeps,
  portableEngine,
  type ResolvedRequest,
  UnusableOptionError,
} from './digest/index.ts';
import {
  type EvaluationAnswer,
  type EvaluationOrder,
  evaluate,
  evaluationRequestSchema,
  resolveRequest,
} from './evaluation/index.ts';
import { type Encoder, type LanguageModel, memoryCache, type Prompts, type WorkCache } from './models/index.ts';
import { PointedError } from './text/index.ts';

export type { Digest, DrawsAnswer, Progress, SelectionsAnswer, SummarySentence } from './contract/index.ts';
export { LimitExceededError, UnusableOptionError } from './digest/index.ts';
export type { EvaluationAnswer } from './evaluation/index.ts';
export {
  type ChatAnswer,
  type ChatCall,
  type Encoder,
  type EncoderProfile,
  type Encoding,
  type LanguageModel,
  type MemoryCache,
  ModelCallError,
  memoryCache,
  openAiEncoder,
  openAiModel,
  type Prompt,
  type Prompts,
  parsePrompt,
  type WorkCache,
} from './models/index.ts';
export { TesseraError } from './text/index.ts';

/** Requests as sent over HTTP; `/openapi.json` describes every field. */
export type DigestInput = z.input<typeof digestRequestSchema>;
export type SelectionInput = z.input<typeof selectionsRequestSchema>;
export type EvaluationInput = z.input<typeof evaluationRequestSchema>;

/** A request that does not fit its schema. */
export class InvalidRequestError extends PointedError {
  readonly code = 'invalid-request';
  /** All problems, each with a JSON pointer into the request. */
  readonly problems: readonly { readonly pointer: string; readonly detail: string }[];

  /** @param problems at least one; `pointer` is that of the first */
  constructor(problems: InvalidRequestError['problems']) {
    const [{ pointer, detail }] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    super(pointer, `${pointer || 'The request'}: ${detail}${more}`);
    this.problems = problems;
  }
}

export interface DigestOptions {
  /** Aborts the digest, which rejects with the signal's reason; no further model is called. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with each finished sentence of the summary, in order. */
  readonly onSentence?: ((sentence: SummarySentence) => void) | undefined;
}

/** Digests, selections and evaluations in this process, with the requests and answers of the HTTP service. */
export interface Tessera {
  /**
   * Makes a digest: cited sentences that answer the intent from the documents.
   *
   * @throws InvalidRequestError, UnusableOptionError, LimitExceededError, ModelCallError, and errors of a cache
   */
  digest(request: DigestInput, options?: DigestOptions): Promise<Digest>;
  /** Selects among items, embeddings, or the items of a kernel. @throws InvalidRequestError, UnusableOptionError */
  select(request: SelectionInput): Promise<SelectionsAnswer | DrawsAnswer>;
  /** Scores any text by a published measure. @throws InvalidRequestError, ModelCallError, TesseraError if it cannot be scored */
  evaluate(request: EvaluationInput, options?: Pick<DigestOptions, 'signal'>): Promise<EvaluationAnswer>;
}

export interface TesseraOptions {
  /** Turns texts into vectors. Requests select it by its `profile.id`. */
  readonly encoder: Encoder;
  /** Used if a request needs a language model; without one such a request is refused. */
  readonly model?: LanguageModel | undefined;
  /** The model's prompts by id: the files of `prompts/`, read by `parsePrompt`. */
  readonly prompts?: Prompts | undefined;
  /** Keeps encodings, extractions and judgements between calls; `memoryCache()` by default. */
  readonly cache?: WorkCache | undefined;
  /** Called for a failure of one document or step that does not fail the digest; never with a document's text. */
  readonly onFailure?: DigestDeps['reportFailure'] | undefined;
}

/** Makes digests in plain JavaScript on the calling thread: no server, database or files. @throws TypeError without an encoder */
export async function createTessera(given: TesseraOptions): Promise<Tessera> {
  // JavaScript callers may omit it.
  const { encoder, ...options } = given ?? {};
  if (encoder === undefined) {
    throw new TypeError('createTessera of "tessera" needs an encoder; "tessera/node" brings one.');
  }
  const { id } = encoder.profile;
  return tesseraOver({
    ...options,
    engine: portableEngine({ encoders: new Map([[id, encoder]]), defaultEncoder: id }),
  });
}

/** The same over a given engine; entry points of single runtimes use it. */
export function tesseraOver({
  engine,
  model,
  prompts = new Map(),
  cache = memoryCache(),
  onFailure = () => {},
}: Omit<TesseraOptions, 'encoder'> & Pick<DigestDeps, 'engine'>): Tessera {
  const models = { model: model ?? null, prompts, extractor: 'sentences', writer: 'compose' } as const;
  const parts = (): DigestDeps => ({ engine, models, cache: cache.forRun?.() ?? cache, reportFailure: onFailure });
  return {
    async digest(request, { signal, ...listeners } = {}) {
      signal?.throwIfAborted();
      const order: DigestRequest = parsed(digestRequestSchema, request);
      return createDigest(withoutService(order), parts(), listeners, signal);
    },
    async select(request) {
      const selection: SelectionsRequest = parsed(selectionsRequestSchema, request);
      return createSelection(selection, parts());
    },
    async evaluate(request, { signal } = {}) {
      signal?.throwIfAborted();
      const order: EvaluationOrder = parsed(evaluationRequestSchema, request);
      return evaluate(await resolveRequest(order), parts(), { signal });
    },
  };
}

/** @throws InvalidRequestError */
function parsed<Schema extends ZodType>(schema: Schema, request: unknown): z.output<Schema> {
  const read = schema.safeParse(request);
  if (!read.success) throw new InvalidRequestError(problemsIn(read.error, []));
  return read.data;
}

/** Rejects fields that only a service supports. @throws UnusableOptionError */
function withoutService({
  documents = [],
  collection,
  callbackUrl,
  experiment,
  intent,
  ...rest
}: DigestRequest): ResolvedRequest {
  for (const [field, value] of Object.entries({ collection, callbackUrl, experiment })) {
    if (value !== undefined) throw new UnusableOptionError(`/${field}`, 'Only the HTTP service has this.');
  }
  const address = documents.findIndex(({ isAddress }) => isAddress);
  if (address >= 0)
    throw new UnusableOptionError(`/documents/${address}/url`, 'Only the HTTP service fetches addresses.');
  if (typeof intent !== 'object') return { ...rest, documents, intent };
  const { background } = intent;
  if (typeof background === 'object') {
    throw new UnusableOptionError('/intent/background/digest', 'No digests are kept here: say in words what is known.');
  }
  return { ...rest, documents, intent: { ...intent, background } };
}
