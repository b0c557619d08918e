import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRequest } from '../../evaluation/index.ts';
import type { CallUsage } from '../../models/index.ts';
import { chunks, groupBy } from '../../text/index.ts';
import type { ProgressStream } from '../cli/counting-line.ts';
import { keptResults, type Run, type RunOptions, runKept } from '../runner.ts';
import type { PlannedOutput } from './plan-run.ts';
import { type ScoredOutput, scoreOutput } from './score-output.ts';
import type { SystemOutput } from './system-output.ts';

/** Outputs under way at once; more would wait for the same threads. */
const AT_ONCE = 3;
/** Outputs that are looked up at once: one may cite thousands of places. */
const READ_AT_ONCE = 50;

/** What the outputs of a run are compared by. */
export type OutputRun = Run<Pick<PlannedOutput, 'arm' | 'datum'>, ScoredOutput>;

interface OutputOptions {
  /** What the line of progress calls it. */
  readonly doing: string;
  readonly judge: JudgeRequest;
  readonly restart: boolean;
  readonly atOnce?: number | undefined;
  readonly signal: AbortSignal;
}

/** Makes outputs and scores them; systems whose options come to the same share one. What is made is kept apart from its score. */
export async function runOutputs(
  planned: readonly PlannedOutput[],
  { doing, judge, restart, atOnce = AT_ONCE, signal }: OutputOptions,
  deps: DigestDeps,
  stderr: ProgressStream,
): Promise<OutputRun & { readonly spent: CallUsage }> {
  const outputs = keptResults<SystemOutput>(deps.cache, 'benchmark-output');
  if (restart) await outputs.forget(planned.map(({ outputKey }) => outputKey));
  const make = async (work: PlannedOutput): Promise<ScoredOutput> => {
    const known = (await outputs.read([work.outputKey])).get(work.outputKey);
    const output = known ?? (await work.output(signal));
    if (known === undefined && !output.isPartial) await outputs.keep(work.outputKey, output);
    return scoreOutput(output, work.case, work.collection, judge, deps, signal);
  };
  const options = { ...IN_TURN, kind: 'benchmark-score', doing, restart, make, atOnce, signal } as const;
  return runKept(planned, options, deps.cache, stderr);
}

/**
 * The cases come one after the other, and of each the first output that reads documents in a way of its own goes ahead, so
 * that the rest find what it read.
 */
export const IN_TURN: Pick<RunOptions<PlannedOutput, ScoredOutput>, 'keyOf' | 'asksModel' | 'stages'> = {
  keyOf: ({ key }) => key,
  asksModel: ({ asksModel }) => asksModel,
  stages: (open) =>
    [...groupBy(open, ({ datum }) => datum).values()].flatMap((ofCase) => {
      const ahead = [...groupBy(ofCase, ({ reading }) => reading).values()].map(([first]) => first);
      return [...ahead.map((each) => [each]), ofCase.filter((each) => !ahead.includes(each))];
    }),
};

/** The outputs that no earlier run scored. */
export async function unscored(planned: readonly PlannedOutput[], { cache }: DigestDeps): Promise<PlannedOutput[]> {
  const known = await keptResults<ScoredOutput>(cache, 'benchmark-score').read(planned.map(({ key }) => key));
  return planned.filter(({ key }) => !known.has(key));
}

/** Those of some outputs that earlier runs made, by their keys, a few at once. */
export async function* madeOutputs(
  planned: readonly PlannedOutput[],
  { cache }: Pick<DigestDeps, 'cache'>,
): AsyncGenerator<readonly [PlannedOutput, SystemOutput | undefined]> {
  const kept = keptResults<SystemOutput>(cache, 'benchmark-output');
  for (const some of chunks(planned, READ_AT_ONCE)) {
    const known = await kept.read([...new Set(some.map(({ outputKey }) => outputKey))]);
    for (const each of some) yield [each, known.get(each.outputKey)];
  }
}
