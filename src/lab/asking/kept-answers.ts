import type { WorkCache } from '../../models/index.ts';

const KIND = 'benchmark-answer';

/** What came of a question. */
export type KeptAnswer = { readonly again: boolean } & (
  | { readonly answer: unknown }
  | { readonly failure: 'malformed' | 'refused'; readonly message: string }
);

/** Answers of earlier runs, by keys that name everything that they depend on; kept beside the verdicts of judges. */
export interface KeptAnswers {
  read(key: string): Promise<KeptAnswer | null>;
  keep(key: string, answer: KeptAnswer): Promise<void>;
}

/** What of that which is known is asked anew, and has its place taken. */
interface Forgetting {
  readonly restart: boolean;
  /** Questions that had no readable answer alone. */
  readonly retry?: boolean | undefined;
}

export function keptAnswers(cache: WorkCache, { restart, retry = false }: Forgetting): KeptAnswers {
  return {
    async read(key) {
      if (restart) return null;
      const verdict = (await cache.readJudgements([key])).get(key);
      // Only `keep` writes under keys of this kind.
      const known = verdict === undefined ? null : (JSON.parse(verdict) as KeptAnswer);
      return known !== null && 'failure' in known && retry ? null : known;
    },
    async keep(key, answer) {
      if (restart || retry) await cache.deleteJudgements({ kind: KIND, keys: [key] });
      await cache.saveJudgements([{ key, kind: KIND, verdict: JSON.stringify(answer) }]);
    },
  };
}
