import type { DigestDeps } from '../digest/index.ts';
import type { CallUsage } from '../models/index.ts';
import type { CoverageLevel, JudgeRecord, Nugget, ReportRequestText, SourceQuestion } from './shapes.ts';

export interface CoverageVerdict {
  readonly level: CoverageLevel;
  /** 0 to 1. */
  readonly score: number;
  /** Place of the best bullet from 0; null without bullets. */
  readonly bullet: number | null;
}

export interface EntailmentTask {
  readonly claim: string;
  readonly texts: readonly string[];
}

export interface EntailmentVerdict {
  readonly holds: boolean;
  /** 0 to 1. */
  readonly score: number;
  /** An exact piece of one of the texts; null if nothing speaks for the claim. */
  readonly evidence: string | null;
}

export const NOT_ENTAILED: EntailmentVerdict = { holds: false, score: 0, evidence: null };

/**
 * What a sentence of a report is: a claim, which needs a citation; the statement that something is not known or not in the
 * documents; or neither (introductory, a question, known from the request), which needs none.
 */
export type SentenceKind = 'claim' | 'absence' | 'neither';

export interface AnswerVerdict {
  readonly answerable: boolean;
  readonly matches: boolean;
  readonly evidence: string | null;
}

export const UNANSWERED: AnswerVerdict = { answerable: false, matches: false, evidence: null };

/** What evaluations need of the dependencies of a digest. */
export type EvaluationDeps = Pick<DigestDeps, 'cache' | 'engine' | 'models'>;

export interface JudgingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether an unreadable answer of a language model is counted without credit instead of failing the evaluation. */
  readonly countsUnreadable?: boolean | undefined;
}

/**
 * The questions of the metrics. Each method is called once per evaluation with all items of its kind; verdicts come in
 * input order and depend neither on that order nor, among equals, on the order of the texts.
 */
export interface Judge {
  coverage(insights: readonly string[], bullets: readonly string[]): Promise<CoverageVerdict[]>;
  entailment(tasks: readonly EntailmentTask[]): Promise<EntailmentVerdict[]>;
  /** The key points of an answer. */
  keyPoints(answer: string): Promise<string[]>;
  kinds(sentences: readonly string[], request: ReportRequestText): Promise<SentenceKind[]>;
  /** For each sentence the places of the nuggets that it reports: an answer or, without answers, the absence. */
  reported(sentences: readonly string[], nuggets: readonly Nugget[]): Promise<number[][]>;
  answered(
    summary: string,
    questions: readonly Pick<SourceQuestion, 'question' | 'answer'>[],
  ): Promise<AnswerVerdict[]>;
  relevant(questions: readonly string[], intent: string): Promise<boolean[]>;
  record(): JudgeRecord;
  usage(): CallUsage & { readonly reusedVerdicts: number };
  warnings(): readonly string[];
  /** Number of unreadable verdicts without credit; absent for judges that have none. */
  unreadable?(): number;
}
