import { type DigestTimings, STAGES, type Stage } from './digest.ts';

export interface Stopwatch {
  /** Runs the work of a stage and keeps how long it took. */
  time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  timings(): DigestTimings;
}

/** Milliseconds per stage, rounded to tenths. */
export function stopwatch(): Stopwatch {
  const spent = new Map<Stage, number>();
  return {
    async time(stage, work) {
      const start = performance.now();
      const result = await work();
      spent.set(stage, Math.round(10 * (performance.now() - start)) / 10);
      return result;
    },
    timings: () => Object.fromEntries(STAGES.map((stage) => [stage, spent.get(stage) ?? 0])) as DigestTimings,
  };
}
