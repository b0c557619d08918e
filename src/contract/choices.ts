/**
 * What requests choose among, and what holds where they choose nothing. Lists and numbers without a schema, so that the page reads
 * them without carrying what checks requests.
 */

export const PRESETS = ['default', 'published'] as const;
export type Preset = (typeof PRESETS)[number];

export const EXTRACTORS = ['sentences', 'llm'] as const;
export type ExtractorName = (typeof EXTRACTORS)[number];

export const WRITERS = ['compose', 'llm'] as const;
export type WriterName = (typeof WRITERS)[number];

/**
 * What verifies beside the entailment models of an engine: a language model as judge; no call, so that only the quotes' own wording
 * stands; not at all, which the answer says of every sentence.
 */
export const VERIFY_MODES = ['llm', 'rules', 'off'] as const;

/** The layouts of a summary. */
export const FORMATS = ['report', 'bullets', 'brief'] as const;
export type Format = (typeof FORMATS)[number];

/** Words of a summary where the request sets no bound of its own; bullets that no language model writes have none then. */
export const DEFAULT_MAX_WORDS: Readonly<Record<Format, number>> = { report: 250, bullets: 250, brief: 120 };

/** Key points that are selected at most where the request names no size. */
export const DEFAULT_KEY_POINTS = 12;

/** The stages of a digest, in their order. */
export const STAGES = ['extract', 'encode', 'rank', 'select', 'write'] as const;
export type Stage = (typeof STAGES)[number];

/** The stages that may ask a language model. */
export const STAGE_NAMES = ['extract', 'select', 'write', 'judge'] as const;
export type StageName = (typeof STAGE_NAMES)[number];
