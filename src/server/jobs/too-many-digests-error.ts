import { TesseraError } from '../../text/index.ts';

/** A tenant has as many digests under way as it may. */
export class TooManyDigestsError extends TesseraError {
  readonly code = 'too-many-digests';
  readonly most: number;

  constructor(most: number) {
    super(`${most} digests are under way, which is as many as may be: wait until one has ended, or cancel one.`);
    this.most = most;
  }
}
