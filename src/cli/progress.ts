import { type Progress, STAGES, type Stage } from '../contract/index.ts';
import { printUsage, type Run, type RunProgress } from '../lab/index.ts';

export type ProgressStream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

export const INTERRUPTED = 130;

export function stopped(stderr: ProgressStream, kept = 'made'): number {
  stderr.write(`Stopped. What is ${kept} is kept: the same command goes on from there.\n`);
  return INTERRUPTED;
}

const LINES = 10;

/**
 * Counts progress in one changing line of a terminal, or in about ten lines elsewhere.
 * @returns a function to call with the number done, and at the end
 */
export function countingLine(
  stream: ProgressStream,
  doing: string,
): { notify(done: number, total: number, note: string): void; end(): void } {
  let told = -1;
  let isOpen = false;
  return {
    notify(done, total, note) {
      const line = `${doing} ${done}/${total}${note === '' ? '' : `, ${note}`}`;
      if (stream.isTTY) {
        stream.write(`\r${line}\u001b[K`);
        isOpen = true;
        return;
      }
      const step = total === 0 ? LINES : Math.floor((LINES * done) / total);
      if (step === told) return;
      told = step;
      stream.write(`${line}\n`);
    },
    end() {
      if (isOpen) stream.write('\n');
      isOpen = false;
    },
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
const TELLING = 2;

/**
 * Shows progress and remaining time of a digest in one line of a terminal, cleared at the end. Writes nothing to a pipe.
 * @param now monotonic clock in milliseconds
 */
export function progressLine(
  stream: ProgressStream,
  now = () => performance.now(),
): { notify(progress: Progress): void; end(): void } {
  let current: Stage | null = null;
  let [began, first] = [0, 0];
  let isOpen = false;
  const show = (line: string) => {
    if (!stream.isTTY) return;
    stream.write(`\r${line}\u001b[K`);
    isOpen = line !== '';
  };
  return {
    notify({ stage, done, total }) {
      if (stage !== current) [current, began, first] = [stage, now(), done];
      // The next stage may take a while before its first report.
      const next = STAGES[STAGES.indexOf(stage) + 1];
      if (done >= total) return show(next === undefined ? '' : DOING[next]);
      const seconds = (now() - began) / 1000;
      const isKnown = seconds >= TELLING && done > first;
      const left = isKnown ? `, about ${inWords((seconds / (done - first)) * (total - done))} left` : '';
      show(`${DOING[stage]} ${done}/${total}${left}`);
    },
    end() {
      if (isOpen) show('');
    },
  };
}

function inWords(seconds: number): string {
  return seconds < 60 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.ceil(seconds / 60)} min`;
}
