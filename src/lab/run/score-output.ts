import type { DigestParts } from '../../digest/digest-parts.ts';
import type { EvaluationAnswer } from '../../contract/evaluation-answer.ts';
import { evaluate } from '../../evaluation/evaluate.ts';
import type { JudgeRequest } from '../../contract/evaluation-request.ts';
import { share } from '../../evaluation/share.ts';
import type { ComparedDigest } from '../comparison/compare-digest.ts';
import { figuresOfScore } from '../comparison/figures-of-digest.ts';
import type { Figures } from '../comparison/metrics.ts';
import { addUsage, type CallUsage } from '../../models/language/usage.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { labelledScores, passageScores } from './labelled-scores.ts';
import { scoresWanted } from './scores-wanted.ts';
import type { SystemOutput } from './system-output.ts';

/** What is kept of a scored output. */
export interface ScoredOutput extends ComparedDigest {
  /** Coverage of each document that it was given, in order; null for those without questions. Null without source coverage. */
  readonly byPosition: readonly (number | null)[] | null;
  /** Verdicts of a language model that could not be read, and credit nothing. */
  readonly unreadable: number;
}

/** Scores an output by everything that its case has references for; unreadable verdicts of a model credit nothing, and are told. */
export async function scoreOutput(
  output: SystemOutput,
  benchmarkCase: BenchmarkCase,
  collection: Collection,
  judge: JudgeRequest,
  parts: DigestParts,
  signal?: AbortSignal,
): Promise<ScoredOutput> {
  const answers: EvaluationAnswer[] = [];
  let unreadable = 0;
  const onUnreadable = (verdicts: number) => {
    unreadable += verdicts;
  };
  for (const request of scoresWanted(benchmarkCase, collection, output)) {
    answers.push(await evaluate({ ...request, ...judge }, parts, { signal, countsUnreadable: true, onUnreadable }));
  }
  return {
    figures: {
      ...output.figures,
      ...Object.assign({}, ...answers.map((answer) => figuresOf(answer, benchmarkCase))),
      ...labelledScores(benchmarkCase, output),
      ...passageScores(benchmarkCase, output),
    },
    sentenceWords: output.sentenceWords,
    isPartial: output.isPartial,
    usage: answers.map(({ usage }) => usage).reduce<CallUsage>(addUsage, output.usage),
    byPosition: answers.flatMap((answer) => byPosition(answer, output.given.length) ?? []).at(0) ?? null,
    unreadable,
  };
}

function figuresOf(answer: EvaluationAnswer, { questions = [] }: BenchmarkCase): Figures {
  const figures = figuresOfScore(answer);
  const isMarked = questions.some(({ relevant }) => relevant !== undefined);
  if (answer.metric !== 'source-coverage' || !isMarked) return figures;
  const relevant = answer.questions.filter((_, place) => questions[place].relevant === true);
  return { ...figures, 'sources.relevantCoverage': share(relevant.map(({ covered }) => covered)) };
}

function byPosition(answer: EvaluationAnswer, given: number): readonly (readonly (number | null)[])[] | null {
  if (answer.metric !== 'source-coverage') return null;
  return [answer.documents.slice(0, given).map(({ coverage }) => coverage)];
}
