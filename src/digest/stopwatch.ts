import { type DigestTimings, STAGES, type Stage } from '../contract/index.ts';

export interface Stopwatch {
  /** Runs work of a stage and adds how long it took. */
  time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  timings(): DigestTimings;
  /** Goes on from what stages took in an attempt before. */
  restore(timings: DigestTimings): void;
}

/** Milliseconds per stage, rounded to tenths. */
export function stopwatch(): Stopwatch {
  const spent = new Map<Stage, number>();
  return {
    async time(stage, work) {
      const start = performance.now();
      const result = await work();
      spent.set(stage, (spent.get(stage) ?? 0) + performance.now() - start);
      return result;
    },
    restore(timings) {
      for (const stage of STAGES) spent.set(stage, Math.max(spent.get(stage) ?? 0, timings[stage]));
    },
    timings: () =>
      Object.fromEntries(
        STAGES.map((stage) => [stage, Math.round(10 * (spent.get(stage) ?? 0)) / 10]),
      ) as DigestTimings,
  };
}
