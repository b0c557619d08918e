import { NotFoundError } from './not-found-error.ts';

/** There is no digest with this id. */
export class DigestNotFoundError extends NotFoundError {
  readonly id: string;

  constructor(id: string) {
    super('There is no digest with this id.');
    this.id = id;
  }
}
