import { NotFoundError } from '../stored/not-found-error.ts';

/** There is no experiment with this key, or no such version of it. */
export class ExperimentNotFoundError extends NotFoundError {
  readonly key: string;
  readonly version: number | null;

  constructor(key: string, version: number | null = null) {
    super(version === null ? 'There is no experiment with this key.' : 'There is no such version of the experiment.');
    this.key = key;
    this.version = version;
  }
}
