import type {
  Digest,
  DigestKeyPoint,
  DigestMetrics,
  DigestStatus,
  DigestTimings,
  DigestUsage,
  SelectionAnswer,
  Summary,
} from '../contract/index.ts';
import { isReranker } from '../models/index.ts';
import type { Selection, SelectionOptions } from '../selection/index.ts';
import { countWords, type Intent } from '../summary/index.ts';
import type { Engine } from './engine.ts';
import { type Point, unverifiedOf } from './extract/points.ts';
import { documentStatus, inRequestOrder, type ReadDocument, type ReadDocuments } from './extract/read-documents.ts';
import type { ModelStages } from './model-stages.ts';
import { GRADED_BY_MODEL, type ResolvedOptions } from './options.ts';
import type { Query } from './rank/intent.ts';
import type { Ranking } from './rank/ranking-task.ts';
import { receipt, unverifiedReceipt } from './receipt.ts';
import type { ExperimentOfRequest } from './resolved-request.ts';
import { rounded } from './rounding.ts';
import type { Selected } from './select/select-stage.ts';
import { factsAnswer, optionsAnswer, outcomeAnswer } from './select/selection-answer.ts';
import type { Written } from './write/write-summary.ts';

/** What the stages of a digest left. */
interface Stages {
  readonly id: string;
  readonly options: ResolvedOptions;
  readonly query: Query;
  readonly read: ReadDocuments;
  readonly points: readonly Point[];
  readonly reused: Pick<DigestUsage, 'reusedExtractions' | 'reusedEncodings'>;
  readonly ranking: Ranking;
  /** Whether a model graded the points. */
  readonly isGraded: boolean;
  /** Indices into `points` of the items that the selection saw. */
  readonly kept: readonly number[];
  /** 1 for those of them that are relevant enough to be told; null where all might be. */
  readonly eligible: Uint8Array | null;
  readonly intent: Intent | null;
  /** Indices of the points that say what the reader knows. */
  readonly familiar: ReadonlySet<number>;
  readonly selection: Selection;
  /** Items that others took the place of, with what would have stood for them. */
  readonly replaced: Selected['replaced'];
  readonly selectionOptions: SelectionOptions;
  /** Whether a language model worded the points. */
  readonly isWorded: boolean;
  readonly verifiedBy: string | null;
  readonly written: Written;
  /** Whether a model that was to part or to translate the intent, to grade or to select, failed. */
  readonly isSelectionDegraded: boolean;
  readonly modelStages: ModelStages;
  readonly warnings: readonly string[];
  readonly timings: DigestTimings;
  readonly experiment: ExperimentOfRequest | undefined;
}

/** Puts the answer together from what the stages left. */
export function assembleDigest(stages: Stages, engine: Engine): Digest {
  const { options, query, read, points, ranking, kept, written } = stages;
  const { summary } = written;
  const { documents } = read;
  const { strategy } = stages.selectionOptions;
  const keyPoints = receipt(
    points,
    ranking,
    kept,
    stages.familiar,
    stages,
    strategy,
    written.stated,
    documents,
    isProbability(stages),
    written.held,
    stages.isWorded,
  );
  const { total, stages: usage } = stages.modelStages.usage();
  return {
    id: stages.id,
    status: statusOf(documents, written.isDegraded || stages.isSelectionDegraded),
    summary: { text: summary.text, sentences: summary.sentences },
    sources: summary.sources,
    keyPoints: [...keyPoints, ...unverifiedOf(read).map(unverifiedReceipt)],
    intent: intentAnswer(stages.intent, keyPoints),
    documents: inRequestOrder(documents).map(documentStatus),
    selection: selectionOf(stages),
    engine: {
      extractor: read.extractor,
      encoder: options.kernelEncoder.profile.id,
      relevanceEncoder: options.relevanceEncoder.profile.id,
      matrix: engine.matrix,
      writer: written.writer,
      verifier: stages.verifiedBy,
      models: stages.modelStages.records(),
    },
    prompts: stages.modelStages.hashes(),
    warnings: stages.warnings,
    metrics: metricsOf(documents, keyPoints, summary, query.text !== null),
    writing: written.report,
    usage: {
      ...total,
      stages: usage,
      ...stages.reused,
    },
    timings: stages.timings,
    offsetUnit: 'utf16',
    experiment: experimentOf(stages),
  };
}

/** Whether relevance is a model's grade, or the estimate of an encoder whose cosines were measured. */
function isProbability({ query, isGraded, options: { estimate, relevanceEncoder } }: Stages): boolean {
  if (isGraded) return true;
  if (query.text === null || !estimate || isReranker(relevanceEncoder)) return false;
  return relevanceEncoder.profile.calibration.relevance !== null;
}

/** How many of the nearest points are named where none helps. */
const MAX_NEAREST = 3;

/** Whether what was asked is answered; null without an intent. */
function intentAnswer(intent: Intent | null, keyPoints: readonly DigestKeyPoint[]): Digest['intent'] {
  if (intent === null) return null;
  const facets = intent.facets.map(({ text, matched }) => ({ text, answered: matched }));
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

function experimentOf({ experiment }: Stages): Digest['experiment'] {
  if (experiment === undefined) return null;
  const { key, version, variant, overridden } = experiment;
  return { key, version, variant, overridden };
}

function statusOf(documents: readonly ReadDocument[], isIncomplete: boolean): DigestStatus {
  if (documents.every(({ status }) => status === 'failed')) return 'failed';
  return isIncomplete || documents.some(({ error }) => error !== null) ? 'partial' : 'completed';
}

function selectionOf({
  options,
  selectionOptions,
  query,
  ranking,
  isGraded,
  kept,
  familiar,
  selection,
  points,
}: Stages): SelectionAnswer {
  const facts = factsAnswer(selection);
  const outcome = outcomeAnswer(selection);
  return {
    ...optionsAnswer(options, selectionOptions, selection, {
      gate: query.text === null ? null : options.gate,
      surroundings: ranking.surroundings,
      facets: query.facets.map(({ text }) => text),
      encoder: isGraded ? GRADED_BY_MODEL : options.relevanceEncoder.profile.id,
    }),
    ...facts,
    expectedSize: rounded(facts.expectedSize),
    ...outcome,
    objective: rounded(outcome.objective),
    logDeterminant: rounded(outcome.logDeterminant),
    gate: { kept: kept.length + familiar.size, dropped: points.length - kept.length - familiar.size },
  };
}

/** The digest's own measures, cheap enough for every request. */
function metricsOf(
  documents: readonly ReadDocument[],
  keyPoints: readonly DigestKeyPoint[],
  summary: Summary,
  hasIntent: boolean,
): DigestMetrics {
  const selected = keyPoints.filter((point) => point.selected);
  const read = documents.filter(({ status }) => status === 'ok' || status === 'empty');
  const share = (ids: Set<string>): number => (read.length === 0 ? 0 : rounded(ids.size / read.length));
  const words = summary.sentences.reduce((sum, sentence) => sum + countWords(sentence.text), 0);
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
