import type { IntentInput } from './intent-text.ts';
import type { DigestOptions } from './option-leaves.ts';

/** How one side is to be made. */
export interface SideDraft {
  readonly intent: IntentInput;
  readonly options: DigestOptions;
}
