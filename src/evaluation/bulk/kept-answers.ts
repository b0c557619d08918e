import type { Database } from '../../store/database.ts';
import { deleteJudgements, readJudgements, saveJudgements } from '../../store/judgements.ts';
import type { EvaluationAnswer } from '../answer.ts';

const KIND = 'evaluation';

/** The answers of earlier runs with these keys; missing ones are absent. */
export async function readAnswers(database: Database, keys: readonly string[]): Promise<Map<string, EvaluationAnswer>> {
  const rows = await readJudgements(database, keys);
  // Only `keepAnswer` writes under keys of answers.
  return new Map([...rows].map(([key, verdict]) => [key, JSON.parse(verdict) as EvaluationAnswer]));
}

export async function keepAnswer(database: Database, key: string, answer: EvaluationAnswer): Promise<void> {
  await saveJudgements(database, [{ key, kind: KIND, verdict: JSON.stringify(answer) }]);
}

/** Forgets answers, so that others can be kept in their place. */
export async function forgetAnswers(database: Database, keys: readonly string[]): Promise<void> {
  await deleteJudgements(database, { kind: KIND, keys });
}
