import type { ModelDeps } from '../../src/digest/index.ts';

/** Without a language model: everything by the embedded engine. */
export const NO_MODELS: ModelDeps = { model: null, prompts: new Map(), extractor: 'sentences', writer: 'compose' };
