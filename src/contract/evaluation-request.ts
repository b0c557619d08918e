import type { SourceDocument } from '../text/index.ts';
import type { StageRequest } from './model-stages.ts';

export const METRICS = ['summhay', 'key-point-recall', 'argue', 'source-coverage'] as const;
export type Metric = (typeof METRICS)[number];

export const JUDGES = ['embedded', 'llm'] as const;
export type JudgeName = (typeof JUDGES)[number];

/** What judges: the embedded judge (by default) with an encoder of the service, or a language model. */
export interface JudgeRequest {
  readonly judge?: JudgeName | undefined;
  readonly engine?:
    | {
        readonly encoder?: string | undefined;
        readonly model?: string | undefined;
        readonly stages?: { readonly judge?: StageRequest | undefined } | undefined;
      }
    | undefined;
}

/** What a summary should tell. */
export interface Insight {
  readonly id: string;
  readonly text: string;
  /** Ids of the documents that tell it; without them citations are not scored. */
  readonly documents?: readonly string[] | undefined;
}

/** A bullet whose sources are known otherwise than by markers; its text is taken as it stands. */
export interface CitedBullet {
  readonly text: string;
  /** Ids of the documents that it cites. */
  readonly documents: readonly string[];
}

/** SummHay (Laban et al. 2024). */
export interface SummHayRequest extends JudgeRequest {
  readonly metric: 'summhay';
  /** Each with its markers, "… [1, 2][3]", or with what it cites beside it. */
  readonly bullets: readonly (string | CitedBullet)[];
  readonly insights: readonly Insight[];
  /** Ids of all documents there are, so that markers of others are told; absent where that is not known. */
  readonly documents?: readonly string[] | undefined;
}

/** Key point recall (Qi et al. 2024). */
export interface KeyPointRecallRequest extends JudgeRequest {
  readonly metric: 'key-point-recall';
  readonly answer: string;
  readonly keyPoints: readonly string[];
  /** Texts that the answer should rest on; without them precision is null. */
  readonly documents?: readonly string[] | undefined;
}

export interface ReportSentence {
  readonly text: string;
  /** Ids of the documents that it cites. */
  readonly citations: readonly string[];
}

/** `vital` nuggets must be in a good report, `okay` ones may be: the terms of the TREC tracks. */
export const IMPORTANCES = ['vital', 'okay'] as const;

/**
 * A question that a report should answer, with its answers; none where the report should say that nothing is known. An answer
 * counts where a document that attests it is cited; one that lists no documents, whatever supports the sentence.
 */
export interface Nugget {
  readonly id: string;
  readonly question: string;
  /** `vital` by default. */
  readonly importance?: (typeof IMPORTANCES)[number] | undefined;
  /** By default 1 for a vital nugget and 0.5 for an okay one. */
  readonly weight?: number | undefined;
  readonly answers?:
    | readonly { readonly text: string; readonly documents?: readonly string[] | undefined }[]
    | undefined;
}

/** What the report was asked for. */
export interface ReportRequestText {
  readonly problem?: string | undefined;
  readonly userStory?: string | undefined;
  readonly background?: string | undefined;
}

export interface ArgueOptions {
  /** Whether citation support is averaged over all citations (`micro`, the default) or over sentences (`macro`). */
  readonly average?: 'micro' | 'macro' | undefined;
  /** Whether all cited documents must support a sentence (the default), or one. */
  readonly citations?: 'all' | 'one' | undefined;
  /** Whether a nugget counts by its weight. True by default. */
  readonly weights?: boolean | undefined;
}

/** ARGUE (Mayfield et al. 2024). */
export interface ArgueRequest extends JudgeRequest {
  readonly metric: 'argue';
  readonly request?: ReportRequestText | undefined;
  readonly report: { readonly sentences: readonly ReportSentence[] };
  readonly nuggets: readonly Nugget[];
  readonly documents: readonly Pick<SourceDocument, 'id' | 'text'>[];
  readonly options?: ArgueOptions | undefined;
}

export interface SourceQuestion {
  readonly question: string;
  readonly answer: string;
  /** Id of the document that it was made from. */
  readonly document: string;
}

/** Source coverage (Padmakumar et al. 2025; Huang et al. 2024). */
export interface SourceCoverageRequest extends JudgeRequest {
  readonly metric: 'source-coverage';
  readonly summary: string;
  /** Ids of the documents, in the order in which the model was given them. */
  readonly documents: readonly string[];
  readonly questions: readonly SourceQuestion[];
  readonly intent?: string | undefined;
}

/** A request whose digest, where it named one, has been read. */
export type EvaluationRequest = SummHayRequest | KeyPointRecallRequest | ArgueRequest | SourceCoverageRequest;
