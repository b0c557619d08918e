import { type Client, type Digest, isFinished } from '../../client/client.ts';

/** A digest that is there, with what was asked. */
export interface StoredDigest {
  readonly digest: Digest;
  readonly request: Awaited<ReturnType<Client['digests']['request']>>;
}

/** Digests that were looked at last, which do not change any more. */
const kept = new Map<string, Promise<StoredDigest>>();
const MOST_KEPT = 8;

/**
 * A finished digest with its request; one that is under way is waited for. What was loaded is kept for the views that show it
 * in another way.
 */
export async function storedDigest(client: Client, id: string, signal: AbortSignal): Promise<StoredDigest> {
  const known = kept.get(id);
  if (known !== undefined) return known;
  const loading = load(client, id, signal);
  kept.set(id, loading);
  loading.catch(() => kept.delete(id));
  for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
  return loading;
}

async function load(client: Client, id: string, signal: AbortSignal): Promise<StoredDigest> {
  const [state, request] = await Promise.all([
    client.digests.get(id, { signal }),
    client.digests.request(id, { signal }),
  ]);
  return { digest: isFinished(state) ? state : await client.digests.wait(id, { signal }), request };
}
