import { TesseraError } from '../../tessera-error.ts';
import type { Counts } from './haystack-options.ts';

/** What the model answered gave no haystack: no subtopic with enough insights, or no document. */
export class NoHaystackError extends TesseraError {
  readonly code = 'no-haystack';

  /** @param counts of the making: what came, and what was dropped and why */
  constructor(counts: Counts) {
    const told = Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`);
    super(
      `Nothing was made: no insight of the outline came into a document (${told.length === 0 ? 'nothing was answered' : told.join(', ')}). Say the topic in other words, ask another model, or for fewer --insights.`,
    );
  }
}
