import type { ProgressStream } from './with-progress.ts';

/** Exit code after Ctrl-C. */
export const INTERRUPTED = 130;

/** Reports an aborted run. @returns the exit code */
export function stopped(stderr: ProgressStream, kept = 'made'): number {
  stderr.write(`Stopped. What is ${kept} is kept: the same command goes on from there.\n`);
  return INTERRUPTED;
}

/** Reports systems skipped without a language model. */
export function noteSkipped(names: readonly string[], stderr: ProgressStream): void {
  if (names.length === 0) return;
  stderr.write(`Left out, as they need a language model and none is configured: ${names.join('; ')}\n`);
}
