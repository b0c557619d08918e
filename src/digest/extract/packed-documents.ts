import type { Encoder, WorkCache } from '../../models/index.ts';
import { PACKING, packDocument, partsOf, type RelevanceInput } from '../../selection/index.ts';
import { contentHash, groupBy, groups } from '../../text/index.ts';
import type { HashedDocument } from '../request.ts';
import type { DigestDeps } from '../run.ts';
import type { Extractor } from './extractor.ts';
import type { Point } from './points.ts';
import type { ReadDocument } from './read-documents.ts';

/** Bytes written together. */
const TOGETHER = 1_000_000;

/** The parts of a document. */
type Packed = readonly Float32Array[];

function keyOf(document: Pick<HashedDocument, 'title'>, hash: string, extractor: Extractor, part: number): string {
  const title = document.title?.trim() ?? '';
  const about = title === '' ? '' : contentHash(title);
  return [PACKING, extractor.keyOf({ ...document, text: '' }), hash, about, part].join(' ');
}

/** The documents as packed for a scan, by their places; those that were not packed, or not lately, are absent. */
export async function readPacked(
  documents: readonly HashedDocument[],
  extractor: Extractor,
  encoder: Encoder,
  cache: WorkCache,
): Promise<Map<number, Packed>> {
  const firstKeys = documents.map((document) => keyOf(document, document.hash, extractor, 0));
  const first = await cache.readPacked(encoder.profile.id, firstKeys);
  const laterKeys = documents.map((document, place) => {
    const parts = partsOf(first.get(firstKeys[place]));
    return Array.from({ length: Math.max(0, parts - 1) }, (_, later) =>
      keyOf(document, document.hash, extractor, later + 1),
    );
  });
  const later = await cache.readPacked(encoder.profile.id, laterKeys.flat());
  const packed = new Map<number, Packed>();
  firstKeys.forEach((key, place) => {
    const parts = [first.get(key), ...laterKeys[place].map((each) => later.get(each))];
    const known = parts.filter((part) => part !== undefined);
    if (known.length === parts.length) packed.set(place, known);
  });
  return packed;
}

/** Of a document without a letter. */
const NOTHING = { language: 'und', words: 0 };

/** Packs documents that were read, with all their points, and keeps them. @returns by places in `documents` */
export async function savePacked(
  documents: readonly ReadDocument[],
  points: readonly Point[],
  { vectors, under }: Pick<RelevanceInput, 'vectors' | 'under'>,
  extractor: Extractor,
  encoder: Encoder,
  { cache, reportFailure }: Pick<DigestDeps, 'cache' | 'reportFailure'>,
): Promise<Map<number, Packed>> {
  const own = groupBy([...points.keys()], (i) => points[i].documentIndex);
  const packed = new Map<number, Packed>();
  const rows = documents.flatMap(({ document, hash, status, extraction }, index) => {
    if (status === 'failed') return [];
    const indices = own.get(index) ?? [];
    const parts = packDocument(
      {
        vectors: indices.map((i) => vectors[i]),
        texts: indices.map((i) => points[i].text),
        under: indices.map((i) => under[i]),
      },
      extraction ?? NOTHING,
    );
    packed.set(index, parts);
    return parts.map((part, number) => ({ key: keyOf(document, hash, extractor, number), vectors: part }));
  });
  for (const group of groups(rows, TOGETHER, (row) => row.vectors.byteLength)) {
    await cache.saveVectorLists(encoder.profile.id, group).catch((failure: unknown) => {
      reportFailure(failure, { stage: 'encode', document: documents[0].hash }); // packed again the next time
    });
  }
  return packed;
}
