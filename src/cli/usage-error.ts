import { TesseraError } from '../tessera-error.ts';

/** A command line that says what cannot be done; how to call comes with it. */
export class UsageError extends TesseraError {
  readonly code = 'usage';
  /** How to call what was called; null for how to call anything. */
  readonly usage: string | null;

  constructor(message: string, options: { readonly cause?: unknown; readonly usage?: string | null } = {}) {
    super(message, options);
    this.usage = options.usage ?? null;
  }
}
