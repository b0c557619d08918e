import type { CallUsage, ModelSettings } from '../models/index.ts';
import type { FoundQuote } from '../text/index.ts';
import type { ExperimentPart, StageName } from './digest-request.ts';
import type { SelectionAnswer } from './selection-answer.ts';
import type { Quote, Summary, Verification, WritingReport } from './summary.ts';

export type DigestStatus = 'completed' | 'partial' | 'failed';

/** Why a key point was not selected. */
export const REASONS = [
  'gate',
  'supports',
  'rank',
  'level',
  'size',
  'words',
  'notDrawn',
  'unverified',
  'known',
  'wording',
] as const;
export type Reason = (typeof REASONS)[number];

/** What a model gave as a quote, and the document does not hold. */
export interface UnverifiedQuote {
  readonly text: string;
  readonly start: null;
  readonly end: null;
  readonly status: 'unverified';
}

/** A key point with its receipt: what it is, where it stands, and why it was selected or not. */
export interface DigestKeyPoint {
  /** Hash of document id, start, end and extractor. */
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly speaker: string | null;
  readonly quote: PointQuote | UnverifiedQuote;
  /** Further quotes of the same document that state it. */
  readonly moreQuotes: readonly PointQuote[];
  /** How its text was held against its quotes: not, where a model worded it and nothing in the digest rests on that; absent in digests made before. */
  readonly verification?: Verification | undefined;
  /** Null where the document does not hold the quote: nothing is made of such a point. */
  readonly relevance: number | null;
  /** The probability that it helps to answer; null without an intent, and where relevance is no estimate of a calibrated encoder, absent in digests made before. */
  readonly probability?: number | null | undefined;
  /** What relevance is multiplied with: its document's weight times how well it stands alone; absent from some stored digests, which count as 1. */
  readonly quality?: number | null | undefined;
  /** Distinct other documents that say the same; null for points that the gate dropped, and where no option asks for it. */
  readonly salience: number | null;
  readonly selected: boolean;
  readonly rank: number | null;
  /** What it added when picked, or would have added after the last pick; null where it could add nothing or a set was chosen. */
  readonly gain: number | null;
  /** The selected point that it corroborates. */
  readonly supports: string | null;
  /** Ids of key points near a selected one that do not state it, most similar first; empty for the others, absent in digests made before. */
  readonly related?: readonly string[] | undefined;
  readonly nearest: { readonly id: string; readonly similarity: number } | null;
  /** P(selected) by an exact draw of random size; null where the kernel as a whole was not looked at. */
  readonly marginal: number | null;
  readonly reason: Reason | null;
}

export interface DigestDocument {
  readonly id: string;
  readonly status: 'ok' | 'failed' | 'empty' | 'excluded';
  /** Why it was not read: published outside the window, or read for an earlier digest; null where it was. */
  readonly excluded: 'date' | 'known' | null;
  readonly keyPoints: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface DigestMetrics {
  /** Share of the documents read that hold a selected key point. */
  readonly documentCoverage: number;
  /** Share of the documents read that are cited at all. */
  readonly citedDocuments: number;
  /** Mean over the selected points of the largest similarity to another selected one; null with fewer than two. */
  readonly redundancy: number | null;
  /** Mean relevance of the selected points; null without an intent or a selection. */
  readonly relevance: number | null;
  /** Words of the summary for each word of the documents read. */
  readonly compression: number;
  readonly words: number;
  readonly wordsPerSentence: number;
}

export interface DigestUsage extends CallUsage {
  /** Of the stages that asked a language model, and of encoders behind endpoints. */
  readonly stages: Readonly<Partial<Record<StageName | 'encode', CallUsage>>>;
  readonly reusedExtractions: number;
  readonly reusedEncodings: number;
}

/** Milliseconds per stage. */
export type DigestTimings = Readonly<Record<Stage, number>>;
export const STAGES = ['extract', 'encode', 'rank', 'select', 'write'] as const;
export type Stage = (typeof STAGES)[number];

/** The answer to a request for a digest. */
export interface Digest {
  readonly id: string;
  readonly status: DigestStatus;
  readonly summary: Pick<Summary, 'text' | 'sentences'>;
  readonly sources: Summary['sources'];
  readonly keyPoints: readonly DigestKeyPoint[];
  /** Whether what was asked is answered; null without an intent, absent in digests made before. */
  readonly intent?:
    | {
        readonly answered: 'yes' | 'partly' | 'no';
        readonly facets: readonly { readonly text: string; readonly answered: boolean }[];
        /** Ids of the points that come nearest, where nothing answers. */
        readonly nearest: readonly string[];
      }
    | null
    | undefined;
  readonly documents: readonly DigestDocument[];
  readonly selection: SelectionAnswer;
  readonly engine: {
    readonly extractor: string;
    readonly encoder: string;
    readonly relevanceEncoder: string;
    readonly matrix: string;
    /** What wrote the summary: `compose`, also where a language model was asked and failed. */
    readonly writer: string;
    /**
     * What held the wording of a language model against the quotes: `llm`, `rules`, `off` or the id of an entailment model; null
     * where none worded anything, absent in digests made before.
     */
    readonly verifier?: string | null | undefined;
    /** Settings of the stages that asked a language model. */
    readonly models: Readonly<Partial<Record<StageName, StageRecord>>>;
  };
  /** Hashes of the prompts used, by id. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly metrics: DigestMetrics;
  /** What became of the sentences that a language model wrote; null where none did. */
  readonly writing: WritingReport | null;
  readonly usage: DigestUsage;
  readonly timings: DigestTimings;
  readonly offsetUnit: 'utf16';
  /** The experiment that it is part of; null where the request names none. */
  readonly experiment: Omit<ExperimentPart, 'subject'> | null;
}

/** A quote with how it was found. */
export type PointQuote = Quote & Pick<FoundQuote, 'status'>;

/** A stage as the answer records it. */
export interface StageRecord extends ModelSettings {
  readonly prompt: string;
}
