import { TesseraError } from '../../text/index.ts';

/** A case lacks what a retriever finds its documents by. */
export class NotRetrievableError extends TesseraError {
  readonly code = 'not-retrievable';
  /** Its id. */
  readonly benchmarkCase: string;

  constructor(benchmarkCase: string, problem: string) {
    super(`The case "${benchmarkCase}" ${problem}.`);
    this.benchmarkCase = benchmarkCase;
  }
}
