import { TesseraError } from '../../contract/tessera-error.ts';

/** A collection holds as many documents as it may. */
export class CollectionFullError extends TesseraError {
  readonly code = 'collection-full';
  /** Documents that it may hold. */
  readonly most: number;

  constructor(most: number) {
    super(`The collection holds ${most} documents, and no more fit in: delete some, or use another collection.`);
    this.most = most;
  }
}
