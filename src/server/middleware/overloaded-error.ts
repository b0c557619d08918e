import { TesseraError } from '../../text/index.ts';

/** More is asked than can be served in good time. */
export class OverloadedError extends TesseraError {
  readonly code = 'overloaded';
  /** What there is too much of, for who counts: callers who wait, digests in the queue, or bytes of bodies. */
  readonly reason: 'waiting' | 'queue' | 'bodies';

  constructor(reason: OverloadedError['reason']) {
    super('The service is overloaded; retry later.');
    this.reason = reason;
  }
}
