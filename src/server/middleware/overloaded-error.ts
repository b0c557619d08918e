import { TesseraError } from '../../text/index.ts';

/** More is asked than can be served in good time. */
export class OverloadedError extends TesseraError {
  readonly code = 'overloaded';
  /** What there is too much of, for who counts: callers who wait, or digests in the queue. */
  readonly reason: 'waiting' | 'queue';

  constructor(reason: 'waiting' | 'queue') {
    super('The service is overloaded; retry later.');
    this.reason = reason;
  }
}
