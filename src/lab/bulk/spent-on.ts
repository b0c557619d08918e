import type { CallUsage } from '../../models/index.ts';
import type { ScoredRecord } from './record.ts';
import { spentOnce } from './spent-once.ts';

/** What the answers of a run took. */
export function spentOn({ scored }: { readonly scored: readonly ScoredRecord[] }): CallUsage {
  return spentOnce(scored.map(({ answer, known }) => ({ result: answer, known })));
}
