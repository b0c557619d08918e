import {
  type Client,
  type Digest,
  DigestCancelledError,
  DigestFailedError,
  type DigestState,
  isFinished,
} from '../../client/index.ts';
import type { DigestOptions } from '../digest-options.ts';

/** A digest that is there, with what was asked. */
export interface StoredDigest {
  readonly digest: Digest;
  readonly request: Awaited<ReturnType<Client['digests']['request']>>;
}

/** A digest at some moment, with what was asked. */
export type LookedAt =
  | StoredDigest
  | { readonly digest: Exclude<DigestState, Digest>; readonly request: StoredDigest['request'] };

/** Digests that were looked at last, which do not change any more; a client with another key has seen none of them. */
const kept = new WeakMap<Client, Map<string, StoredDigest>>();
const MAX_KEPT = 8;

/** A digest as it is, with its request. A finished one is kept for the views that show it in another way. */
export async function lookAt(client: Client, id: string, signal: AbortSignal): Promise<LookedAt> {
  const known = kept.get(client)?.get(id);
  if (known !== undefined) return known;
  const [digest, request] = await Promise.all([
    client.digests.get(id, { signal }),
    client.digests.request(id, { signal }),
  ]);
  return isFinished(digest) ? keep(client, { digest, request }) : { digest, request };
}

/**
 * A finished digest with its request; one that is under way is waited for.
 *
 * @throws DigestFailedError, DigestCancelledError where it ended without being one
 */
export async function storedDigest(client: Client, id: string, signal: AbortSignal): Promise<StoredDigest> {
  const { digest, request } = await lookAt(client, id, signal);
  if (isFinished(digest)) return { digest, request };
  if (digest.status === 'failed') throw new DigestFailedError(id, digest.error ?? null);
  if (digest.status === 'cancelled') throw new DigestCancelledError(id);
  return keep(client, { digest: await client.digests.wait(id, { signal }), request });
}

/** The options as the digest's request had them. */
export function optionsOf({ selection, summary, engine }: StoredDigest['request']): DigestOptions {
  return {
    ...(selection && { selection }),
    ...(summary && { summary }),
    ...(engine && { engine }),
  };
}

/** Forgets a digest that was removed. */
export function forgetDigest(client: Client, id: string): void {
  kept.get(client)?.delete(id);
}

function keep(client: Client, stored: StoredDigest): StoredDigest {
  const digests = kept.get(client) ?? new Map<string, StoredDigest>();
  kept.set(client, digests.set(stored.digest.id, stored));
  for (const oldest of digests.keys()) if (digests.size > MAX_KEPT) digests.delete(oldest);
  return stored;
}
