import { TesseraError } from '../../text/index.ts';

/** A field that subjects and outcomes depend on cannot change once an experiment has begun, but in a new version. */
export class ExperimentRunningError extends TesseraError {
  readonly code = 'experiment-running';
  override readonly pointer: string;
  readonly key: string;

  constructor(key: string, field: string, state: 'running' | 'stopped') {
    super(
      `The experiment ${state === 'running' ? 'is running' : 'has run'}: its ${field} can only change in a new version ("newVersion": true).`,
    );
    this.key = key;
    this.pointer = `/${field}`;
  }
}
