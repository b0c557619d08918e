import type { KeptRequest } from '../../contract/index.ts';
import type { StoredRequest } from '../../digest/index.ts';
import { type Database, readDigestOrigin } from '../../store/index.ts';
import { DigestNotFoundError } from '../errors.ts';
import { charactersOf, documentsOfAnswer } from './requested-documents.ts';

/**
 * Reads the request of a digest, whatever came of it. Where a webhook goes and whom an experiment was asked for is left out.
 *
 * @throws DigestNotFoundError
 */
export async function readRequest(id: string, database: Database): Promise<KeptRequest> {
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) throw new DigestNotFoundError();
  // Only `acceptDigest` writes requests.
  const request = origin.request === null ? null : (JSON.parse(origin.request) as StoredRequest);
  const documents = request?.documents ?? (await documentsOfAnswer(id, database));
  const characters = await charactersOf(
    documents.flatMap(({ hash }) => hash ?? []),
    database,
  );
  return {
    digest: id,
    createdAt: new Date(origin.createdAt).toISOString(),
    intent: intentOf(request),
    collection: request?.collection ?? null,
    documents: documents.map(({ id, title, url, publishedAt, weight, hash }) => ({
      id,
      title: title ?? null,
      url: url ?? null,
      publishedAt: publishedAt ?? null,
      weight: weight ?? null,
      characters: characters.get(hash ?? '') ?? null,
    })),
    selection: request?.selection ?? null,
    summary: request?.summary ?? null,
    engine: request?.engine ?? null,
    experiment: experimentOf(request),
  };
}

/** As it was sent: with the earlier digest, where it goes on from one. */
function intentOf(request: StoredRequest | null): KeptRequest['intent'] {
  const { intent = null, earlier } = request ?? {};
  if (intent === null || typeof intent === 'string' || earlier === undefined) return intent;
  return { ...intent, background: { digest: earlier.digest } };
}

function experimentOf(request: StoredRequest | null): KeptRequest['experiment'] {
  if (request?.experiment === undefined) return null;
  const { key, version, variant, overridden } = request.experiment;
  return { key, version, variant, overridden };
}
