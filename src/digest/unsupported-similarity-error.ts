import { TesseraError } from '../tessera-error.ts';

/** `bertscore` compares token vectors, and the encoder has none. */
export class UnsupportedSimilarityError extends TesseraError {
  readonly code = 'unsupported-similarity';
  /** JSON pointer into the request. */
  readonly pointer = '/selection/kernel/similarity';

  constructor() {
    super('"bertscore" needs an encoder with token vectors; ask for "cosine" or another encoder.');
  }
}
