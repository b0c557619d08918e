import { NotFoundError } from '../stored/not-found-error.ts';

/** A collection has no document with this id. */
export class DocumentNotFoundError extends NotFoundError {
  readonly collection: string;
  readonly id: string;

  constructor(collection: string, id: string) {
    super('There is no document with this id in the collection.');
    this.collection = collection;
    this.id = id;
  }
}
