import { APIError } from 'openai';
import { MalformedAnswer, ModelRefusal } from './answer-failures.ts';
import type { ModelFailure } from './model-call-error.ts';
import { retryAfter } from './retry-delay.ts';

/** What one request failed with. */
export interface RequestFailure {
  readonly failure: ModelFailure;
  /** Whether another attempt may do. */
  readonly isPassing: boolean;
  /** Whether every other call would fail alike. */
  readonly isFatal: boolean;
  /** HTTP status, where there was an answer of the server. */
  readonly status: number | null;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter: number | null;
}

const QUOTA = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

/** What the error of a request means, where neither the caller nor the deadline ended it. */
export function classifyFailure(error: unknown): RequestFailure {
  if (error instanceof ModelRefusal) return final('refused', null, false);
  if (error instanceof MalformedAnswer || error instanceof SyntaxError) return passing('malformed', null, null);
  // Else the connection broke, before the answer (an error of the SDK) or within it (one of the runtime).
  return (error instanceof APIError ? answeredFailure(error) : null) ?? passing('unreachable', null, null);
}

/** What an error that the server told means; null where it told none. */
function answeredFailure({ status, code, type, headers, error }: APIError): RequestFailure | null {
  if (status === 402 || [code, type].some((each) => QUOTA.has(String(each))))
    return final('quota', status ?? null, true);
  const asked = retryAfter(headers);
  if (status === undefined) {
    // An error within a stream has no status of its own.
    if (error === undefined) return null;
    const isLimit = [code, type].some((each) => String(each).startsWith('rate_limit'));
    return passing(isLimit ? 'rate-limited' : 'server', null, asked);
  }
  if (status === 429) return passing('rate-limited', status, asked);
  if (status === 408) return passing('timeout', status, asked);
  if (status === 409 || status >= 500) return passing('server', status, asked);
  if (status < 400) return passing('malformed', status, asked);
  // Another key, model or address is not going to come; another request may be accepted.
  return final('refused', status, [401, 403, 404].includes(status));
}

function passing(failure: ModelFailure, status: number | null, asked: number | null): RequestFailure {
  return { failure, isPassing: true, isFatal: false, status, retryAfter: asked };
}

function final(failure: ModelFailure, status: number | null, isFatal: boolean): RequestFailure {
  return { failure, isPassing: false, isFatal, status, retryAfter: null };
}
