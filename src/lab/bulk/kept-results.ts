import type { WorkCache } from '../../models/index.ts';

/** What earlier runs of a command made, by keys that name everything that it depends on. */
interface KeptResults<Result> {
  /** Those with these keys; missing ones are absent. */
  read(keys: readonly string[]): Promise<Map<string, Result>>;
  keep(key: string, result: Result): Promise<void>;
  /** Forgets results, so that others can be kept in their place. */
  forget(keys: readonly string[]): Promise<void>;
}

/**
 * Results that are kept beside the verdicts of judges.
 *
 * @param kind of results, which no other type is kept under
 */
export function keptResults<Result>(
  cache: WorkCache,
  kind: 'evaluation' | 'comparison' | 'benchmark-output' | 'benchmark-score',
): KeptResults<Result> {
  return {
    async read(keys) {
      const rows = await cache.readJudgements(keys);
      // Only `keep` writes under keys of this kind.
      return new Map([...rows].map(([key, verdict]) => [key, JSON.parse(verdict) as Result]));
    },
    keep: (key, result) => cache.saveJudgements([{ key, kind, verdict: JSON.stringify(result) }]),
    forget: (keys) => cache.deleteJudgements({ kind, keys }),
  };
}
