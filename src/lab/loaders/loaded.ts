import type { BenchmarkCase, Collection } from '../benchmark-set.ts';

/** What a record of a file gives. */
export interface Loaded {
  readonly collection: Collection;
  readonly cases: readonly BenchmarkCase[];
  /** What was left out of the file, and what it lacks, by name. */
  readonly counts: Readonly<Record<string, number>>;
}
