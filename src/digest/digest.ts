import type { Quote, Summary } from '../summary/summary.ts';
import type { SelectionAnswer } from './selection-answer.ts';

export type DigestStatus = 'completed' | 'partial' | 'failed';

/** Why a key point was not selected. */
export const REASONS = ['gate', 'supports', 'rank', 'size', 'words', 'notDrawn'] as const;
export type Reason = (typeof REASONS)[number];

/** A key point with its receipt: what it is, where it stands, and why it was selected or not. */
export interface DigestKeyPoint {
  /** Hash of document id, start, end and extractor. */
  readonly id: string;
  readonly document: string;
  readonly text: string;
  readonly speaker: string | null;
  readonly quote: Quote & { readonly status: 'exact' };
  readonly relevance: number;
  /** Distinct other documents that say the same; null for points that the gate dropped, and where no option asks for it. */
  readonly salience: number | null;
  readonly selected: boolean;
  readonly rank: number | null;
  /** What it added when picked, or would have added after the last pick; null where it could add nothing or a set was chosen. */
  readonly gain: number | null;
  /** The selected point that it corroborates. */
  readonly supports: string | null;
  readonly nearest: { readonly id: string; readonly similarity: number } | null;
  /** P(selected) by an exact draw of random size; null where the kernel as a whole was not looked at. */
  readonly marginal: number | null;
  readonly reason: Reason | null;
}

export interface DigestDocument {
  readonly id: string;
  readonly status: 'ok' | 'failed' | 'empty' | 'excluded';
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

export interface DigestUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly requests: number;
  readonly cost: number;
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
  readonly documents: readonly DigestDocument[];
  readonly selection: SelectionAnswer;
  readonly engine: {
    readonly extractor: string;
    readonly encoder: string;
    readonly relevanceEncoder: string;
    readonly matrix: string;
    readonly writer: string;
  };
  readonly prompts: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  readonly metrics: DigestMetrics;
  readonly usage: DigestUsage;
  readonly timings: DigestTimings;
  readonly offsetUnit: 'utf16';
}
