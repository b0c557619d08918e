import type { OwnRequests, Size, StrategyName } from '../selection/index.ts';
import type { SourceDocument } from '../text/index.ts';
import type { Format } from './summary.ts';

/** What the reader wants to know, when a plain sentence is not enough. */
export interface ReportRequest {
  readonly problem: string;
  readonly userStory?: string | undefined;
  /** What the reader knows already. */
  readonly background?: string | undefined;
  /** ISO 8601; documents published before are left out. */
  readonly publishedAfter?: string | undefined;
  /** ISO 8601; documents published after are left out. */
  readonly publishedBefore?: string | undefined;
}

export const PRESETS = ['default', 'published'] as const;
export type Preset = (typeof PRESETS)[number];

/** Selection options as a request gives them: whatever is absent takes its default. */
export interface SelectionRequest extends OwnRequests {
  readonly preset?: Preset | undefined;
  readonly strategy?: StrategyName | undefined;
  readonly size?: Size | undefined;
  readonly seed?: number | undefined;
  readonly kernel?:
    | {
        readonly similarity?: 'bertscore' | 'cosine' | undefined;
        readonly form?: 'gaussian' | 'linear' | undefined;
        readonly sigma?: number | 'median' | undefined;
        readonly idf?: number | undefined;
      }
    | undefined;
  readonly relevance?:
    | {
        readonly form?: 'exponential' | 'score' | undefined;
        readonly weight?: number | undefined;
        readonly gate?: number | null | undefined;
        readonly surroundings?: number | undefined;
        readonly facets?: boolean | 'llm' | undefined;
        readonly estimate?: boolean | undefined;
        readonly encoder?: string | null | undefined;
      }
    | undefined;
  readonly salience?: { readonly weight?: number | undefined; readonly threshold?: number | undefined } | undefined;
  readonly coverage?:
    | {
        readonly weight?: number | undefined;
        readonly threshold?: number | { readonly percentile: number } | undefined;
      }
    | undefined;
  readonly sources?: { readonly weight?: number | undefined } | undefined;
  readonly support?: { readonly threshold?: number | null | undefined } | undefined;
  readonly background?: { readonly weight?: number | undefined } | undefined;
  readonly refine?: boolean | undefined;
}

/** A document of a request; its hash where it is known already. */
export interface RequestDocument extends SourceDocument {
  /** Content hash of its text. */
  readonly hash?: string | undefined;
}

/** What an earlier digest, and those that it went on from, told the reader and read. */
export interface EarlierReading {
  /** Id of the digest. */
  readonly digest: string;
  readonly points: readonly { readonly text: string; readonly speaker?: string | undefined }[];
  /** Content hashes of the documents that were read. */
  readonly documents: readonly string[];
}

/** What an experiment made of a request. */
export interface ExperimentPart {
  readonly key: string;
  readonly version: number;
  /** Null where the subject takes no part. */
  readonly variant: string | null;
  /** Whether the request set what variants set, or cannot be served with all of them: its subject is outside the analysis. */
  readonly overridden: boolean;
  readonly subject: string;
}

/** A request for a digest, checked, with everything that it refers to. */
export interface DigestRequest {
  readonly documents: readonly RequestDocument[];
  readonly intent?: string | ReportRequest | undefined;
  readonly selection?: SelectionRequest | undefined;
  readonly summary?:
    | { readonly format?: Format | undefined; readonly maxWords?: number | null | undefined }
    | undefined;
  readonly engine?: EngineRequest | undefined;
  /** What the reader knows from an earlier digest: the request asks what is new since. */
  readonly earlier?: EarlierReading | undefined;
  /** The experiment that it is part of; the options of its variant are among those above. */
  readonly experiment?: ExperimentPart | undefined;
}

/** The stages that may ask a language model. */
export const STAGE_NAMES = ['extract', 'select', 'write', 'judge'] as const;
export type StageName = (typeof STAGE_NAMES)[number];

/** How a stage asks its model. */
export interface StageRequest {
  readonly model?: string | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  /** Id of a prompt of `prompts/`. */
  readonly prompt?: string | undefined;
}

/** What does the work. */
export interface EngineRequest {
  readonly extractor?: ExtractorName | undefined;
  readonly encoder?: string | undefined;
  readonly writer?: WriterName | undefined;
  /** Who holds what a language model worded against the quotes: one of `VERIFY_MODES`, or an entailment model by its name. */
  readonly verify?: string | undefined;
  /** Language model of all stages that name none of their own. */
  readonly model?: string | undefined;
  readonly stages?: Readonly<Partial<Record<StageName, StageRequest | undefined>>> | undefined;
  readonly extraction?: ExtractionRequest | undefined;
}

/** Options of the extractor `llm`. */
export interface ExtractionRequest {
  /** Most rounds over each part of a document: the first, and those that ask for what was missed. */
  readonly rounds?: number | undefined;
  /** Whether only what helps to answer the intent is extracted; such extractions serve that intent alone. */
  readonly conditioned?: boolean | undefined;
}

export const EXTRACTORS = ['sentences', 'llm'] as const;

export type ExtractorName = (typeof EXTRACTORS)[number];

export const WRITERS = ['compose', 'llm'] as const;

export type WriterName = (typeof WRITERS)[number];

/**
 * What verifies beside the entailment models of an engine: a language model as judge; no call, so that only the quotes' own wording
 * stands; not at all, which the answer says of every sentence.
 */
export const VERIFY_MODES = ['llm', 'rules', 'off'] as const;
