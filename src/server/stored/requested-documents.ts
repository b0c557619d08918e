import type { Digest } from '../../contract/index.ts';
import type { HashedDocument } from '../../digest/index.ts';
import { type Database, readDigest, readDigestSources, readDocuments } from '../../store/index.ts';
import { chunks } from '../../text/index.ts';

/** A document of a request, as far as it is known; its hash where its text is kept. */
type KnownDocument = Omit<HashedDocument, 'hash'> & { readonly hash: string | undefined };

/** The documents of a digest from before requests were kept: by what its answer says of them, and which texts are kept for it. */
export async function documentsOfAnswer(id: string, database: Database): Promise<KnownDocument[]> {
  const stored = await readDigest(database, id);
  const sources = await readDigestSources(database, id);
  const hashes = new Map(sources.map(({ documentId, documentHash }) => [documentId, documentHash]));
  // Only this service writes answers.
  const answer = stored?.answer == null ? null : (JSON.parse(stored.answer) as Digest);
  const ids = answer?.documents.map((document) => document.id) ?? [...hashes.keys()];
  const cited = new Map(answer?.sources.map((source) => [source.document, source]));
  return ids.map((document) => ({ id: document, title: cited.get(document)?.title, hash: hashes.get(document) }));
}

/** Texts that are in memory at a time. */
const CHUNK = 50;

/** UTF-16 code units of the texts with these hashes; missing ones are absent. */
export async function charactersOf(hashes: readonly string[], database: Database): Promise<Map<string, number>> {
  const characters = new Map<string, number>();
  for (const chunk of chunks([...new Set(hashes)], CHUNK)) {
    for (const [hash, text] of await readDocuments(database, chunk)) characters.set(hash, text.length);
  }
  return characters;
}
