import type { OrderedReport, StoredRequest } from '../../contract/digest-order.ts';
import type { DigestRequest, ExperimentPart } from '../../contract/digest-request.ts';
import type { Database } from '../../store/database.ts';
import { readDigestOrigin } from '../../store/digest-sources.ts';
import { DigestNotFoundError } from './digest-not-found-error.ts';
import { charactersOf, documentsOfAnswer } from './requested-documents.ts';

/** A document of a request, without its text; what was not given, or is not known, is null. */
export interface RequestedDocument {
  readonly id: string;
  readonly title: string | null;
  readonly url: string | null;
  readonly publishedAt: string | null;
  readonly weight: number | null;
  /** UTF-16 code units of its text; null where that is not kept. */
  readonly characters: number | null;
}

type Asked<Field extends 'selection' | 'summary' | 'engine'> = NonNullable<DigestRequest[Field]> | null;

/** The request that a digest was made by, or is to be; what was not given, or is not known, is null. */
export interface KeptRequest {
  /** Id of the digest. */
  readonly digest: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Without a background in words once the digest has ended: it is not kept beyond. */
  readonly intent: string | OrderedReport | null;
  /** Id of the collection whose documents they were at the time. */
  readonly collection: string | null;
  /** In the order of the request, or of the collection. */
  readonly documents: readonly RequestedDocument[];
  /** With the options of the variant, where it is part of an experiment, as the next two. */
  readonly selection: Asked<'selection'>;
  readonly summary: Asked<'summary'>;
  readonly engine: Asked<'engine'>;
  readonly experiment: Omit<ExperimentPart, 'subject'> | null;
}

/**
 * Reads the request of a digest, whatever came of it. Where a webhook goes and whom an experiment was asked for is left out.
 *
 * @throws DigestNotFoundError
 */
export async function readRequest(id: string, database: Database): Promise<KeptRequest> {
  const origin = await readDigestOrigin(database, id);
  if (origin === undefined) throw new DigestNotFoundError(id);
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
