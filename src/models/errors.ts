import { TesseraError } from '../text/index.ts';
import { type CallUsage, NO_USAGE } from './language/usage.ts';

/**
 * Why a call failed for good. Never retried: `quota`, `refused`, `cancelled`. Retried as configured: `timeout`, `rate-limited`,
 * `unreachable`, `server`, and `malformed` without a chat completion; an answer of the wrong form is retried once.
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
   * @param message for the API's caller: never a document's text, a key, or the server's words
   * @param options `isFatal` overrides the default of the failure: a request refused for its content says nothing about the next
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
