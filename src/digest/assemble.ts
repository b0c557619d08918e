import type {
  Digest,
  DigestKeyPoint,
  DigestMetrics,
  DigestStatus,
  SelectionAnswer,
  Summary,
} from '../contract/index.ts';
import { wordsIn } from '../summary/index.ts';
import type { Reading } from './extract/extract.ts';
import { unverifiedOf } from './extract/points.ts';
import { documentStatus, inRequestOrder, type ReadDocument } from './extract/read-documents.ts';
import { GRADED_BY_MODEL } from './options.ts';
import type { Plan } from './plan.ts';
import type { GradedRanking } from './rank/grade.ts';
import type { Question } from './rank/split-intent.ts';
import { keyPointReceipts, optionsAnswer, outcomeAnswer, rounded, unverifiedReceipt } from './receipts.ts';
import type { Run } from './run.ts';
import type { Selected } from './select/select.ts';
import { warningsOf } from './warnings.ts';
import type { Written } from './write.ts';

export function assemble(
  run: Run,
  plan: Plan,
  question: Question,
  reading: Reading,
  ranking: GradedRanking,
  selected: Selected,
  written: Written,
): Omit<Digest, 'experiment'> {
  const { options, stages, query } = plan;
  const { documents } = reading;
  const { summary } = written;
  const keyPoints = keyPointReceipts(plan, reading, ranking, selected, written);
  const { total, stages: usage } = stages.usage();
  const isDegraded = [question, ranking, selected, written].some((result) => result.isDegraded);
  return {
    id: run.id,
    status: statusOf(documents, isDegraded),
    summary: { text: summary.text, sentences: summary.sentences },
    sources: summary.sources,
    keyPoints: [...keyPoints, ...unverifiedOf(reading).map(unverifiedReceipt)],
    intent: intentAnswer(written, keyPoints),
    documents: inRequestOrder(documents).map(documentStatus),
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

function statusOf(documents: readonly ReadDocument[], isDegraded: boolean): DigestStatus {
  if (documents.every(({ status }) => status === 'failed')) return 'failed';
  return isDegraded || documents.some(({ error }) => error !== null) ? 'partial' : 'completed';
}

const MAX_NEAREST = 3;

function intentAnswer({ intent }: Written, keyPoints: readonly DigestKeyPoint[]): Digest['intent'] {
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

function selectionAnswer(
  { options }: Plan,
  { searched }: Question,
  { points }: Reading,
  { surroundings, isGraded }: GradedRanking,
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
    gate: { kept, dropped: points.length - kept },
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
