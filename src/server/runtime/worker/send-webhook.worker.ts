import { type AllowedTargets, PUBLIC_ONLY } from '../../webhooks/allowed-targets.ts';
import { callbackUrlProblem } from '../../webhooks/callback-url.ts';
import type { SendWebhook } from '../../webhooks/deliver-webhook.ts';
import { retryAfter } from '../../../models/language/retry-delay.ts';
import { TesseraError } from '../../../contract/tessera-error.ts';

/** The target is not one that may be called. */
class TargetRefusedError extends TesseraError {
  readonly code = 'target-refused';
}

/**
 * Posts webhooks by `fetch`, following no redirects. Where a name leads cannot be looked up here and need not be: what a Worker
 * fetches leaves by the public network, in which there are no private addresses.
 */
export function fetchWebhook(allow: AllowedTargets = PUBLIC_ONLY, post: typeof fetch = fetch): SendWebhook {
  return async (url, headers, body, signal) => {
    const problem = callbackUrlProblem(url, allow);
    if (problem !== null) throw new TargetRefusedError(`The callback URL ${problem}.`);
    const answer = await post(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Tessera' },
      body,
    });
    await answer.body?.cancel().catch(() => {}); // the status is the answer, whatever becomes of the rest
    return { status: answer.status, retryAfter: retryAfter(answer.headers) };
  };
}
