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
  requestsFor,
  share,
  summHayTotals,
  summHayWeights,
} from '../../evaluation/index.ts';
import { addUsage, type CallUsage } from '../../models/index.ts';
import type { BenchmarkCase, Collection, LabelledPassage, PassageSpan } from '../benchmark-set.ts';
import type { Figures, ScoredText } from '../results/metrics.ts';
import type { SystemOutput } from './system-output.ts';

/** Shares of the quote and of the passage that have to be the same words. */
const OF_QUOTE = 0.5;
const OF_PASSAGE = 0.3;

/**
 * SummHay by labels of passages, without a judge: a bullet covers an insight where the quote that it rests on lies in a
 * passage that tells the insight, by at least half of the quote and 30% of the passage. The first bullet that covers an
 * insight counts, of as many bullets as there are insights. Citations are those of that bullet.
 *
 * @returns nothing where no passage names an insight, or the output tells no quotes
 */
export function labelledScores(
  { insights = [], passages = [] }: BenchmarkCase,
  output: SystemOutput,
): Pick<ScoredText, 'figures' | 'over'> {
  if (output.picks === null || insights.length === 0 || passages.every((each) => each.insights === undefined))
    return { figures: {}, over: {} };
  const told = output.sentences
    .slice(0, insights.length)
    .map(({ quote, documents }) => ({ tells: quote === null ? new Set() : insightsIn(quote, passages), documents }));
  const scores = insights.map(({ id, documents = [] }) => {
    const bullet = told.find(({ tells }) => tells.has(id));
    const cited = bullet && documents.length > 0 ? citationScores(bullet.documents, new Set(documents)) : null;
    return {
      coverage: bullet === undefined ? (0 as const) : (100 as const),
      hasDocuments: documents.length > 0,
      f1: cited?.f1 ?? null,
      precision: cited?.precision ?? null,
      recall: cited?.recall ?? null,
    };
  });
  const [totals, weights] = [summHayTotals(scores), summHayWeights(scores)];
  return { figures: labelledBy(totals), over: labelledBy(weights) };
}

function labelledBy<Value>({ coverage, citation, joint, citationPrecision }: Record<LabelledTotal, Value>) {
  return {
    'labelled.coverage': coverage,
    'labelled.citation': citation,
    'labelled.joint': joint,
    'labelled.precision': citationPrecision,
  };
}

type LabelledTotal = 'coverage' | 'citation' | 'joint' | 'citationPrecision';

function insightsIn(quote: PassageSpan, passages: readonly LabelledPassage[]): Set<string> {
  const there = passages.filter((passage) => {
    const shared = passage.document === quote.document ? sharedUnits(passage, quote) : 0;
    return shared >= OF_QUOTE * (quote.end - quote.start) && shared >= OF_PASSAGE * (passage.end - passage.start);
  });
  return new Set(there.flatMap(({ insights = [] }) => insights));
}

function sharedUnits(a: PassageSpan, b: PassageSpan): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

/**
 * How far the selected key points come from the passages that people marked: the share of those asked for that begin in
 * one, and the share of passages that one begins in, 0 to 100. For the first as many points as were asked for
 * count, as in the scorer of these labels.
 *
 * @returns nothing where no passages are marked as such, or the output tells no quotes
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

/** What is kept of a scored output. */
export interface ScoredOutput extends ScoredText {
  /** Of the digest and of its judge. */
  readonly usage: CallUsage;
  /** Coverage of each document that it was given, in order; null for those without questions. Null without source coverage. */
  readonly byPosition: readonly (number | null)[] | null;
  /** Verdicts of a language model that could not be read, and credit nothing. */
  readonly unreadable: number;
  /** What the digest says went otherwise than asked. */
  readonly warnings: readonly string[];
  readonly verdicts: OutputVerdicts;
}

/** What metrics ask of an output; an empty one is scored too: it tells nothing. */
export function requestsOf(
  output: Pick<SystemOutput, 'sentences' | 'given'>,
  benchmarkCase: BenchmarkCase,
  { documents }: Collection,
): EvaluationRequest[] {
  const sentences = output.sentences.map(({ text, documents: cited }) => ({ text, documents: cited }));
  return requestsFor({ ...benchmarkCase, sentences, documents, given: output.given });
}

