import { loadPrompts } from '../../src/models/index.node.ts';

/** The prompts that Tessera brings, read once for all tests of a worker. */
export const PROMPTS = loadPrompts();
