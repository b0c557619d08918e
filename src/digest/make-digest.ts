import { contentHash } from '../documents/content-hash.ts';
import { encodeTexts } from '../encoders/encoded-texts.ts';
import { isReranker } from '../encoders/reranker.ts';
import { nextTurn } from '../store/chunks.ts';
import { framingReserve } from '../summary/framing.ts';
import { modelWriter } from '../summary/rewrite/model-writer.ts';
import { assembleDigest } from './assemble-digest.ts';
import { NO_CHECKPOINTS } from './checkpoints.ts';
import { choosePoints } from './choose-points.ts';
import { dateWarnings } from './date-window.ts';
import type { Digest, Stage } from './digest.ts';
import { digestLedger } from './digest-ledger.ts';
import type { DigestParts } from './digest-parts.ts';
import type { DigestRun } from './digest-run.ts';
import { earlierWarnings } from './earlier-reading.ts';
import { extractionWarnings } from './extraction-warnings.ts';
import { familiarPoints } from './familiar-points.ts';
import { checkerOver, gatherPoints } from './gather-points.ts';
import { intentOf, isNear } from './intent.ts';
import { commonLanguage, languageWarnings } from './languages.ts';
import { naivePipeline } from './naive-pipeline.ts';
import { partIntent } from './part-intent.ts';
import { type DigestPlan, unusedStages } from './plan-digest.ts';
import { encodedText } from './points.ts';
import { rankPoints } from './rank-points.ts';
import { readerOf } from './reader.ts';
import { backgroundStatements, selectPoints } from './select-points.ts';
import { selectedPoints } from './selected-points.ts';
import { stopwatch } from './stopwatch.ts';
import { toldSentences } from './told-sentences.ts';
import { translateIntent } from './translate-intent.ts';
import { writeSummary } from './write-summary.ts';

/** A digest with the texts that it was made from. */
export interface MadeDigest {
  readonly digest: Digest;
  readonly sources: readonly { readonly documentId: string; readonly documentHash: string }[];
}

/**
 * Makes a digest: documents -> key points -> encodings -> relevance and gate -> kernel and selection -> cited summary.
 * Everything runs in canonical order, so that the order of the documents does not matter (promise P5).
 *
 * @throws TesseraError where the request cannot be served as it stands
 */
