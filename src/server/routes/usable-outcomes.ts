import type { Outcome } from '../../contract/outcome.ts';
import type { RecordedOutcomes } from '../experiments/record-outcomes.ts';
import { outcomeSchema } from '../../contract/experiment-schemas.ts';
import { problemsIn } from '../problem.ts';

/** Those of a batch that are outcomes, with their places in it, and what is wrong with the others. */
export interface UsableOutcomes {
  readonly outcomes: readonly Outcome[];
  readonly places: readonly number[];
  readonly problems: RecordedOutcomes['problems'];
}

/** Looks at each of a batch by itself. */
export function usableOutcomes(batch: readonly unknown[]): UsableOutcomes {
  const outcomes: Outcome[] = [];
  const places: number[] = [];
  const problems: RecordedOutcomes['problems'][number][] = [];
  for (const [index, each] of batch.entries()) {
    const { success, data, error } = outcomeSchema.safeParse(each);
    if (success) {
      const { at, ...outcome } = data;
      outcomes.push({ ...outcome, ...(at !== undefined && { at: Date.parse(at) }) });
      places.push(index);
    } else problems.push(...problemsIn(error, ['outcomes', index]).map((problem) => ({ index, ...problem })));
  }
  return { outcomes, places, problems };
}

/** What became of the usable ones, told of the whole batch: by the places that they have in it, and with what is wrong with the others. */
export function toldOfBatch(recorded: RecordedOutcomes, { places, problems }: UsableOutcomes): RecordedOutcomes {
  const placed = recorded.problems.map(({ index, pointer, detail }) => {
    const field = pointer.slice(`/outcomes/${index}`.length);
    return { index: places[index], pointer: `/outcomes/${places[index]}${field}`, detail };
  });
  return { ...recorded, problems: [...problems, ...placed].sort((a, b) => a.index - b.index) };
}