/** Scores an output by everything that its case has references for; unreadable verdicts of a model credit nothing, and are told. */
export async function scoreOutput(
  output: SystemOutput,
  benchmarkCase: BenchmarkCase,
  collection: Collection,
  judge: JudgeRequest,
  deps: DigestDeps,
  signal?: AbortSignal,
): Promise<ScoredOutput> {
  const answers: EvaluationAnswer[] = [];
  const weights: Readonly<Record<string, number>>[] = [];
  let unreadable = 0;
  const onUnreadable = (verdicts: number) => {
    unreadable += verdicts;
  };
  for (const request of requestsOf(output, benchmarkCase, collection)) {
    const answer = await evaluate({ ...request, ...judge }, deps, { signal, countsUnreadable: true, onUnreadable });
    answers.push(answer);
    weights.push(withPrefix(answer, figureWeights(request, answer)));
  }
  const labelled = labelledScores(benchmarkCase, output);
  return {
    figures: {
      ...output.figures,
      ...Object.assign({}, ...answers.map((answer) => figuresOfScore(answer, benchmarkCase))),
      ...labelled.figures,
      ...passageScores(benchmarkCase, output),
    },
    over: { ...Object.assign({}, ...weights), ...labelled.over },
    sentenceWords: output.sentenceWords,
    isPartial: output.isPartial,
    usage: answers.map(({ usage }) => usage).reduce<CallUsage>(addUsage, output.usage),
    byPosition: answers.flatMap((answer) => byPosition(answer, output.given.length) ?? []).at(0) ?? null,
    unreadable,
    warnings: output.warnings,
    verdicts: verdictsIn(answers),
  };
}

/** Values of figures, by the key that they have beside those of other metrics. */
function withPrefix({ metric }: EvaluationAnswer, values: Readonly<Record<string, number>>) {
  const { prefix } = metricOf(metric);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** The figures of a score, by the key that they have beside those of other metrics. */
function figuresOfScore(answer: EvaluationAnswer, { questions = [] }: BenchmarkCase): Figures {
  const { prefix, figures } = metricOf(answer.metric);
  const values = figuresOf(answer);
  const scores = figures.filter(({ isDescriptive }) => isDescriptive !== true);
  const named = Object.fromEntries(scores.map(({ name }) => [`${prefix}.${name}`, values[name]]));
  const isMarked = questions.some(({ relevant }) => relevant !== undefined);
  if (answer.metric !== 'source-coverage' || !isMarked) return named;
  const relevant = answer.questions.filter((_, place) => questions[place].relevant === true);
  return { ...named, 'sources.relevantCoverage': share(relevant.map(({ covered }) => covered)) };
}

function byPosition(answer: EvaluationAnswer, given: number): readonly (readonly (number | null)[])[] | null {
  if (answer.metric !== 'source-coverage') return null;
  return [answer.documents.slice(0, given).map(({ coverage }) => coverage)];
}

/** Whether a summary answers a question: not, otherwise than its document, or as that does. */
type AnswerGiven = 'none' | 'other' | 'same';

/** What a judge said of an output, in the order of what it was asked; each absent where its case asks for nothing of the kind. */
export interface OutputVerdicts {
  /** Of each question. */
  readonly answers?: readonly AnswerGiven[] | undefined;
  /** Whether the output entails each key point. */
  readonly entailed?: readonly boolean[] | undefined;
  /** Of each sentence, its outcome in ARGUE. */
  readonly outcomes?: readonly number[] | undefined;
  /** Of each sentence, the ids of the nuggets that it reports. */
  readonly reported?: readonly (readonly string[])[] | undefined;
}

function verdictsIn(answers: readonly EvaluationAnswer[]): OutputVerdicts {
  return Object.assign({}, ...answers.map(verdictsOf));
}

function verdictsOf(answer: EvaluationAnswer): OutputVerdicts {
  switch (answer.metric) {
    case 'source-coverage':
      return {
        answers: answer.questions.map(({ answerable, covered }) => (covered ? 'same' : answerable ? 'other' : 'none')),
      };
    case 'key-point-recall':
      return { entailed: answer.keyPoints.map(({ entailed }) => entailed) };
    case 'argue':
      return {
        outcomes: answer.sentences.map(({ outcome }) => outcome),
        reported: answer.sentences.map(({ nuggets }) => nuggets),
      };
    case 'summhay':
      return {};
  }
}
