import type { DigestDeps } from '../../digest/index.ts';
import {
  citationScores,
  type EvaluationAnswer,
  type EvaluationRequest,
  evaluate,
  figuresOf,
  figureWeights,
  type JudgeRequest,
  metricOf,
  refusalOf,
  requestsFor,
  share,
  summHayTotals,
  summHayWeights,
} from '../../evaluation/index.ts';
import { addUsage, type CallUsage } from '../../models/index.ts';
import type { BenchmarkCase, Collection, LabelledPassage, PassageSpan } from '../benchmark-set.ts';
import { coverageByPosition, withPrefix } from '../results/evaluations.ts';
import type { Figures, ScoredText } from '../results/metrics.ts';
import type { SystemOutput } from './system-output.ts';

/** Min shares of the quote and of the passage that must overlap. */
const OF_QUOTE = 0.5;
const OF_PASSAGE = 0.3;

/**
 * SummHay by passage labels, without a judge: a bullet covers an insight if its quote overlaps a passage labelled with
 * it, by half of the quote and 30% of the passage. The first such bullet counts, of at most as many bullets as
 * insights; its citations are scored.
 * @returns {} without labelled passages or quotes
 */
export function labelledScores(
  { insights = [], passages = [] }: BenchmarkCase,
  output: SystemOutput,
): Pick<ScoredText, 'figures' | 'over'> {
  if (output.picks === null || insights.length === 0 || passages.every((each) => each.insights === undefined))
    return { figures: {}, over: {} };
  const told = output.sentences
    .slice(0, insights.length)
    .map(({ quote, documents }) => ({ tells: quote === null ? [] : insightsIn(quote, passages), documents }));
  const scores = insights.map(({ id, documents = [] }) => {
    const bullet = told.find(({ tells }) => tells.includes(id));
    const cited = bullet && documents.length > 0 ? citationScores(bullet.documents, new Set(documents)) : null;
    const { f1 = null, precision = null, recall = null } = cited ?? {};
    const coverage = bullet === undefined ? (0 as const) : (100 as const);
    return { coverage, hasDocuments: documents.length > 0, f1, precision, recall };
  });
  return { figures: labelledBy(summHayTotals(scores)), over: labelledBy(summHayWeights(scores)) };
}

const LABELLED = {
  'labelled.coverage': 'coverage',
  'labelled.citation': 'citation',
  'labelled.joint': 'joint',
  'labelled.precision': 'citationPrecision',
  'labelled.recall': 'citationRecall',
} as const;

function labelledBy<Value>(totals: Readonly<Record<(typeof LABELLED)[keyof typeof LABELLED], Value>>) {
  return Object.fromEntries(Object.entries(LABELLED).map(([key, total]) => [key, totals[total]]));
}

function insightsIn(quote: PassageSpan, passages: readonly LabelledPassage[]): string[] {
  return passages.flatMap(({ document, start, end, insights = [] }) => {
    const shared = document === quote.document ? Math.min(end, quote.end) - Math.max(start, quote.start) : 0;
    const isLabelled = shared >= OF_QUOTE * (quote.end - quote.start) && shared >= OF_PASSAGE * (end - start);
    return isLabelled ? insights : [];
  });
}

/**
 * Precision of the first requested key points, and recall of passages, in per cent: a key point hits a passage if it
 * begins in it. Precision divides by the requested number, as the scorer of these labels does.
 * @returns {} without labelled passages or quotes
 */
export function passageScores({ passages = [] }: BenchmarkCase, { picks, asked }: SystemOutput): Figures {
  const marked = passages.filter(({ insights }) => insights === undefined);
  if (picks === null || marked.length === 0) return {};
  const wanted = asked ?? picks.length;
  const isIn = (pick: PassageSpan, passage: PassageSpan) =>
    pick.document === passage.document && pick.start >= passage.start && pick.start < passage.end;
  const inside = picks.slice(0, wanted).filter((pick) => marked.some((passage) => isIn(pick, passage)));
  const touched = marked.filter((passage) => picks.some((pick) => isIn(pick, passage)));
  return {
    'passages.precision': wanted === 0 ? 0 : (100 * inside.length) / wanted,
    'passages.spread': (100 * touched.length) / marked.length,
  };
}

export interface ScoredOutput extends ScoredText {
  readonly usage: CallUsage;
  /** Source coverage by given document, in order; null for documents without questions. Null if not scored. */
  readonly byPosition: readonly (number | null)[] | null;
  readonly unreadable: number;
  readonly warnings: readonly string[];
}

export function requestsOf(
  output: Pick<SystemOutput, 'sentences' | 'given'>,
  benchmarkCase: BenchmarkCase,
  { documents }: Collection,
): EvaluationRequest[] {
  const sentences = output.sentences.map(({ text, documents: cited }) => ({ text, documents: cited }));
  return requestsFor({ ...benchmarkCase, sentences, documents, given: output.given });
}

/** Scores every metric that the case has references for. */
export async function scoreOutput(
  output: SystemOutput,
  benchmarkCase: BenchmarkCase,
  collection: Collection,
  judge: JudgeRequest,
  deps: DigestDeps,
  signal?: AbortSignal,
): Promise<ScoredOutput> {
  const labelled = labelledScores(benchmarkCase, output);
  let { usage, figures, over } = { usage: output.usage, figures: output.figures, over: labelled.over };
  let [byPosition, unreadable]: [ScoredOutput['byPosition'], number] = [null, 0];
  const onUnreadable = (verdicts: number) => {
    unreadable += verdicts;
  };
  for (const request of requestsOf(output, benchmarkCase, collection)) {
    if (refusalOf(metricOf(request.metric), judge.judge) !== null) continue;
    const answer = await evaluate({ ...request, ...judge }, deps, { signal, countsUnreadable: true, onUnreadable });
    usage = addUsage(usage, answer.usage);
    figures = { ...figures, ...figuresOfScore(answer, benchmarkCase) };
    over = { ...over, ...withPrefix(answer, figureWeights(request, answer)) };
    byPosition = coverageByPosition(answer)?.slice(0, output.given.length) ?? byPosition;
  }
  figures = { ...figures, ...labelled.figures, ...passageScores(benchmarkCase, output) };
  return { figures, over, usage, byPosition, unreadable, isPartial: output.isPartial, warnings: output.warnings };
}

function figuresOfScore(answer: EvaluationAnswer, { questions = [] }: BenchmarkCase): Figures {
  const values = figuresOf(answer);
  const scores = metricOf(answer.metric).figures.filter(({ isDescriptive }) => isDescriptive !== true);
  const named = withPrefix(answer, Object.fromEntries(scores.map(({ name }) => [name, values[name]])));
  const isMarked = questions.some(({ relevant }) => relevant !== undefined);
  if (answer.metric !== 'source-coverage' || !isMarked) return named;
  const relevant = answer.questions.filter((_, place) => questions[place].relevant === true);
  return { ...named, 'sources.relevantCoverage': share(relevant.map(({ covered }) => covered)) };
}
