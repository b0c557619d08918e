import { onTestFinished, vi } from 'vitest';

/** Makes timers run so many times as fast until the test ends, and writes down what they were asked for. */
export function quickTimers(factor = 50): readonly number[] {
  const asked: number[] = [];
  const { setTimeout: slow } = globalThis;
  vi.stubGlobal('setTimeout', (act: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) => {
    // Only the runtime's own fetch sets timers with arguments.
    if (given.length > 0) return slow(act, milliseconds, ...given);
    asked.push(milliseconds);
    return slow(act, milliseconds / factor);
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return asked;
}
