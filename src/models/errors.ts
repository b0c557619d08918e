import { TesseraError } from '../text/index.ts';
import { type CallUsage, NO_USAGE } from './language/usage.ts';

/**
 * Why a call failed for good. Not retried: `quota`, `refused` (key, model or request), `cancelled`. Retried as often as
 * configured: `timeout`, `rate-limited`, `unreachable`, `server`, and `malformed` if the answer is no chat completion.
 * An answer of the wrong form is `malformed` too, retried once.
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

export class ModelCallError extends TesseraError {
  readonly code = 'model-call-failed';
  readonly failure: ModelFailure;
  readonly usage: CallUsage;
  readonly isFatal: boolean;

  /**
   * @param message for the caller of the API: never a document's text, a key, or the server's words
   * @param options `isFatal` overrides the default for the kind of failure: a request refused for its content, such as
   * its length, says nothing about the next one
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

export function isFatal(failure: unknown): boolean {
  return failure instanceof ModelCallError && failure.isFatal;
}

/** The answer has the wrong form: another schema, no choices, no content. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';

  constructor() {
    super('the model refused to answer');
  }
}

/** The listener of a stream threw: not a failure of the call, so not retried. */
export class ListenerFailure extends Error {
  override readonly name = 'ListenerFailure';
}
