import { checkUnique } from '../check-input.ts';
import { InvalidEvaluationError } from '../invalid-evaluation-error.ts';
import type { ArgueRequest, Nugget } from './shapes.ts';

/** What a nugget counts for: its own weight, or, as in TREC 2024 RAG and Auto-ARGUE, 1 for a vital one, half for an okay one. */
export function weightOf({ weight, importance }: Nugget): number {
  return weight ?? (importance === 'okay' ? 0.5 : 1);
}

/**
 * Refuses what cannot be scored: ids that come twice, and weights that are not positive numbers with a finite sum.
 *
 * @throws InvalidEvaluationError
 */
export function checkReport({ documents, nuggets }: ArgueRequest): void {
  checkUnique(
    documents.map(({ id }) => id),
    (place) => `/documents/${place}/id`,
  );
  checkUnique(
    nuggets.map(({ id }) => id),
    (place) => `/nuggets/${place}/id`,
  );
  checkWeights(nuggets);
}

function checkWeights(nuggets: readonly Nugget[]): void {
  let total = 0;
  for (const [place, nugget] of nuggets.entries()) {
    const weight = weightOf(nugget);
    total += weight;
    if (!(weight > 0)) throw new InvalidEvaluationError(`/nuggets/${place}/weight`, 'is not a positive number');
    if (!Number.isFinite(total))
      throw new InvalidEvaluationError(`/nuggets/${place}/weight`, 'is too large to be added');
  }
}
