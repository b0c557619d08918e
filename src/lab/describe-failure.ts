import { TesseraError } from '../text/index.ts';

/** What a person is told of a failure: what is wrong, and where in a record. */
export function describeFailure(failure: unknown): string {
  if (failure instanceof TesseraError)
    return `${failure.pointer === null ? '' : `${failure.pointer} `}${failure.message}`;
  return failure instanceof Error ? failure.message : String(failure);
}
