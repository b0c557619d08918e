import { TesseraError } from '../tessera-error.ts';

/** More is asked than can be served in good time. */
export class OverloadedError extends TesseraError {
  readonly code = 'overloaded';

  constructor() {
    super('More is asked than can be served in good time; ask again later.');
  }
}
