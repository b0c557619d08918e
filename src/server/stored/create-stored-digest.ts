import type { Digest } from '../../contract/index.ts';
import {
  type DigestListeners,
  makeDigest,
  planDigest,
  type ResolvedRequest,
  type StoredRequest,
} from '../../digest/index.ts';
import { saveDigest } from '../../store/index.ts';
import { contentHash } from '../../text/index.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Makes and stores a digest outside the job queue. @throws TesseraError if the request cannot be served */
export async function createStoredDigest(
  request: ResolvedRequest,
  deps: ServiceDeps,
  listeners: DigestListeners = {},
): Promise<Digest> {
  const { digest, sources } = await makeDigest(planDigest(request, deps), request, deps, listeners);
  const { id, status } = digest;
  const texts = { request: JSON.stringify(storedRequest(request)), answer: JSON.stringify(digest) };
  await saveDigest(deps.database, { id, status, ...texts }, sources);
  return digest;
}

/** Replaces texts by hashes and drops the reader's background. */
function storedRequest({ documents, intent, earlier: _, ...request }: ResolvedRequest): StoredRequest {
  return {
    ...request,
    ...(intent !== undefined && { intent: typeof intent === 'string' ? intent : { problem: intent.problem } }),
    documents: documents.map(({ text, ...document }) => ({ ...document, hash: contentHash(text) })),
  };
}
