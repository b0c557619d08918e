import { TesseraError } from '../../text/index.ts';
import type { RecordProblem } from '../bulk/split-records.ts';

/** Problems that are listed; the rest are counted. */
const MAX = 40;

/** Files on the command line hold records that are not as documented; the message lists the first of them. */
export class BadRecordsError extends TesseraError {
  readonly code = 'bad-records';

  /** @param undone what was not done for their sake */
  constructor(problems: readonly RecordProblem[], undone = 'scored') {
    const lines = problems
      .slice(0, MAX)
      .map(({ where, pointer, detail }) => `  ${where}: ${pointer === '' ? '' : `${pointer} `}${detail}`);
    if (problems.length > MAX) lines.push(`  and ${problems.length - MAX} more`);
    const places = new Set(problems.map(({ where }) => where)).size;
    super(
      `Nothing was ${undone}, as ${places} ${places === 1 ? 'place is' : 'places are'} wrong:\n${lines.join('\n')}`,
    );
  }
}
