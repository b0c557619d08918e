import type { BenchmarkCase, BenchmarkSet, Collection } from '../benchmark-set.ts';

/** Layouts of files that benchmark sets are loaded from: ours, plain texts, and those of published data. */
export const FORMATS = [
  'set',
  'documents',
  'summhay',
  'diversesumm',
  'qmsum',
  'long2rag',
  'haystack',
  'meetings',
] as const;
export type Format = (typeof FORMATS)[number];

/** The first cases of a set, with the collections that they ask. */
export function firstCases(set: BenchmarkSet, most: number): BenchmarkSet {
  const cases = set.cases.slice(0, most);
  const asked = new Set(cases.map(({ collection }) => collection));
  return { ...set, collections: set.collections.filter(({ id }) => asked.has(id)), cases };
}

/** What a record of a file gives. */
export interface Loaded {
  readonly collection: Collection;
  readonly cases: readonly BenchmarkCase[];
  /** What was left out of the file, and what it lacks, by name. */
  readonly counts: Readonly<Record<string, number>>;
}
