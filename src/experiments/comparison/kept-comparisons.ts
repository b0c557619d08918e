import type { Database } from '../../store/database.ts';
import { deleteJudgements, readJudgements, saveJudgements } from '../../store/judgements.ts';
import type { ComparedDigest } from './compare-digest.ts';

const KIND = 'comparison';

/** What earlier runs made under these keys; missing ones are absent. */
export async function readCompared(database: Database, keys: readonly string[]): Promise<Map<string, ComparedDigest>> {
  const rows = await readJudgements(database, keys);
  // Only `keepCompared` writes under keys of comparisons.
  return new Map([...rows].map(([key, verdict]) => [key, JSON.parse(verdict) as ComparedDigest]));
}

export async function keepCompared(database: Database, key: string, made: ComparedDigest): Promise<void> {
  await saveJudgements(database, [{ key, kind: KIND, verdict: JSON.stringify(made) }]);
}

/** Forgets what was made, so that other figures can be kept in their place. */
export async function forgetCompared(database: Database, keys: readonly string[]): Promise<void> {
  await deleteJudgements(database, { kind: KIND, keys });
}
