import type { CallUsage } from '../models/index.ts';
import type { StageRecord } from './model-stages.ts';

/** How far a bullet covers an insight, as SummHay counts it. */
export type CoverageLevel = 0 | 50 | 100;

export interface InsightAnswer {
  readonly id: string;
  readonly coverage: CoverageLevel;
  /** 0 to 1; graded by the embedded judge, the level of a language model. */
  readonly score: number;
  /** Place of the best match, from 0, also where it does not cover the insight; null without bullets. */
  readonly bullet: number | null;
  /** Of the markers of that bullet, 0 to 100; null without documents, or where the insight is not covered. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** All shares in 0 to 100. */
export interface SummHayAnswer {
  readonly coverage: number;
  /** Mean F1 of the covered insights; null without documents, 0 where nothing is covered. */
  readonly citation: number | null;
  /** Mean of coverage times F1 over the insights with documents. */
  readonly joint: number | null;
  readonly insights: readonly InsightAnswer[];
  readonly bullets: number;
  /** Null without bullets. */
  readonly wordsPerBullet: number | null;
  /** The bullets as they were judged, without markers. */
  readonly bulletTexts: readonly string[];
}

/** Whether a text entails a claim, and where. */
export interface EntailmentAnswer {
  readonly entailed: boolean;
  readonly score: number;
  /** What of the text decides, as it stands there; null where nothing does. */
  readonly evidence: string | null;
}

/** All shares in 0 to 100. */
export interface KeyPointRecallAnswer {
  readonly recall: number;
  /** Share of the answer's own key points that the documents hold; null without documents, or such points. */
  readonly precision: number | null;
  /** Harmonic mean of the two of this question; 0 where nothing is recalled, null without documents. */
  readonly f1: number | null;
  readonly keyPoints: readonly EntailmentAnswer[];
  readonly answerKeyPoints: readonly {
    readonly text: string;
    readonly present: boolean | null;
    readonly evidence: string | null;
  }[];
}

/** What became of a sentence of a report (Mayfield et al. 2024, section 4). */
export type SentenceOutcome = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface ArgueSentenceAnswer {
  /** As it was judged, without markers. */
  readonly text: string;
  readonly outcome: SentenceOutcome;
  /** Ids of the nuggets that it reports, whether or not what it cites attests the answer. */
  readonly nuggets: readonly string[];
  /** Per citation, in order: whether the document supports the sentence; false for documents that are not there. */
  readonly citations: readonly {
    readonly document: string;
    readonly supported: boolean;
    readonly evidence: string | null;
  }[];
}

/** All shares in 0 to 100. */
export interface ArgueAnswer {
  /** Rewarded sentences of those not left out; null where all are. */
  readonly precision: number | null;
  /** Nuggets reported, by weight; null without nuggets. */
  readonly recall: number | null;
  /** The same of the vital nuggets; null without such. */
  readonly vitalRecall: number | null;
  readonly f1: number | null;
  /** Citations that support their sentences; null without citations. */
  readonly citationSupport: number | null;
  readonly sentences: readonly ArgueSentenceAnswer[];
  readonly nuggets: readonly {
    readonly id: string;
    readonly reported: boolean;
    /** Places of the sentences that earn it. */
    readonly sentences: readonly number[];
  }[];
}

export interface QuestionAnswer {
  readonly answerable: boolean;
  readonly matches: boolean;
  /** Both. */
  readonly covered: boolean;
  /** To the intent; null without one. */
  readonly relevant: boolean | null;
  readonly evidence: string | null;
}

/** All shares in 0 to 100. */
export interface SourceCoverageAnswer {
  readonly coverage: number;
  /** Over the questions relevant to the intent; null without an intent or such questions. */
  readonly relevantCoverage: number | null;
  readonly questions: readonly QuestionAnswer[];
  /** Position from 0; coverage null for a document without questions. */
  readonly documents: readonly { readonly id: string; readonly position: number; readonly coverage: number | null }[];
}

/** What judged, so that a score can be made again. */
export interface JudgeRecord {
  readonly name: 'embedded' | 'llm';
  /** Encoder of the embedded judge. */
  readonly encoder: string | null;
  /** Version of the rules and thresholds. */
  readonly version: string;
  /** Settings of the language model. */
  readonly model: StageRecord | null;
  /** Hashes of the prompts used, by id. */
  readonly prompts: Readonly<Record<string, string>>;
}

export interface Judged {
  readonly judge: JudgeRecord;
  readonly usage: CallUsage & { readonly reusedVerdicts: number };
  readonly warnings: readonly string[];
}

export type EvaluationAnswer =
  | ({ readonly metric: 'summhay' } & SummHayAnswer & Judged)
  | ({ readonly metric: 'key-point-recall' } & KeyPointRecallAnswer & Judged)
  | ({ readonly metric: 'argue' } & ArgueAnswer & Judged)
  | ({ readonly metric: 'source-coverage' } & SourceCoverageAnswer & Judged);
