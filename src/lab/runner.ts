import pLimit from 'p-limit';
import { addUsage, type CallUsage, ModelCallError, NO_USAGE, type WorkCache } from '../models/index.ts';

type StepKind = 'evaluation' | 'benchmark-output' | 'benchmark-score' | 'benchmark-answer';

interface Step<Result> {
  readonly result: Result;
  /** Whether it was cached by an earlier run. */
  readonly known: boolean;
}

interface StepsOptions<Result> {
  /** Whether to cache a result; all by default. Failures are never cached. */
  readonly keeps?: ((result: Result) => boolean) | undefined;
  /** Whether to replace a cached result; none by default. */
  readonly isStale?: ((result: Result) => boolean) | undefined;
  /** Called once per key, even if callers share the step. */
  readonly onStep?: ((step: Step<Result>) => void) | undefined;
}

type Steps<Result> = ReturnType<typeof keptSteps<Result>>;

/** Cached steps; a key identifies everything that the result depends on. */
export function keptSteps<Result>(
  cache: WorkCache,
  kind: StepKind,
  { keeps = () => true, isStale = () => false, onStep }: StepsOptions<Result> = {},
) {
  const inProgress = new Map<string, Promise<Step<Result>>>();

  /** Cached results; missing ones are absent. */
  async function read(keys: readonly string[]): Promise<ReadonlyMap<string, Result>> {
    const rows = await cache.readJudgements(keys);
    // Only `keep` writes under keys of this kind.
    return new Map([...rows].map(([key, verdict]) => [key, JSON.parse(verdict) as Result]));
  }

  async function stepOf(key: string, make: () => Promise<Result>): Promise<Step<Result>> {
    const before = (await read([key])).get(key);
    const known = before !== undefined && !isStale(before);
    const result = known ? before : await make();
    if (!known && keeps(result)) {
      if (before !== undefined) await cache.deleteJudgements({ kind, keys: [key] });
      await cache.saveJudgements([{ key, kind, verdict: JSON.stringify(result) }]);
    }
    const step = { result, known };
    onStep?.(step);
    return step;
  }

  return {
    read,
    /** The cached result, the one in progress, or that of `make`, which is cached. */
    once(key: string, make: () => Promise<Result>): Promise<Step<Result>> {
      const step = inProgress.get(key) ?? stepOf(key, make);
      inProgress.set(key, step);
      return step;
    },
    forget: (keys: readonly string[]) => cache.deleteJudgements({ kind, keys }),
  };
}

type Made<Item, Result> = Step<Result> & { readonly item: Item };
type Failed<Item> = { readonly item: Item; readonly failure: unknown };

export interface Run<Item, Result> {
  readonly made: readonly Made<Item, Result>[];
  readonly failed: readonly Failed<Item>[];
  readonly isStopped: boolean;
  /** Usage of this run: shared results count once, cached ones not at all. */
  readonly spent: CallUsage;
}

export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly known: number;
  readonly failed: number;
}

export interface RunOptions<Item, Result> {
  readonly make: (item: Item) => Promise<Result>;
  /** Cache and keys of finished items; null for none. */
  readonly kept: {
    readonly steps: Steps<Result>;
    readonly keyOf: (item: Item) => string;
    /** Discards results of earlier runs. */
    readonly restart: boolean;
  } | null;
  /** Groups of items to run one after the other; one group by default. */
  readonly stages?: (open: readonly Item[]) => readonly (readonly Item[])[];
  /** Whether a failure affects all later items that ask a model; by default fatal model failures. */
  readonly isFatal?: (failure: unknown) => boolean;
  /** Whether an item asks a model, and so fails after a fatal failure; all by default. */
  readonly asksModel?: (item: Item) => boolean;
  readonly atOnce: number;
  /** No item starts after it. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/**
 * Makes a result of every item, or takes the cached one. A failure affects its item only, and the next run retries it;
 * after a fatal failure, the remaining items that ask a model fail too.
 */
export async function runItems<Item extends object, Result extends { readonly usage: CallUsage }>(
  items: readonly Item[],
  options: RunOptions<Item, Result>,
): Promise<Run<Item, Result>> {
  const { make, kept, signal, onProgress, stages = (open) => [open], asksModel = () => true } = options;
  const { isFatal = (failure) => failure instanceof ModelCallError && failure.isFatal } = options;
  const outcomes = new Map<Item, Made<Item, Result> | Failed<Item>>();
  const keys = new Map<Item, string>();
  if (kept !== null) {
    for (const item of items) keys.set(item, kept.keyOf(item));
    const distinct = [...new Set(keys.values())];
    if (kept.restart) await kept.steps.forget(distinct);
    const results = await kept.steps.read(distinct);
    for (const [item, key] of keys) {
      const result = results.get(key);
      if (result !== undefined) outcomes.set(item, { item, result, known: true });
    }
  }
  const open = items.filter((item) => !outcomes.has(item));
  const [total, known] = [items.length, items.length - open.length];
  let [done, failed] = [known, 0];
  const report = () => onProgress?.({ done, total, known, failed });
  report();

  let fatal: { readonly failure: unknown } | null = null;
  const runOne = async (item: Item): Promise<void> => {
    if (signal.aborted) return;
    try {
      if (fatal !== null && asksModel(item)) throw fatal.failure;
      const made = async () => ({ result: await make(item), known: false });
      const step = kept === null ? made() : kept.steps.once(keys.get(item) ?? '', () => make(item));
      outcomes.set(item, { item, ...(await step) });
    } catch (failure) {
      if (signal.aborted) return;
      if (isFatal(failure)) fatal = { failure };
      failed++;
      outcomes.set(item, { item, failure });
    }
    done++;
    if (!signal.aborted) report();
  };
  const limit = pLimit(options.atOnce);
  for (const stage of stages(open)) await limit.map(stage, runOne);

  const inOrder = items.flatMap((item) => outcomes.get(item) ?? []);
  const made = inOrder.flatMap((outcome) => ('result' in outcome ? [outcome] : []));
  const fresh = new Set(made.flatMap((each) => (each.known ? [] : [each.result])));
  return {
    made,
    failed: inOrder.flatMap((outcome) => ('failure' in outcome ? [outcome] : [])),
    isStopped: signal.aborted,
    spent: [...fresh].map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE),
  };
}
