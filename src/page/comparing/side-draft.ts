import type { DigestOptions } from '../digest-options.ts';
import type { IntentInput } from './intent-text.ts';

/** How one side is to be made. */
export interface SideDraft {
  readonly intent: IntentInput;
  readonly options: DigestOptions;
}
