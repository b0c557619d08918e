import type { Digest } from '../../contract/index.ts';
import {
  type DigestListeners,
  makeDigest,
  newDigestId,
  planDigest,
  type ResolvedRequest,
  type StoredRequest,
} from '../../digest/index.ts';
import { saveDigest } from '../../store/index.ts';
import { contentHash } from '../../text/index.ts';
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
  const stored = {
    id: digest.id,
    status: digest.status,
    request: JSON.stringify(storedRequest(request)),
    answer: JSON.stringify(digest),
  };
  await saveDigest(deps.database, stored, sources);
  return digest;
}

/** The request as it is kept with its digest: hashes in the place of texts, and nothing of what the reader knows already. */
function storedRequest({ documents, intent, earlier: _, ...request }: ResolvedRequest): StoredRequest {
  return {
    ...request,
    ...(intent !== undefined && { intent: typeof intent === 'string' ? intent : { problem: intent.problem } }),
    documents: documents.map(({ text, ...document }) => ({ ...document, hash: contentHash(text) })),
  };
}
