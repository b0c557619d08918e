import { addUsage, type CallUsage, NO_USAGE } from '../../language-models/usage.ts';
import type { EvaluationAnswer } from '../answer.ts';
import type { ScoredRecord } from './record.ts';

/** What a run took: answers that were known from before cost nothing again, and one answer to two records counts once. */
export function spentOn({ scored }: { readonly scored: readonly ScoredRecord[] }): CallUsage {
  const made = new Set<EvaluationAnswer>(scored.flatMap(({ answer, known }) => (known ? [] : [answer])));
  return [...made].map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE);
}
