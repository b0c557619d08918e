import { printUsage, type Run, type RunProgress } from '../lab/index.ts';
import type { CallUsage } from '../models/index.ts';

export type ProgressStream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };

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
  if (!ran.isStopped) stderr.write(tookLine(performance.now() - began, ran.spent));
  return ran;
}

function tookLine(milliseconds: number, usage: CallUsage): string {
  const calls = printUsage(usage);
  return `${(milliseconds / 1000).toFixed(1)} s${calls === '' ? '' : `, ${calls}`}\n`;
}
