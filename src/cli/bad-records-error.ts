import type { RecordProblem } from '../evaluation/bulk/split-records.ts';
import { TesseraError } from '../tessera-error.ts';

/** Files on the command line hold records that are not as documented; the message names every one. */
export class BadRecordsError extends TesseraError {
  readonly code = 'bad-records';

  constructor(problems: readonly RecordProblem[]) {
    const lines = problems.map(
      ({ where, pointer, detail }) => `  ${where}: ${pointer === '' ? '' : `${pointer} `}${detail}`,
    );
    const places = new Set(problems.map(({ where }) => where)).size;
    super(`Nothing was scored, as ${places} ${places === 1 ? 'place is' : 'places are'} wrong:\n${lines.join('\n')}`);
  }
}