export async function makeDigest(plan: DigestPlan, parts: DigestParts, run: DigestRun): Promise<MadeDigest> {
  const { database, engine } = parts;
  const { options, stages, request, signal } = plan;
  const { kernelEncoder, relevanceEncoder, maxWords } = options;
  const clock = stopwatch();
  const steps = run.checkpoints?.(digestLedger(stages, clock)) ?? NO_CHECKPOINTS;
  const { onProgress = () => {} } = run;
  const stage = (name: Stage) => (done: number, total: number, document?: string | null) => {
    signal?.throwIfAborted();
    onProgress({ stage: name, done, total, ...(document != null && { document }) });
  };

  const parted = await clock.time('rank', () => steps.step('part', plan.query, () => partIntent(plan, parts)));
  const { query } = parted;
  const naive = plan.naive && naivePipeline(plan, plan.naive, parts, steps);
  const { read, points, encoded } = await gatherPoints(plan, query, naive, parts, clock, {
    extract: stage('extract'),
    encode: stage('encode'),
  });
  const { documents } = read;
  // Everything from here on depends on these; a document that could be read this time changes them.
  const given = contentHash(
    JSON.stringify([points.map(({ id, text }) => [id, text]), options.strategy, kernelEncoder.profile.id]),
  );
  const asked = await clock.time('rank', () =>
    steps.step('translate', [query, given], () => translateIntent(plan, query, documents, parts)),
  );
  const readable = documents.filter(({ status }) => status === 'ok' || status === 'empty');

  // What a local encoder finds is found again sooner than its vectors are written and read.
  const rankSteps = isReranker(relevanceEncoder) ? steps : NO_CHECKPOINTS;
  const ranking = await clock.time('rank', () =>
    rankSteps.step('rank', [asked.query, given, relevanceEncoder.profile.id], async () => {
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
    }),
  );
  stage('rank')(1, 1);

  const intent = intentOf(asked.query, ranking, relevanceEncoder);
  const near = options.gate === null || isNear(ranking, relevanceEncoder) ? ranking.kept : [];
  const frame = { intent, format: options.format, documents: readable.map(({ document }) => document) };
  const background = await clock.time('select', () => backgroundStatements(query, kernelEncoder, engine));
  const ownOptions = options.selection(ranking.surroundings);
  const familiar = await clock.time('select', () =>
    familiarPoints(
      { items: near, hashes: near.map((i) => encoded.hashes[i]), vectors: near.map((i) => encoded.sentences[i]) },
      background,
      kernelEncoder,
      ownOptions,
      parts,
    ),
  );
  const kept = near.filter((i) => !familiar.has(i));
  const choice = await clock.time('select', () =>
    steps.step('choose', [query, given, kept], () =>
      choosePoints(
        plan,
        query,
        kept.map((i) => ({ ...points[i], relevance: ranking.values[i] })),
        documents,
      ),
    ),
  );
  const selectionOptions = { ...ownOptions, ...choice.instead };
  const selection = await clock.time('select', () =>
    steps.step('select', [query, given, kept, selectionOptions, choice.chosen], () =>
      selectPoints(
        {
          points: kept.map((i) => points[i]),
          hashes: kept.map((i) => encoded.hashes[i]),
          vectors: kept.map((i) => encoded.sentences[i]),
          relevance: Float64Array.from(kept, (i) => ranking.values[i]),
          documents,
          background,
          encoder: kernelEncoder,
          usesFactors: options.usesFactors,
          context: ranking.context && {
            vectors: contextOf(ranking.context, ranking.kept, kept),
            share: ranking.surroundings,
          },
          autoWords: options.autoWords,
          room: maxWords === null ? null : { maxWords, reserve: framingReserve(frame) },
          chosen: choice.chosen,
        },
        selectionOptions,
        parts,
        signal,
      ),
    ),
  );
  stage('select')(1, 1);

  const told = toldSentences(run.onSentence);
  const written = await clock.time('write', () => {
    const reader = readerOf(request, query);
    const isStreamed = told.onSentence !== undefined;
    const selected = selectedPoints(selection, kept, points, ranking, intent);
    return steps.step('write', [reader, frame, selected, maxWords], () =>
      writeSummary(
        { ...frame, points: selected, similarity: selection.pickedSimilarity, maxWords },
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
          onSentence: told.onSentence,
        },
      ),
    );
  });
  told.rest(written.summary.sentences);
  stage('write')(1, 1);
  await nextTurn(); // of many thousand key points, every part of what follows takes a while

  const digest = assembleDigest(
    {
      id: run.id,
      options,
      query: asked.query,
      read,
      points,
      encoded,
      ranking,
      kept,
      familiar,
      selection,
      selectionOptions,
      written,
      isChoiceLacking: choice.lacking || parted.lacking || asked.lacking,
      modelStages: stages,
      warnings: [
        ...dateWarnings(documents, query),
        ...earlierWarnings(documents, request.earlier),
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
  return {
    digest,
    sources: documents
      .filter(({ status }) => status === 'ok')
      .map(({ document, hash }) => ({ documentId: document.id, documentHash: hash })),
  };
}

/** Context vectors, which are there for the points past the gate, of those of them that are kept. */
function contextOf(
  vectors: readonly Float32Array[],
  past: readonly number[],
  kept: readonly number[],
): readonly Float32Array[] {
  const at = new Map(past.map((point, index) => [point, index]));
  return kept.map((point) => vectors[at.get(point) ?? 0]);
}
