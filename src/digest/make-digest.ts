import type { Digest, Stage, SummarySentence } from '../contract/index.ts';
import { contentHash, nextTurn } from '../text/index.ts';
import { assembleDigest } from './assemble-digest.ts';
import { NO_CHECKPOINTS } from './checkpoints.ts';
import type { DigestDeps } from './digest-deps.ts';
import { digestLedger } from './digest-ledger.ts';
import type { DigestRun } from './digest-run.ts';
import { dateWarnings } from './extract/date-window.ts';
import { earlierWarnings, knownOf } from './extract/earlier-reading.ts';
import { extractAndEncode } from './extract/extract-and-encode.ts';
import { extractionWarnings } from './extract/extraction-warnings.ts';
import { inLanguageOf, languageWarnings } from './extract/languages.ts';
import { inRequestOrder } from './extract/read-documents.ts';
import { type DigestPlan, unusedStages } from './plan-digest.ts';
import { gradeStage } from './rank/grade-stage.ts';
import { intentOf, levelWarnings } from './rank/intent.ts';
import { partIntent } from './rank/part-intent.ts';
import { rankStage } from './rank/rank-stage.ts';
import { translateIntent } from './rank/translate-intent.ts';
import { selectStage } from './select/select-stage.ts';
import { stopwatch } from './stopwatch.ts';
import { constraintWarnings } from './write/constraints.ts';
import { drawWarnings } from './write/draw-warnings.ts';
import { naivePipeline } from './write/naive-pipeline.ts';
import { writeStage } from './write/write-stage.ts';

/** A digest with the texts that it was made from. */
interface MadeDigest {
  readonly digest: Digest;
  readonly sources: readonly { readonly documentId: string; readonly documentHash: string }[];
}

/**
 * Makes a digest: documents -> key points -> encodings -> relevance and gate -> kernel and selection -> cited summary.
 * Everything runs in canonical order, so that the order of the documents does not matter (promise P5); only a language model is
 * shown them in the order of the request.
 *
 * @throws TesseraError where the request cannot be served as it stands
 */
export async function makeDigest(plan: DigestPlan, deps: DigestDeps, run: DigestRun): Promise<MadeDigest> {
  const { options, stages, request, signal } = plan;
  const clock = stopwatch();
  const steps = run.checkpoints?.(digestLedger(stages, clock)) ?? NO_CHECKPOINTS;
  const making = { plan, deps, steps, clock };
  const { onProgress = () => {}, onSentence } = run;
  const stage = (name: Stage) => (done: number, total: number, document?: string | null) => {
    signal?.throwIfAborted();
    onProgress({ stage: name, done, total, ...(document != null && { document }) });
  };
  // Where the signal cuts a writer off, what would stand in for its sentences is not part of any digest: nobody is told of it.
  const notify =
    onSentence &&
    ((sentence: SummarySentence) => {
      signal?.throwIfAborted();
      onSentence(sentence);
    });

  const parted = await clock.time('rank', () => steps.step('part', plan.query, () => partIntent(plan, deps)));
  const naive = plan.naive && naivePipeline(plan, plan.naive, deps, steps);
  const gathered = await extractAndEncode(plan, parted.query, naive, deps, clock, {
    extract: stage('extract'),
    encode: stage('encode'),
  });
  const { read, points, encoded } = gathered;
  const { documents } = read;
  const query = inLanguageOf(parted.query, documents);
  // Everything from here on depends on these; a document that could be read this time changes them.
  const { strategy, kernelEncoder, relevanceEncoder, format } = options;
  const hashes = documents.map(({ hash }) => hash);
  const ids = points.map(({ id }) => id);
  const given = contentHash(JSON.stringify([hashes, read.extractor, ids, strategy, kernelEncoder.profile.id]));
  const reuse = { reusedExtractions: read.reused, reusedEncodings: encoded.reused };
  const reused = await steps.step('gather', given, () => reuse, 0); // with what the models that read took
  const asked = await clock.time('rank', () =>
    steps.step('translate', [query, given], () => translateIntent(plan, query, documents, deps)),
  );
  const ranked = await rankStage(making, gathered, asked.query, given);
  const graded = await gradeStage(making, gathered, asked.query, ranked, given);
  const { ranking, isGraded } = graded;
  stage('rank')(1, 1);

  const readable = inRequestOrder(documents).filter(({ status }) => status === 'ok' || status === 'empty');
  const intent = intentOf(asked.query, graded.answered);
  const outline = { intent, format, documents: readable.map(({ document }) => document) };
  const selected = await selectStage(making, gathered, { query, ranking, isGraded, frame: outline, given });
  stage('select')(1, 1);
  const known = request.earlier && knownOf(documents, selected.familiar);
  const frame = { ...outline, known };

  const written = await writeStage(making, gathered, selected, { query, ranking, frame, naive, given }, notify);
  stage('write')(1, 1);
  await nextTurn(); // of many thousand key points, every part of what follows takes a while

  const { kept, eligible, familiar, choice, selection, replaced, options: selectionOptions } = selected;
  const digest = assembleDigest(
    {
      id: run.id,
      options,
      query: asked.query,
      read,
      points,
      reused,
      ranking,
      isGraded,
      kept,
      eligible,
      intent: written.intent,
      familiar,
      selection,
      replaced,
      selectionOptions,
      isWorded: plan.extractor.isModel,
      verifiedBy: plan.verifiedBy,
      written,
      isSelectionDegraded: [choice, parted, asked, graded].some(({ isDegraded }) => isDegraded),
      modelStages: stages,
      warnings: [
        ...dateWarnings(documents, query),
        ...(plan.writer === null && naive === null ? constraintWarnings(request.intent) : []),
        ...earlierWarnings(documents, request.earlier),
        ...languageWarnings(documents, asked.query, relevanceEncoder),
        ...(isGraded ? [] : levelWarnings(asked.query, relevanceEncoder, options.estimate)),
        ...parted.warnings,
        ...asked.warnings,
        ...graded.warnings,
        ...(naive === null ? extractionWarnings(read, options.preset) : []),
        ...choice.warnings,
        ...drawWarnings(selection, kept.length),
        ...(naive?.warnings() ?? []),
        ...written.warnings,
        ...unusedStages(request.engine, stages),
      ],
      timings: clock.timings(),
      experiment: request.experiment,
    },
    deps.engine,
  );
  return {
    digest,
    sources: documents
      .filter(({ status }) => status === 'ok')
      .map(({ document, hash }) => ({ documentId: document.id, documentHash: hash })),
  };
}
