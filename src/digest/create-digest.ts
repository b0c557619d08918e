import { encodeTexts } from '../encoders/encoded-texts.ts';
import { saveDigest } from '../store/digests.ts';
import { compose } from '../summary/compose.ts';
import { framingReserve } from '../summary/framing.ts';
import { assembleDigest } from './assemble-digest.ts';
import { dateWarnings } from './date-window.ts';
import type { Digest, Stage } from './digest.ts';
import type { DigestParts } from './digest-parts.ts';
import { intentOf, isNear, queryOf } from './intent.ts';
import { languageWarnings } from './languages.ts';
import { resolveOptions } from './options.ts';
import { encodedText, pointsOf } from './points.ts';
import { rankPoints } from './rank-points.ts';
import { readDocuments } from './read-documents.ts';
import type { DigestRequest } from './request.ts';
import { selectPoints } from './select-points.ts';
import { selectedPoints } from './selected-points.ts';
import { stopwatch } from './stopwatch.ts';

/** Told how far a stage is. */
export type OnProgress = (progress: { readonly stage: Stage; readonly done: number; readonly total: number }) => void;

/**
 * Makes a digest: documents -> key points -> encodings -> relevance and gate -> kernel and selection -> cited summary; and
 * stores it. Everything runs in canonical order, so that the order of the documents does not matter (promise P5).
 *
 * @throws TesseraError where the request cannot be served as it stands
 */
export async function createDigest(
  request: DigestRequest,
  parts: DigestParts,
  onProgress: OnProgress = () => {},
): Promise<Digest> {
  const { database, engine } = parts;
  const options = resolveOptions(request, engine);
  const { kernelEncoder, relevanceEncoder } = options;
  const query = queryOf(request, options.facets);
  const clock = stopwatch();
  const stage = (name: Stage) => (done: number, total: number) => onProgress({ stage: name, done, total });

  const read = await clock.time('extract', () => readDocuments(request.documents, query, parts, stage('extract')));
  const { documents } = read;
  const readable = documents.filter(({ status }) => status === 'ok' || status === 'empty');
  const points = pointsOf(documents);
  const texts = points.map(encodedText);
  const encoded = await clock.time('encode', () => encodeTexts(kernelEncoder, database, texts, stage('encode')));

  const ranking = await clock.time('rank', async () => {
    const isSame = relevanceEncoder === kernelEncoder;
    const { sentences } =
      isSame || query.text === null ? encoded : await encodeTexts(relevanceEncoder, database, texts);
    const { gate, surroundings, centred } = options;
    return rankPoints(
      { query, points, documents, vectors: sentences, encoder: relevanceEncoder, gate, surroundings, centred },
      engine,
    );
  });
  stage('rank')(1, 1);

  const intent = intentOf(query, ranking, relevanceEncoder);
  const kept = options.gate === null || isNear(ranking, relevanceEncoder) ? ranking.kept : [];
  const frame = { intent, format: options.format, documents: readable.map(({ document }) => document) };
  const { maxWords } = options;
  const selectionOptions = options.selection(ranking.surroundings);
  const selection = await clock.time('select', () =>
    selectPoints(
      {
        points: kept.map((i) => points[i]),
        hashes: kept.map((i) => encoded.hashes[i]),
        vectors: kept.map((i) => encoded.sentences[i]),
        relevance: Float64Array.from(kept, (i) => ranking.values[i]),
        documents,
        background: query.background,
        encoder: kernelEncoder,
        usesFactors: options.usesFactors,
        context: ranking.context && { vectors: ranking.context, share: ranking.surroundings },
        autoWords: options.autoWords,
        room: maxWords === null ? null : { maxWords, reserve: framingReserve(frame) },
      },
      selectionOptions,
      parts,
    ),
  );
  stage('select')(1, 1);

  const summary = await clock.time('write', () =>
    compose({
      ...frame,
      points: selectedPoints(selection, kept, points, ranking, intent),
      similarity: selection.pickedSimilarity,
      maxWords,
    }),
  );
  stage('write')(1, 1);
  const id = `dig_${crypto.randomUUID().replaceAll('-', '')}`;
  const warnings = [...dateWarnings(documents, query), ...languageWarnings(documents, query, relevanceEncoder)];
  const timings = clock.timings();
  const digest = assembleDigest(
    {
      id,
      options,
      query,
      read,
      points,
      encoded,
      ranking,
      kept,
      selection,
      selectionOptions,
      summary,
      warnings,
      timings,
    },
    engine,
  );
  await saveDigest(
    database,
    { id, status: digest.status, answer: JSON.stringify(digest) },
    documents
      .filter(({ status }) => status === 'ok')
      .map(({ document, hash }) => ({ documentId: document.id, documentHash: hash })),
  );
  return digest;
}
