import type { Client } from '../../client/index.ts';

/** A document of a digest, with its text. */
type SourceText = Awaited<ReturnType<Client['digests']['document']>>;

/** Documents that were opened; their texts do not change. */
const kept = new WeakMap<Client, Map<string, SourceText>>();
/** Characters that are kept. */
const MAX_KEPT = 20_000_000;

/** A document of a digest; one that was opened before is not loaded again. */
export async function sourceText(
  client: Client,
  digest: string,
  document: string,
  signal: AbortSignal,
): Promise<SourceText> {
  const texts = kept.get(client) ?? new Map<string, SourceText>();
  kept.set(client, texts);
  const key = JSON.stringify([digest, document]);
  const known = texts.get(key);
  if (known !== undefined) return known;
  const source = await client.digests.document(digest, document, { signal });
  texts.set(key, source);
  let size = [...texts.values()].reduce((sum, { text }) => sum + text.length, 0);
  for (const [oldest, { text }] of texts) {
    if (size <= MAX_KEPT || oldest === key) break;
    texts.delete(oldest);
    size -= text.length;
  }
  return source;
}
