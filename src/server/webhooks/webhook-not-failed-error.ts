import { TesseraError } from '../../text/index.ts';

/** A webhook cannot be sent anew, because it was not given up. */
export class WebhookNotFailedError extends TesseraError {
  readonly code = 'webhook-not-failed';
  readonly id: string;

  constructor(id: string) {
    super('Only a webhook that could not be delivered can be retried; this one is waiting or was delivered.');
    this.id = id;
  }
}
