import pLimit from 'p-limit';
import type { Client, Digest, SourceDocument } from '../../client/index.ts';
import type { DigestOptions } from '../parts/options.ts';

export interface StoredDigest {
  readonly digest: Digest;
  readonly request: Awaited<ReturnType<Client['digests']['request']>>;
}

/** Reads a digest and its request; waits for one in progress. @throws DigestFailedError, DigestCancelledError */
export async function storedDigest(client: Client, id: string, signal: AbortSignal): Promise<StoredDigest> {
  const [digest, request] = await Promise.all([
    client.digests.wait(id, { signal }),
    client.digests.request(id, { signal }),
  ]);
  return { digest, request };
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
