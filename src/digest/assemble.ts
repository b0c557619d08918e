import type {
  Digest,
  DigestDocument,
  DigestKeyPoint,
  DigestMetrics,
  DigestStatus,
  Preset,
  SelectionAnswer,
  Summary,
} from '../contract/index.ts';
import { isReranker, type RelevanceScorer } from '../models/index.ts';
import { wordsIn } from '../summary/index.ts';
import { counted, languageName } from '../text/index.ts';
import type { Reading } from './extract/extract.ts';
import { unverifiedOf } from './extract/points.ts';
import {
  type DateWindow,
  documentStatus,
  inRequestOrder,
  type ReadDocument,
  type ReadDocuments,
} from './extract/read-documents.ts';
import { GRADED_BY_MODEL } from './options.ts';
import type { Plan } from './plan.ts';
import { isForeign, type Query } from './rank/query.ts';
import type { DigestRanking } from './rank/rank-points.ts';
import type { Question } from './rank/split-intent.ts';
import { keyPointReceipts, optionsAnswer, outcomeAnswer, rounded, unverifiedReceipt } from './receipts.ts';
import type { EarlierReading } from './request.ts';
import type { Run } from './run.ts';
import type { Selected } from './select/select.ts';
import type { Written } from './write.ts';

export function assemble(
  run: Run,
  plan: Plan,
  question: Question,
  reading: Reading,
  ranking: DigestRanking,
  selected: Selected,
  written: Written,
): Omit<Digest, 'experiment'> {
  const { options, stages, query } = plan;
  const { documents } = reading;
  const { summary } = written;
  const unverified = unverifiedOf(reading).map(unverifiedReceipt);
  const keyPoints = [...keyPointReceipts(plan, reading, ranking, selected, written), ...unverified];
  const statuses = inRequestOrder(documents).map(documentStatus);
  const { total, stages: usage } = stages.usage();
  const isDegraded = [question, ranking, selected, written].some((result) => result.isDegraded);
  return {
    id: run.id,
    status: statusOf(documents, isDegraded),
    summary: { text: summary.text, sentences: summary.sentences },
    sources: summary.sources,
    keyPoints,
    intent: intentAnswer(written, keyPoints),
    documents: statuses,
    counts: { keyPoints: pointsIn(reading) + unverified.length, documents: countsOf(statuses) },
    selection: selectionAnswer(plan, question, reading, ranking, selected),
    engine: {
      extractor: reading.extractor,
      encoder: options.kernelEncoder.profile.id,
      relevanceEncoder: options.relevanceEncoder.profile.id,
      matrix: run.engine.matrix,
      writer: written.writer,
      verifier: plan.verifiedBy,
      models: stages.records(),
    },
    prompts: stages.hashes(),
    warnings: warningsOf(plan, question, reading, ranking, selected, written),
    metrics: metricsOf(documents, keyPoints, summary, query.text !== null),
    writing: written.report,
    usage: { ...total, stages: usage, ...reading.reused },
    timings: run.timings(),
    offsetUnit: 'utf16',
  };
}

function pointsIn({ scan, points }: Reading): number {
  return scan?.points ?? points.length;
}

function countsOf(documents: readonly DigestDocument[]) {
  const counts = { ok: 0, failed: 0, empty: 0, excluded: 0 };
  for (const { status } of documents) counts[status]++;
  return counts;
}

function statusOf(documents: readonly ReadDocument[], isDegraded: boolean): DigestStatus {
  if (documents.every(({ status }) => status === 'failed')) return 'failed';
  return isDegraded || documents.some(({ error }) => error !== null) ? 'partial' : 'completed';
}

const MAX_NEAREST = 3;

function intentAnswer({ intent }: Written, keyPoints: readonly DigestKeyPoint[]): Digest['intent'] {
  if (intent === null) return null;
  const facets = intent.facets.map(({ text, matched, isSure = true }) => ({ text, answered: matched && isSure }));
  const isWhole = facets.every(({ answered }) => answered);
  const nearest = keyPoints
    .filter(({ relevance }) => relevance !== null)
    .toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0))
    .slice(0, MAX_NEAREST);
  return {
    answered: isWhole ? 'yes' : intent.matched ? 'partly' : 'no',
    facets,
    nearest: intent.matched ? [] : nearest.map(({ id }) => id),
  };
}

function selectionAnswer(
  { options }: Plan,
  { searched }: Question,
  reading: Reading,
  { surroundings, isGraded }: DigestRanking,
  { options: selectionOptions, selection, candidates, known }: Selected,
): SelectionAnswer {
  const outcome = outcomeAnswer(selection);
  const kept = candidates.length + known.size;
  return {
    ...optionsAnswer(options, selectionOptions, selection, {
      gate: searched.text === null ? null : options.gate,
      surroundings,
      facets: searched.facets.map(({ text }) => text),
      encoder: isGraded ? GRADED_BY_MODEL : options.relevanceEncoder.profile.id,
    }),
    expectedSize: rounded(selection.expectedSize),
    ...outcome,
    objective: rounded(outcome.objective),
    logDeterminant: rounded(outcome.logDeterminant),
    gate: { kept, dropped: pointsIn(reading) - kept },
  };
}

