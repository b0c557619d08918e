import { NotFoundError } from '../stored/not-found-error.ts';

/** There is no collection with this id. */
export class CollectionNotFoundError extends NotFoundError {
  readonly id: string;

  constructor(id: string) {
    super('There is no collection with this id.');
    this.id = id;
  }
}
