import { type Progress, STAGES, type Stage } from '../contract/index.ts';
import { printUsage, type Run, type RunProgress } from '../lab/index.ts';

export type ProgressStream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

export const INTERRUPTED = 130;

export function stopped(stderr: ProgressStream, kept: string, restart = false): number {
  stderr.write(`Stopped. ${howToGoOn(kept, restart)}\n`);
  return INTERRUPTED;
}

/** @param restart whether the command was told to ignore what is kept */
export function howToGoOn(kept: string, restart: boolean): string {
  return `What is ${kept} is kept: the same command${restart ? ' without --restart' : ''} goes on from there.`;
}

/** A line of a terminal that is written over; null elsewhere. */
function changingLine(stream: ProgressStream): { show(line: string): void; end(last: string): void } | null {
  if (!stream.isTTY) return null;
  let shown = '';
  return {
    show(line) {
      stream.write(`\r${line}\u001b[K`);
      shown = line;
    },
    end(last) {
      if (shown !== '') stream.write(last);
      shown = '';
    },
  };
}

const LINES = 10;

/** Counts progress in one changing line of a terminal, or in about ten lines elsewhere. */
export function countingLine(stream: ProgressStream, doing: string) {
  const changing = changingLine(stream);
  let told = -1;
  return {
    notify(done: number, total: number, note: string): void {
      const line = `${doing} ${done}/${total}${note === '' ? '' : `, ${note}`}`;
      const step = total === 0 ? LINES : Math.floor((LINES * done) / total);
      if (changing === null && step !== told) stream.write(`${line}\n`);
      told = step;
      changing?.show(line);
    },
    end: (): void => changing?.end('\n'),
  };
}

/** Shows the progress of a run and, unless it was stopped, its duration and usage. */
export async function withProgress<Ran extends Pick<Run<unknown, unknown>, 'isStopped' | 'spent'>>(
  doing: string,
  stderr: ProgressStream,
  run: (onProgress: (progress: RunProgress) => void) => Promise<Ran>,
): Promise<Ran> {
  const line = countingLine(stderr, doing);
  const began = performance.now();
  const ran = await run(({ done, total, known, failed }) => {
    const notes = [known > 0 && `${known} known from before`, failed > 0 && `${failed} failed`];
    line.notify(done, total, notes.filter((note) => note !== false).join(', '));
  });
  line.end();
  const took = [`${((performance.now() - began) / 1000).toFixed(1)} s`, printUsage(ran.spent)];
  if (!ran.isStopped) stderr.write(`${took.filter((part) => part !== '').join(', ')}\n`);
  return ran;
}

const DOING: Readonly<Record<Stage, string>> = {
  extract: 'extracting',
  encode: 'encoding',
  rank: 'ranking',
  select: 'selecting',
  write: 'writing',
};

/** Shows the progress of a digest in one line of a terminal, cleared at the end. Writes nothing to a pipe. */
export function progressLine(stream: ProgressStream) {
  const changing = changingLine(stream);
  return {
    notify({ stage, done, total }: Progress): void {
      // The next stage may take a while before its first report.
      const next = STAGES[STAGES.indexOf(stage) + 1];
      const ended = next === undefined ? '' : DOING[next];
      changing?.show(done >= total ? ended : `${DOING[stage]} ${done}/${total}`);
    },
    end: (): void => changing?.end('\r\u001b[K'),
  };
}
