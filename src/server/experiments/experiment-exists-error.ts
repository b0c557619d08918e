import { TesseraError } from '../../text/index.ts';

/** There is an experiment with this key already. */
export class ExperimentExistsError extends TesseraError {
  readonly code = 'experiment-exists';
  override readonly pointer = '/key';
  readonly key: string;

  constructor(key: string) {
    super('An experiment with this key already exists.');
    this.key = key;
  }
}