function metricsOf(
  documents: readonly ReadDocument[],
  keyPoints: readonly DigestKeyPoint[],
  summary: Summary,
  hasIntent: boolean,
): DigestMetrics {
  const selected = keyPoints.filter((point) => point.selected);
  const read = documents.filter(({ status }) => status === 'ok' || status === 'empty');
  const share = (ids: Set<string>): number => (read.length === 0 ? 0 : rounded(ids.size / read.length));
  const words = wordsIn(summary.sentences.map(({ text }) => text));
  const sourceWords = read.reduce((sum, { extraction }) => sum + (extraction?.words ?? 0), 0);
  return {
    documentCoverage: share(new Set(selected.map(({ document }) => document))),
    citedDocuments: share(new Set(summary.sources.map(({ document }) => document))),
    redundancy: mean(selected.flatMap(({ nearest }) => (nearest === null ? [] : [nearest.similarity]))),
    relevance: hasIntent ? mean(selected.flatMap(({ relevance }) => (relevance === null ? [] : [relevance]))) : null,
    compression: sourceWords === 0 ? 0 : rounded(words / sourceWords),
    words,
    wordsPerSentence: summary.sentences.length === 0 ? 0 : rounded(words / summary.sentences.length, 1),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function warningsOf(
  { options, request, naive }: Plan,
  question: Question,
  reading: Reading,
  ranking: DigestRanking,
  selected: Selected,
  written: Written,
): string[] {
  const { documents } = reading;
  const { searched } = question;
  return [
    ...dateWarnings(documents, question.asked),
    ...earlierWarnings(documents, request.earlier),
    ...languageWarnings(documents, searched, options.relevanceEncoder),
    ...(ranking.isGraded ? [] : levelWarnings(searched, options.relevanceEncoder, options.estimate)),
    ...question.warnings,
    ...ranking.warnings,
    ...(naive === null ? extractionWarnings(reading, options.preset) : []),
    ...selected.warnings,
    ...reading.warnings,
    ...written.warnings,
  ];
}

function dateWarnings(documents: readonly ReadDocument[], { publishedAfter, publishedBefore }: DateWindow): string[] {
  if (publishedAfter === undefined && publishedBefore === undefined) return [];
  if (documents.every(({ excluded }) => excluded === 'date')) {
    return ['Every document lies outside the date window; none was read.'];
  }
  const undated = documents.filter(({ document }) => document.publishedAt === undefined).length;
  if (undated === 0) return [];
  const subject = undated === 1 ? 'One document has' : `${undated} documents have`;
  return [`${subject} no publication date and ${undated === 1 ? 'was' : 'were'} read regardless of the date window.`];
}

function earlierWarnings(documents: readonly ReadDocument[], earlier: EarlierReading | undefined): string[] {
  if (earlier === undefined) return [];
  const known = documents.filter(({ excluded }) => excluded === 'known').length;
  if (known === 0) return [];
  if (known === documents.length) return [`Nothing is new: every document was read for ${earlier.digest} or before.`];
  const were = known === 1 ? 'One document was' : `${known} documents were`;
  return [`${were} read for ${earlier.digest} or before, and not again.`];
}

/** In an unsupported language, relevance depends on shared words. */
export function languageWarnings(documents: readonly ReadDocument[], query: Query, encoder: RelevanceScorer): string[] {
  const isRead = (language: string) => !isForeign(language, encoder);
  const fallback = `which the encoder "${encoder.profile.id}" does not support; relevance is based on shared words`;
  const foreign = documents.flatMap(({ extraction }) =>
    extraction === null || isRead(extraction.language) ? [] : [languageName(extraction.language)],
  );
  const count = foreign.length === 1 ? 'One document is' : `${foreign.length} documents are`;
  return [
    ...(isRead(query.language) ? [] : [`The intent is in ${languageName(query.language)}, ${fallback}.`]),
    ...(foreign.length > 0 ? [`${count} in ${[...new Set(foreign)].sort().join(', ')}, ${fallback}.`] : []),
  ];
}

export function levelWarnings(query: Query, scorer: RelevanceScorer, isEstimate: boolean): string[] {
  if (query.text === null || !isEstimate || isReranker(scorer) || scorer.profile.calibration.relevance !== null)
    return [];
  return [
    `The encoder "${scorer.profile.id}" has no calibrated relevance: key points are ranked, but it is unknown whether they answer the question.`,
  ];
}

/** Warn if a larger share of a model's key points has no valid quote. */
const POOR = 0.5;

/** Warns if many key points have no valid quote; in a published arm, which should lose none, if any has. */
export function extractionWarnings({ documents }: Pick<ReadDocuments, 'documents'>, preset: Preset): string[] {
  const extractions = documents.flatMap(({ extraction }) => extraction ?? []);
  const unverified = extractions.reduce((sum, extraction) => sum + extraction.unverified.length, 0);
  const all = extractions.reduce((sum, extraction) => sum + extraction.keyPoints.length, unverified);
  const isPoor = unverified > POOR * all;
  if (unverified === 0 || !(isPoor || preset === 'published')) return [];
  const discarded = `${unverified} of ${counted(all, 'key point')} from the language model ${unverified === 1 ? 'has a quote that is not in the documents; it was' : 'have quotes that are not in the documents; they were'} discarded.`;
  return [isPoor ? `${discarded} The extractor "sentences" may work better.` : discarded];
}
