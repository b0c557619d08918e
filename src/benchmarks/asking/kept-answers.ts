import type { Database } from '../../store/database.ts';
import { deleteJudgements, readJudgements, saveJudgements } from '../../store/judgements.ts';

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

/** @param restart whether what is known is asked anew, and takes its place */
export function keptAnswers(database: Database, { restart }: { readonly restart: boolean }): KeptAnswers {
  return {
    async read(key) {
      if (restart) return null;
      const verdict = (await readJudgements(database, [key])).get(key);
      // Only `keep` writes under keys of this kind.
      return verdict === undefined ? null : (JSON.parse(verdict) as KeptAnswer);
    },
    async keep(key, answer) {
      if (restart) await deleteJudgements(database, { kind: KIND, keys: [key] });
      await saveJudgements(database, [{ key, kind: KIND, verdict: JSON.stringify(answer) }]);
    },
  };
}
