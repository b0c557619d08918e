import type { BenchmarkSet } from '../benchmark-set.ts';

/** The first cases of a set, with the collections that they ask. */
export function firstCases(set: BenchmarkSet, most: number): BenchmarkSet {
  const cases = set.cases.slice(0, most);
  const asked = new Set(cases.map(({ collection }) => collection));
  return { ...set, collections: set.collections.filter(({ id }) => asked.has(id)), cases };
}
