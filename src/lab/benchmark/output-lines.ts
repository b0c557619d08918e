import type { DigestDeps } from '../../digest/index.ts';
import { chunks } from '../../text/index.ts';
import { keptResults } from '../bulk/kept-results.ts';
import type { SystemOutput } from '../run/system-output.ts';
import type { PlannedSet } from './plan-sets.ts';

/** Outputs read at once: one may cite thousands of places. */
const AT_ONCE = 50;

/**
 * The outputs as lines of JSON Lines, which a run reads as those of other systems.
 *
 * @param onMissing told of every one that is not kept
 */
export async function* outputLines(
  planned: readonly PlannedSet[],
  { cache }: Pick<DigestDeps, 'cache'>,
  onMissing: () => void,
): AsyncGenerator<string> {
  const kept = keptResults<SystemOutput>(cache, 'benchmark-output');
  for (const { set, outputs } of planned) {
    for (const some of chunks(outputs, AT_ONCE)) {
      const known = await kept.read([...new Set(some.map(({ outputKey }) => outputKey))]);
      for (const { arm, datum, outputKey } of some) {
        const output = known.get(outputKey);
        if (output === undefined) {
          onMissing();
          continue;
        }
        const { sentences, picks, asked, given } = output;
        const told = { sentences, ...(picks !== null && { picks }), asked, given };
        yield JSON.stringify({ set: set.name, case: datum.id, system: arm.name, ...told });
      }
    }
  }
}
