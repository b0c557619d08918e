import { TesseraError } from '../../text/index.ts';

/** A system asks for what this service does not have, or what a case does not tell. */
export class UnusableSystemError extends TesseraError {
  readonly code = 'unusable-system';
  /** Its name. */
  readonly system: string;
  /** Into the system, as a configuration says it. */
  override readonly pointer: string;

  constructor(system: string, pointer: string, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.system = system;
    this.pointer = pointer;
  }
}
