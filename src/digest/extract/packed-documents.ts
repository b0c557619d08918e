import { type Encoder, textsUnderWay, type WorkCache } from '../../models/index.ts';
import { PACKING, packDocument, partsOf } from '../../selection/index.ts';
import { contentHash, groupBy, groups } from '../../text/index.ts';
import type { DigestDeps } from '../run.ts';
import { encodedText, pointSettings, pointsOf } from './points.ts';
import type { ReadDocument, ReadDocuments } from './read-documents.ts';

/** Bytes written together. */
const TOGETHER = 1_000_000;

/** The parts of a document. */
type Packed = readonly Float32Array[];

/** A document whose text need not be there. */
type Known = Pick<ReadDocument, 'place' | 'hash'> & { readonly document: { readonly title?: string | undefined } };

/** The keys of the parts of a document. */
function keysOf({ document, hash }: Known, extractor: string): (part: number) => string {
  const title = document.title?.trim() ?? '';
  const about = title === '' ? '' : contentHash(title);
  return (part) => [PACKING, extractor, hash, about, part].join(' ');
}

/** The documents as packed for a scan, by their places in the request; those that were not packed, or not lately, are absent. */
export async function readPacked(
  documents: readonly Known[],
  extractor: string,
  encoder: Encoder,
  cache: WorkCache,
): Promise<Map<number, Packed>> {
  const read = (keys: readonly string[]) => cache.readPacked(encoder.profile.id, keys);
  const keyed = documents.map((each) => ({ place: each.place, keyOf: keysOf(each, extractor) }));
  const first = await read(keyed.map(({ keyOf }) => keyOf(0)));
  const wanted = keyed.flatMap(({ place, keyOf }) => {
    const parts = partsOf(first.get(keyOf(0)));
    return parts === 0 ? [] : [{ place, keys: Array.from({ length: parts }, (_, part) => keyOf(part)) }];
  });
  const laterKeys = wanted.flatMap(({ keys }) => keys.slice(1));
  const later = laterKeys.length === 0 ? first : await read(laterKeys);
  const packed = new Map<number, Packed>();
  for (const { place, keys } of wanted) {
    const parts = keys.flatMap((key) => first.get(key) ?? later.get(key) ?? []);
    if (parts.length === keys.length) packed.set(place, parts);
  }
  return packed;
}

/** Of a document without a letter. */
const NOTHING = { language: 'und', words: 0 };

/**
 * Encodes the points of documents that were read, packs the documents for a scan and keeps them. `underWay` may already be encoding some.
 *
 * @returns those that did not fail, by their places in the request
 */
export async function packDocuments(
  read: ReadDocuments,
  encoder: Encoder,
  { cache, reportFailure }: Pick<DigestDeps, 'cache' | 'reportFailure'>,
  underWay = textsUnderWay(encoder, cache),
  onEncoded?: (done: number, total: number) => void,
): Promise<Map<number, Packed>> {
  const points = pointsOf(read);
  const { sentences } = await underWay.finish(points.map(encodedText), onEncoded);
  const under = await pointSettings(points, read.documents, encoder, cache);
  const own = groupBy([...points.keys()], (i) => points[i].documentIndex);
  const packed = new Map<number, Packed>();
  const rows = read.documents.flatMap((document, index) => {
    if (document.status === 'failed') return [];
    const indices = own.get(index) ?? [];
    const parts = packDocument(
      {
        vectors: indices.map((i) => sentences[i]),
        texts: indices.map((i) => points[i].text),
        under: indices.map((i) => under[i]),
      },
      document.extraction ?? NOTHING,
    );
    packed.set(document.place, parts);
    const keyOf = keysOf(document, read.extractor);
    return parts.map((part, number) => ({ key: keyOf(number), vectors: part }));
  });
  for (const group of groups(rows, TOGETHER, (row) => row.vectors.byteLength)) {
    await cache.saveVectorLists(encoder.profile.id, group).catch((failure: unknown) => {
      reportFailure(failure, { stage: 'encode', document: read.documents[0].hash }); // packed again the next time
    });
  }
  return packed;
}
