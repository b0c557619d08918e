import type { CallUsage } from '../../models/index.ts';
import { spentOnce } from '../bulk/spent-once.ts';
import type { ComparisonRun } from './run-comparison.ts';

/** What the digests of a run took. */
export function spentOnComparison({ made }: Pick<ComparisonRun, 'made'>): CallUsage {
  return spentOnce(made.map(({ digest, known }) => ({ result: digest, known })));
}
