import { TesseraError } from '../../text/index.ts';

/** Something wrong, and where: a JSON pointer. */
export interface PointedProblem {
  readonly pointer: string;
  readonly detail: string;
}

/** An experiment cannot be as it was asked for. */
export class InvalidExperimentError extends TesseraError {
  readonly code = 'invalid-experiment';
  override readonly pointer: string;
  /** Everything that is wrong; `pointer` and the message tell of the first. */
  readonly problems: readonly PointedProblem[];

  constructor(problems: readonly [PointedProblem, ...PointedProblem[]]) {
    super(problems[0].detail);
    this.pointer = problems[0].pointer;
    this.problems = problems;
  }
}

/** What an error says is wrong where it points at something; throws any other. */
export function pointedProblem(error: unknown): PointedProblem {
  if (!(error instanceof TesseraError) || error.pointer === null) throw error;
  return { pointer: error.pointer, detail: error.message };
}
