import type { ExperimentState } from '../contract/index.ts';
import { TesseraError } from '../text/index.ts';

/** The resource does not exist, or belongs to another tenant. */
export abstract class NotFoundError extends TesseraError {
  readonly code = 'not-found';
}

export class DigestNotFoundError extends NotFoundError {
  constructor() {
    super('There is no digest with this id.');
  }
}

export class DigestDocumentNotFoundError extends NotFoundError {
  constructor(why: 'unknown' | 'gone') {
    super(
      why === 'gone'
        ? 'The text of this document is no longer stored.'
        : 'There is no document with this id in the digest.',
    );
  }
}

export class CollectionNotFoundError extends NotFoundError {
  constructor() {
    super('There is no collection with this id.');
  }
}

export class DocumentNotFoundError extends NotFoundError {
  constructor() {
    super('There is no document with this id in the collection.');
  }
}

export class ExperimentNotFoundError extends NotFoundError {
  constructor(version: number | null = null) {
    super(version === null ? 'There is no experiment with this key.' : 'There is no such version of the experiment.');
  }
}

export class WebhookNotFoundError extends NotFoundError {
  constructor() {
    super('There is no webhook with this id.');
  }
}

/** The state of the resource does not allow a valid request. */
export abstract class ConflictError extends TesseraError {}

export class DigestNotFailedError extends ConflictError {
  readonly code = 'digest-not-failed';

  constructor() {
    super('Only a digest whose work failed can be retried; this one is being made, has an answer, or was cancelled.');
  }
}

export class WebhookNotFailedError extends ConflictError {
  readonly code = 'webhook-not-failed';

  constructor() {
    super('Only a webhook that could not be delivered can be retried; this one is waiting or was delivered.');
  }
}

export class ExperimentExistsError extends ConflictError {
  readonly code = 'experiment-exists';
  override readonly pointer = '/key';

  constructor() {
    super('An experiment with this key already exists.');
  }
}

/** A field that subjects and outcomes depend on can only change in a new version after the start. */
export class ExperimentRunningError extends ConflictError {
  readonly code = 'experiment-running';
  override readonly pointer: string;

  constructor(field: string, state: 'running' | 'stopped') {
    super(
      `The experiment ${state === 'running' ? 'is running' : 'has run'}: its ${field} can only change in a new version ("newVersion": true).`,
    );
    this.pointer = `/${field}`;
  }
}

export class ExperimentStateError extends ConflictError {
  readonly code = 'experiment-state';
  readonly state: ExperimentState;

  constructor(state: ExperimentState, message: string) {
    super(message);
    this.state = state;
  }
}

/** Another running experiment overlaps in the layer, so some subjects would take part in both. */
export class LayerTakenError extends ConflictError {
  readonly code = 'layer-taken';
  override readonly pointer = '/layer';

  constructor(other: string) {
    super(`The experiment "${other}" runs in this part of the layer.`);
  }
}

export interface PointedProblem {
  readonly pointer: string;
  readonly detail: string;
}

export class InvalidExperimentError extends TesseraError {
  readonly code = 'invalid-experiment';
  override readonly pointer: string;
  /** All problems; `pointer` and message describe the first. */
  readonly problems: readonly PointedProblem[];

  constructor(problems: readonly [PointedProblem, ...PointedProblem[]]) {
    super(problems[0].detail);
    this.pointer = problems[0].pointer;
    this.problems = problems;
  }
}

/** Rethrows any error without a pointer. */
export function pointedProblem(error: unknown): PointedProblem {
  if (!(error instanceof TesseraError) || error.pointer === null) throw error;
  return { pointer: error.pointer, detail: error.message };
}

export class CollectionFullError extends TesseraError {
  readonly code = 'collection-full';

  constructor(most: number) {
    super(`The collection holds ${most} documents, and no more fit in: delete some, or use another collection.`);
  }
}

export class TooManyDigestsError extends TesseraError {
  readonly code = 'too-many-digests';

  constructor(most: number) {
    super(`${most} digests are under way, which is as many as may be: wait until one has ended, or cancel one.`);
  }
}

export class TooManyStreamsError extends TesseraError {
  readonly code = 'too-many-streams';

  constructor(most: number) {
    super(`At most ${most} event streams may be open at once: close one, or poll the digest instead.`);
  }
}

export class OverloadedError extends TesseraError {
  readonly code = 'overloaded';
  readonly reason: 'waiting' | 'queue' | 'bodies';

  constructor(reason: OverloadedError['reason']) {
    super('The service is overloaded; retry later.');
    this.reason = reason;
  }
}

export class CallerGoneError extends TesseraError {
  readonly code = 'caller-gone';

  constructor(cause: unknown) {
    super('The caller has closed the connection.', { cause });
  }
}

/** The reader of a stream stalled; it can resume after its last event. */
export class StalledReaderError extends TesseraError {
  readonly code = 'stalled-reader';

  constructor() {
    super('The reader of the stream takes nothing.');
  }
}

export class TargetRefusedError extends TesseraError {
  readonly code = 'target-refused';
}

export class LateAnswerError extends TesseraError {
  readonly code = 'timeout';
}

export class NoAnswerError extends TesseraError {
  readonly code = 'no-answer';
}

export class ConfigurationError extends TesseraError {
  readonly code = 'configuration';
}
