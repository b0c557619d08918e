/** Choices and defaults without schemas, so that the page need not load the validators. */

/** Engines by name. */
export const ENGINES = ['embedded', 'llm'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Which documents are cited beside that of a key point. */
export const CITES = ['states', 'related'] as const;

export const PRESETS = ['default', 'published'] as const;
export type Preset = (typeof PRESETS)[number];

/** `auto`: a language model extracts what a model is to write of, unless it reads the documents whole. */
export const EXTRACTORS = ['auto', 'sentences', 'llm'] as const;
export type ExtractorName = (typeof EXTRACTORS)[number];

export const WRITERS = ['compose', 'llm'] as const;
export type WriterName = (typeof WRITERS)[number];

/** Verifiers: a language model as judge; literal quotes only; none, reported for every sentence. */
export const VERIFY_MODES = ['llm', 'rules', 'off'] as const;

/** The layouts of a summary. */
export const FORMATS = ['report', 'bullets', 'brief'] as const;
export type Format = (typeof FORMATS)[number];

/** Default word limits; bullets without a language model have none. */
export const DEFAULT_MAX_WORDS: Readonly<Record<Format, number>> = { report: 250, bullets: 250, brief: 120 };

/** Default max number of key points. */
export const DEFAULT_KEY_POINTS = 12;

/** In order. */
export const STAGES = ['extract', 'encode', 'rank', 'select', 'write'] as const;
export type Stage = (typeof STAGES)[number];

/** Stages that may call a language model. */
export const STAGE_NAMES = ['extract', 'select', 'write', 'judge'] as const;
export type StageName = (typeof STAGE_NAMES)[number];
