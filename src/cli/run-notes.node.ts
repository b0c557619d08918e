import type { ProgressStream } from './with-progress.ts';

export const INTERRUPTED = 130;

export function stopped(stderr: ProgressStream, kept = 'made'): number {
  stderr.write(`Stopped. What is ${kept} is kept: the same command goes on from there.\n`);
  return INTERRUPTED;
}

export function noteSkipped(names: readonly string[], stderr: ProgressStream): void {
  if (names.length === 0) return;
  stderr.write(`Left out, as they need a language model and none is configured: ${names.join('; ')}\n`);
}
