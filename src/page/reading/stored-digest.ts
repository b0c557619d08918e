import pLimit from 'p-limit';
import {
  type Client,
  type Digest,
  DigestCancelledError,
  DigestFailedError,
  type DigestState,
  isFinished,
  type SourceDocument,
} from '../../client/index.ts';
import type { DigestOptions } from '../parts/options.ts';

export interface StoredDigest {
  readonly digest: Digest;
  readonly request: Awaited<ReturnType<Client['digests']['request']>>;
}

export type LookedAt =
  | StoredDigest
  | { readonly digest: Exclude<DigestState, Digest>; readonly request: StoredDigest['request'] };

/** Recently read finished digests, which do not change. Per client, since another key must not see them. */
const kept = new WeakMap<Client, Map<string, StoredDigest>>();
const MAX_KEPT = 8;

export async function lookAt(client: Client, id: string, signal: AbortSignal): Promise<LookedAt> {
  const known = kept.get(client)?.get(id);
  if (known !== undefined) return known;
  const [digest, request] = await Promise.all([
    client.digests.get(id, { signal }),
    client.digests.request(id, { signal }),
  ]);
  return isFinished(digest) ? keep(client, { digest, request }) : { digest, request };
}

/** Reads a finished digest and its request; waits for one in progress. @throws DigestFailedError, DigestCancelledError */
export async function storedDigest(client: Client, id: string, signal: AbortSignal): Promise<StoredDigest> {
  const { digest, request } = await lookAt(client, id, signal);
  if (isFinished(digest)) return { digest, request };
  if (digest.status === 'failed') throw new DigestFailedError(id, digest.error ?? null);
  if (digest.status === 'cancelled') throw new DigestCancelledError(id);
  return keep(client, { digest: await client.digests.wait(id, { signal }), request });
}

function keep(client: Client, stored: StoredDigest): StoredDigest {
  const digests = kept.get(client) ?? new Map<string, StoredDigest>();
  kept.set(client, digests.set(stored.digest.id, stored));
  for (const oldest of digests.keys()) if (digests.size > MAX_KEPT) digests.delete(oldest);
  return stored;
}

export function forgetDigest(client: Client, id: string): void {
  kept.get(client)?.delete(id);
}

export function optionsOf({ selection, summary, engine }: StoredDigest['request']): DigestOptions {
  return {
    ...(selection && { selection }),
    ...(summary && { summary }),
    ...(engine && { engine }),
  };
}

const AT_ONCE = 4;

/** The documents of a digest with their texts, as they can be sent again. */
export async function loadDocuments(
  client: Client,
  { digest, request }: StoredDigest,
  signal: AbortSignal,
): Promise<SourceDocument[]> {
  const few = pLimit(AT_ONCE);
  return Promise.all(
    request.documents.map(async ({ id, title, url, publishedAt, weight }) => {
      const { text } = await few(() => client.digests.document(digest.id, id, { signal }));
      return {
        id,
        text,
        ...(title && { title }),
        ...(url && { url }),
        ...(publishedAt && { publishedAt }),
        ...(weight != null && { weight }),
      };
    }),
  );
}
