import type { Digest } from '../../contract/index.ts';
import { type DigestListeners, makeDigest, newDigestId, planDigest, type ResolvedRequest } from '../../digest/index.ts';
import { saveDigest } from '../../store/index.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Makes a digest at once, outside the queue of jobs, and stores it.
 *
 * @throws TesseraError where the request cannot be served as it stands
 */
export async function createStoredDigest(
  request: ResolvedRequest,
  deps: ServiceDeps,
  listeners: DigestListeners = {},
): Promise<Digest> {
  const { digest, sources } = await makeDigest(planDigest(request, deps), deps, { ...listeners, id: newDigestId() });
  await saveDigest(deps.database, { id: digest.id, status: digest.status, answer: JSON.stringify(digest) }, sources);
  return digest;
}
