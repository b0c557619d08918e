import type { Client, SourceDocument } from '../../client/index.ts';
import type { StoredDigest } from './stored-digest.ts';

/** Documents that are asked for at once. */
const AT_ONCE = 4;

interface LoadOptions {
  readonly signal?: AbortSignal;
  /** Told how many documents there are, from time to time. */
  readonly onLoaded?: (count: number) => void;
}

/** The documents of a digest with their texts: from those at hand where these are the same, else from the service. */
export async function loadDocuments(
  client: Client,
  { digest, request }: StoredDigest,
  atHand: readonly SourceDocument[],
  { signal, onLoaded = () => {} }: LoadOptions = {},
): Promise<SourceDocument[]> {
  const found = new Map<string, SourceDocument>();
  const waiting = request.documents.filter((asked) => {
    const here = atHand.find((document) => document.id === asked.id && document.text.length === asked.characters);
    if (here === undefined || !holdsQuotes(here, digest)) return true;
    found.set(asked.id, withFacts(asked, here.text));
    return false;
  });
  onLoaded(found.size);
  const work = async (): Promise<void> => {
    for (let asked = waiting.shift(); asked !== undefined; asked = waiting.shift()) {
      const { text } = await client.digests.document(digest.id, asked.id, { signal });
      found.set(asked.id, withFacts(asked, text));
      onLoaded(found.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return request.documents.flatMap(({ id }) => found.get(id) ?? []);
}

/** Whether a document that may have been edited since still says what the digest read in it. */
function holdsQuotes({ id, text }: SourceDocument, { keyPoints }: StoredDigest['digest']): boolean {
  return keyPoints.every(
    ({ document, quote }) =>
      document !== id || quote.start === null || text.slice(quote.start, quote.end) === quote.text,
  );
}

type Asked = StoredDigest['request']['documents'][number];

function withFacts({ id, title, url, publishedAt, weight }: Asked, text: string): SourceDocument {
  return {
    id,
    text,
    ...(title && { title }),
    ...(url && { url }),
    ...(publishedAt && { publishedAt }),
    ...(weight !== null && weight !== undefined && { weight }),
  };
}
