import { TesseraError } from '../text/index.ts';

export class UsageError extends TesseraError {
  readonly code = 'usage';
}
