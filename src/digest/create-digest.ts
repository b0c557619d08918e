import { encodeTexts } from '../encoders/encoded-texts.ts';
import { isReranker } from '../encoders/reranker.ts';
import { saveDigest } from '../store/digests.ts';
import { framingReserve } from '../summary/framing.ts';
import type { OnSentence } from '../summary/rewrite/assembly.ts';
import { modelWriter } from '../summary/rewrite/model-writer.ts';
import { assembleDigest } from './assemble-digest.ts';
import { choosePoints } from './choose-points.ts';
import { dateWarnings } from './date-window.ts';
import type { Digest, Stage } from './digest.ts';
import type { DigestParts } from './digest-parts.ts';
import { extractionWarnings } from './extraction-warnings.ts';
import { checkerOver, gatherPoints } from './gather-points.ts';
import { intentOf, isNear } from './intent.ts';
import { commonLanguage, languageWarnings } from './languages.ts';
import { naivePipeline } from './naive-pipeline.ts';
import { partIntent } from './part-intent.ts';
import { type DigestPlan, planDigest, unusedStages } from './plan-digest.ts';
import { encodedText } from './points.ts';
import { rankPoints } from './rank-points.ts';
import { readerOf } from './reader.ts';
import type { DigestRequest } from './request.ts';
import { selectPoints } from './select-points.ts';
import { selectedPoints } from './selected-points.ts';
import { stopwatch } from './stopwatch.ts';
import { translateIntent } from './translate-intent.ts';
import { writeSummary } from './write-summary.ts';

/** How far a stage is. */
export interface Progress {
  readonly stage: Stage;
  readonly done: number;
  readonly total: number;
  /** The document that was just read. */
  readonly document?: string;
}

/** Who wants to know of a digest while it is made. */
export interface DigestListeners {
  readonly onProgress?: (progress: Progress) => void;
  /** Told of every sentence of the summary once it stands, in order. */
  readonly onSentence?: OnSentence;
}

/**
 * Makes a digest: documents -> key points -> encodings -> relevance and gate -> kernel and selection -> cited summary; and
 * stores it. Everything runs in canonical order, so that the order of the documents does not matter (promise P5).
 *
 * @param signal ends it, where nobody waits for it any more: no further model is called, and nothing is stored
 * @throws TesseraError where the request cannot be served as it stands
 */
export async function createDigest(
  request: DigestRequest,
  parts: DigestParts,
  listeners: DigestListeners = {},
  signal?: AbortSignal,
): Promise<Digest> {
  return makeDigest(planDigest(request, parts, signal), parts, listeners);
}

/** The same for a request that was planned before. */
export async function makeDigest(plan: DigestPlan, parts: DigestParts, listeners: DigestListeners): Promise<Digest> {
  const { database, engine } = parts;
  const { options, stages, request } = plan;
  const { kernelEncoder, relevanceEncoder, maxWords } = options;
  const clock = stopwatch();
  const { onProgress = () => {}, onSentence } = listeners;
  const stage = (name: Stage) => (done: number, total: number, document?: string | null) =>
    onProgress({ stage: name, done, total, ...(document != null && { document }) });

  const parted = await clock.time('rank', () => partIntent(plan, parts));
  const { query } = parted;
  const naive = plan.naive && naivePipeline(plan, plan.naive, parts);
  const { read, points, encoded } = await gatherPoints(plan, query, naive, parts, clock, {
    extract: stage('extract'),
    encode: stage('encode'),
  });
  const { documents } = read;
  const asked = await clock.time('rank', () => translateIntent(plan, query, documents, parts));
  const readable = documents.filter(({ status }) => status === 'ok' || status === 'empty');

  const ranking = await clock.time('rank', async () => {
    const isSame = relevanceEncoder === kernelEncoder;
    const { sentences } =
      isSame || isReranker(relevanceEncoder) || query.text === null
        ? encoded
        : await encodeTexts(relevanceEncoder, database, points.map(encodedText));
    const { gate, surroundings, centred } = options;
    return rankPoints(
      {
        query: asked.query,
        points,
        documents,
        vectors: sentences,
        encoder: relevanceEncoder,
        gate,
        surroundings,
        centred,
      },
      engine,
    );
  });
  stage('rank')(1, 1);

  const intent = intentOf(asked.query, ranking, relevanceEncoder);
  const kept = options.gate === null || isNear(ranking, relevanceEncoder) ? ranking.kept : [];
  const frame = { intent, format: options.format, documents: readable.map(({ document }) => document) };
  const choice = await clock.time('select', () =>
    choosePoints(
      plan,
      query,
      kept.map((i) => ({ ...points[i], relevance: ranking.values[i] })),
      documents,
    ),
  );
  const selectionOptions = { ...options.selection(ranking.surroundings), ...choice.instead };
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
        chosen: choice.chosen,
      },
      selectionOptions,
      parts,
    ),
  );
  stage('select')(1, 1);

  const written = await clock.time('write', () => {
    const reader = readerOf(request, query);
    const isStreamed = onSentence !== undefined;
    return writeSummary(
      {
        ...frame,
        points: selectedPoints(selection, kept, points, ranking, intent),
        similarity: selection.pickedSimilarity,
        maxWords,
      },
      {
        writer:
          naive?.writer(points) ??
          (plan.writer && {
            name: 'llm',
            writer: modelWriter({ ...plan.writer, reader, format: options.format, maxWords, isStreamed }),
          }),
        checker: () =>
          checkerOver(
            kept.map((i) => encodedText(points[i])), // the very texts whose vectors are there
            kernelEncoder,
            database,
          ),
        judge: plan.judge({ written: query.language, quoted: commonLanguage(documents) }),
        isEnglish: (plan.writer === null && naive === null) || query.language === 'eng' || query.language === 'und',
        onSentence,
      },
    );
  });
  stage('write')(1, 1);

  const id = `dig_${crypto.randomUUID().replaceAll('-', '')}`;
  const digest = assembleDigest(
    {
      id,
      options,
      query: asked.query,
      read,
      points,
      encoded,
      ranking,
      kept,
      selection,
      selectionOptions,
      written,
      isChoiceLacking: choice.lacking || parted.lacking || asked.lacking,
      modelStages: stages,
      warnings: [
        ...dateWarnings(documents, query),
        ...languageWarnings(documents, asked.query, relevanceEncoder),
        ...parted.warnings,
        ...asked.warnings,
        ...(naive === null ? extractionWarnings(read) : []),
        ...choice.warnings,
        ...(naive?.warnings() ?? []),
        ...written.warnings,
        ...unusedStages(request.engine, stages),
      ],
      timings: clock.timings(),
    },
    engine,
  );
  plan.signal?.throwIfAborted();
  await saveDigest(
    database,
    { id, status: digest.status, answer: JSON.stringify(digest) },
    documents
      .filter(({ status }) => status === 'ok')
      .map(({ document, hash }) => ({ documentId: document.id, documentHash: hash })),
  );
  return digest;
}
