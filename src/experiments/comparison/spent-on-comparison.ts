import { addUsage, type CallUsage, NO_USAGE } from '../../language-models/usage.ts';
import type { ComparedDigest } from './compare-digest.ts';
import type { ComparisonRun } from './run-comparison.ts';

/** What a run took: what was known from before cost nothing again, and a digest that several arms share counts once. */
export function spentOnComparison({ made }: Pick<ComparisonRun, 'made'>): CallUsage {
  const digests = new Set<ComparedDigest>(made.flatMap(({ digest, known }) => (known ? [] : [digest])));
  return [...digests].map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE);
}
