import type { ProgressStream } from './with-progress.ts';

/** The exit code of a program ended by Ctrl-C. */
export const INTERRUPTED = 130;

/** Says that a run was stopped, and returns the exit code. */
export function stopped(stderr: ProgressStream, kept = 'made'): number {
  stderr.write(`Stopped. What is ${kept} is kept: the same command goes on from there.\n`);
  return INTERRUPTED;
}

/** Names what is left out without a language model. */
export function noteSkipped(names: readonly string[], stderr: ProgressStream): void {
  if (names.length === 0) return;
  stderr.write(`Left out, as they need a language model and none is configured: ${names.join('; ')}\n`);
}
