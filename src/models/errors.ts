import { TesseraError } from '../text/index.ts';
import { type CallUsage, NO_USAGE } from './language/usage.ts';

/**
 * Why a call of a model failed for good. `quota`, `refused` (key, model or request not accepted) and `cancelled` were
 * not tried again; `timeout`, `rate-limited`, `unreachable` and `server` were, as often as the configuration says;
 * `malformed` is an answer that is no chat completion, as often, or one that does not have the asked form, twice.
 */
export type ModelFailure =
  | 'timeout'
  | 'rate-limited'
  | 'quota'
  | 'refused'
  | 'unreachable'
  | 'server'
  | 'malformed'
  | 'cancelled';

const FATAL: ReadonlySet<ModelFailure> = new Set(['quota', 'refused', 'cancelled']);

/** A call of a language model (or of an embedding or rerank endpoint) failed for good. */
export class ModelCallError extends TesseraError {
  readonly code = 'model-call-failed';
  readonly failure: ModelFailure;
  /** What the failed call took. */
  readonly usage: CallUsage;
  /** Whether every further call would fail alike, so that none should be made. */
  readonly isFatal: boolean;

  /**
   * @param message what failed, fit for the caller of the API: never text of a document, a key, or the server's words
   * @param options `isFatal` where the kind of failure does not tell: a request that is refused for what it holds (too
   * long, say) says nothing of the next one
   */
  constructor(
    failure: ModelFailure,
    message: string,
    usage: CallUsage = NO_USAGE,
    options: { cause?: unknown; isFatal?: boolean } = {},
  ) {
    super(message, options);
    this.failure = failure;
    this.usage = usage;
    this.isFatal = options.isFatal ?? FATAL.has(failure);
  }
}

/** Whether every further call would fail alike, so that none should be made. */
export function isFatal(failure: unknown): boolean {
  return failure instanceof ModelCallError && failure.isFatal;
}

/** An answer came that is not what was asked for: another schema, no choices, no content. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/** The model said that it will not answer. */
export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';

  constructor() {
    super('the model refused to answer');
  }
}

/** Whoever listens to a stream threw: not a failure of the call, and not to be tried again. */
export class ListenerFailure extends Error {
  override readonly name = 'ListenerFailure';
}
