import type { ExperimentState } from '../../contract/index.ts';
import { TesseraError } from '../../text/index.ts';

/** What was asked for cannot be done in the state that the experiment is in. */
export class ExperimentStateError extends TesseraError {
  readonly code = 'experiment-state';
  readonly key: string;
  readonly state: ExperimentState;

  constructor(key: string, state: ExperimentState, message: string) {
    super(message);
    this.key = key;
    this.state = state;
  }
}
