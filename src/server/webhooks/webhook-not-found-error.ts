import { NotFoundError } from '../stored/not-found-error.ts';

/** There is no webhook with this id. */
export class WebhookNotFoundError extends NotFoundError {
  readonly id: string;

  constructor(id: string) {
    super('There is no webhook with this id.');
    this.id = id;
  }
}
