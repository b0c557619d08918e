import type { JudgeRecord } from '../../contract/evaluation-answer.ts';
import { comparisonJson } from '../cli/comparison-json.ts';
import type { SetRun } from './run.node.ts';

/** What `tessera benchmark run --json` prints: the report of each set, how the set was made, and the figures of each output. */
export function runJson(name: string, judge: JudgeRecord, runs: readonly SetRun[]) {
  return {
    name,
    judge,
    sets: runs.map(({ set, run, records, report: { comparison, ...report } }) => {
      // Here they are of cases and systems.
      const { digests, ...figures } = comparisonJson(comparison, run);
      return { ...report, made: set.made, systems: records, ...figures, outputs: digests };
    }),
  };
}
