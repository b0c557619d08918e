import type { Digest } from '../contract/index.ts';
import type { DigestDeps } from './digest-deps.ts';
import { type DigestListeners, newDigestId } from './digest-run.ts';
import { makeDigest } from './make-digest.ts';
import { planDigest } from './plan-digest.ts';
import type { ResolvedRequest } from './resolved-request.ts';

/**
 * Plans and makes a digest at once.
 *
 * @param signal ends it, where nobody waits for it any more: no further model is called
 * @throws TesseraError where the request cannot be served as it stands
 */
export async function createDigest(
  request: ResolvedRequest,
  deps: DigestDeps,
  listeners: DigestListeners = {},
  signal?: AbortSignal,
): Promise<Digest> {
  const made = await makeDigest(planDigest(request, deps, signal), deps, { ...listeners, id: newDigestId() });
  signal?.throwIfAborted();
  return made.digest;
}
