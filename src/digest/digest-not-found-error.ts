import { TesseraError } from '../tessera-error.ts';

/** There is no digest with this id. */
export class DigestNotFoundError extends TesseraError {
  readonly code = 'digest-not-found';
  readonly id: string;

  constructor(id: string) {
    super('There is no digest with this id.');
    this.id = id;
  }
}
