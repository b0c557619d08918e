import { LIMITS } from '../../contract/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import type { JudgeRequest } from '../../evaluation/index.ts';
import { NO_USAGE } from '../../models/index.ts';
import { chunks, groupBy } from '../../text/index.ts';
import { keptSteps, type Run, type RunOptions, runItems } from '../runner.ts';
import type { Plan, PlannedOutput } from './plan-run.ts';
import { type ScoredOutput, scoreOutput } from './score-output.ts';
import { asDrafted, type SystemOutput } from './system-output.ts';

/** Max outputs in progress: more would wait for the same threads. */
const AT_ONCE = 3;
/** Max outputs read at once: one may cite thousands of passages. */
const READ_AT_ONCE = 50;

export type OutputRun = Run<Pick<PlannedOutput, 'arm' | 'datum'>, ScoredOutput>;

interface OutputOptions extends Pick<RunOptions<PlannedOutput, ScoredOutput>, 'signal' | 'onProgress'> {
  readonly judge: JudgeRequest;
  readonly restart: boolean;
}

type Caching = Pick<DigestDeps, 'cache'>;
const keeps = ({ isPartial }: { readonly isPartial: boolean }) => !isPartial;
const outputSteps = ({ cache }: Caching) => keptSteps<SystemOutput>(cache, 'benchmark-output', { keeps });
const scoreSteps = ({ cache }: Caching) => keptSteps<ScoredOutput>(cache, 'benchmark-score', { keeps });

/**
 * Makes and scores outputs; systems with equal options share them. Outputs and scores are cached separately. An
 * unreadable case is listed as failed and also scored as an empty answer, so that it lowers the means.
 */
export async function runOutputs(
  planned: readonly PlannedOutput[],
  { judge, restart, signal, onProgress }: OutputOptions,
  deps: DigestDeps,
): Promise<OutputRun> {
  const outputs = outputSteps(deps);
  if (restart) await outputs.forget(planned.map(({ outputKey }) => outputKey));
  const counted = new Set<string>();
  /** Caches outputs: draft and summary are two systems, but must come from one digest. */
  const outputOf = async ({ outputKey, output: makeOutput, sizedBy }: Plan): Promise<SystemOutput> => {
    const { result } = await outputs.once(outputKey, async () => {
      const model = sizedBy && (await outputOf(sizedBy));
      const made = await makeOutput(signal, model && selectedIn(model));
      return { ...made, isPartial: made.isPartial || model?.isPartial === true };
    });
    return result;
  };
  const unread = new Set<PlannedOutput>();
  const make = async (work: PlannedOutput): Promise<ScoredOutput> => {
    const output = await outputOf(work);
    if (output.isUnread) unread.add(work);
    const usage = counted.has(work.outputKey) ? NO_USAGE : output.usage;
    counted.add(work.outputKey);
    const scored = { ...textOf(work, output), usage };
    return scoreOutput(scored, work.case, work.collection, judge, deps, signal);
  };
  const kept = { steps: scoreSteps(deps), keyOf: ({ key }: PlannedOutput) => key, restart };
  const run = await runItems(planned, { make, kept, ...IN_TURN, atOnce: AT_ONCE, signal, onProgress });
  const failure = new Error('None of the documents could be read.');
  return { ...run, failed: [...run.failed, ...[...unread].map((item) => ({ item, failure }))] };
}

function selectedIn({ figures }: SystemOutput): number {
  return Math.min(LIMITS.keyPoints, Math.max(1, figures['digest.selected'] ?? 1));
}

function textOf({ text }: PlannedOutput, output: SystemOutput): SystemOutput {
  return text === 'draft' ? asDrafted(output) : output;
}

/** Runs case by case. Within a case, the first output of each reading goes first, so that the others find it cached. */
export const IN_TURN: Pick<RunOptions<PlannedOutput, ScoredOutput>, 'asksModel' | 'stages'> = {
  asksModel: ({ asksModel }) => asksModel,
  stages: (open) =>
    [...groupBy(open, ({ datum }) => datum).values()].flatMap((ofCase) => {
      const ahead = [...groupBy(ofCase, readingOf).values()].map(([first]) => first);
      return [...ahead.map((each) => [each]), ofCase.filter((each) => !ahead.includes(each))];
    }),
};

/** The reading and encoding that outputs can share. */
function readingOf({ identity }: PlannedOutput): string {
  return JSON.stringify([identity?.extractor, identity?.encoders]);
}

export async function unscored(planned: readonly PlannedOutput[], deps: Caching): Promise<PlannedOutput[]> {
  const known = await scoreSteps(deps).read(planned.map(({ key }) => key));
  return planned.filter(({ key }) => !known.has(key));
}

/** The cached output of each, with the text that is scored; undefined if there is none. */
export async function* madeOutputs(
  planned: readonly PlannedOutput[],
  deps: Caching,
): AsyncGenerator<readonly [PlannedOutput, SystemOutput | undefined]> {
  const kept = outputSteps(deps);
  for (const some of chunks(planned, READ_AT_ONCE)) {
    const known = await kept.read([...new Set(some.map(({ outputKey }) => outputKey))]);
    for (const each of some) {
      const made = known.get(each.outputKey);
      yield [each, made && textOf(each, made)];
    }
  }
}
