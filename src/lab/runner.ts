import pLimit from 'p-limit';
import { addUsage, type CallUsage, ModelCallError, NO_USAGE, type WorkCache } from '../models/index.ts';
import { countingLine, type ProgressStream } from './counting-line.ts';
import { tookLine } from './print-usage.ts';

/** What comes of an item: a score, an output. */
interface RunResult {
  readonly usage: CallUsage;
  /** Whether something of it failed, so that another run may do better: it counts, and is not kept. */
  readonly isPartial?: boolean | undefined;
}

interface Made<Item, Result> {
  readonly item: Item;
  readonly result: Result;
  /** Whether it was made in an earlier run. */
  readonly known: boolean;
}

interface Failed<Item> {
  readonly item: Item;
  readonly failure: unknown;
}

/** What came of the items, in their order. */
export interface Run<Item, Result> {
  readonly made: readonly Made<Item, Result>[];
  readonly failed: readonly Failed<Item>[];
  readonly isStopped: boolean;
}

interface Making<Item, Result> {
  /** Names what comes of an item, so that a later run finds it: it changes with anything that the result depends on. */
  readonly keyOf: (item: Item) => string;
  readonly make: (item: Item) => Promise<Result>;
  /** Items that are made side by side, stage after stage; all of them in one where absent. */
  readonly stages?: ((open: readonly Item[]) => readonly (readonly Item[])[]) | undefined;
  /** Whether an item fails with a failure that is fatal; every one does where absent. */
  readonly asksModel?: ((item: Item) => boolean) | undefined;
  /** Items under way at once. */
  readonly atOnce: number;
  /** No item is begun after it. */
  readonly signal: AbortSignal;
}

export interface RunOptions<Item, Result> extends Making<Item, Result> {
  /** What earlier runs kept, by key. */
  readonly known: (keys: readonly string[]) => Promise<ReadonlyMap<string, Result>>;
  readonly keep: (key: string, result: Result) => Promise<void>;
  readonly onProgress: (progress: RunProgress) => void;
  /** Whether every further item that asks a model would fail alike. */
  readonly isFatal: (failure: unknown) => boolean;
}

export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly known: number;
  readonly failed: number;
}

/**
 * Makes something of every item, each kept as soon as it is there; what earlier runs kept is not made again, and items of one
 * key share what is made. What an item fails with is its own, and the others go on; after a failure that is fatal those
 * that ask a model fail with it. What failed, or failed in part, is tried again by the next run.
 */
export async function runAll<Item extends object, Result extends RunResult>(
  items: readonly Item[],
  options: RunOptions<Item, Result>,
): Promise<Run<Item, Result>> {
  const { keyOf, signal, onProgress, stages = (open) => [open], asksModel = () => true } = options;
  const keys = new Map(items.map((item) => [item, keyOf(item)]));
  const before = await options.known([...new Set(keys.values())]);
  const knownOf = (item: Item) => before.get(keys.get(item) ?? '');
  const open = items.filter((item) => knownOf(item) === undefined);
  const [total, known] = [items.length, items.length - open.length];
  let [done, failed] = [known, 0];
  const notify = () => onProgress({ done, total, known, failed });
  notify();

  let fatal: { readonly failure: unknown } | null = null;
  const underWay = new Map<string | undefined, Promise<Result>>();
  const makeOnce = (item: Item): Promise<Result> => {
    const key = keyOf(item);
    const made =
      underWay.get(key) ??
      options.make(item).then(async (result) => {
        if (result.isPartial !== true) await options.keep(key, result);
        return result;
      });
    underWay.set(key, made);
    return made;
  };
  const outcomes = new Map<Item, Made<Item, Result> | Failed<Item>>();
  const tryOne = async (item: Item): Promise<void> => {
    if (signal.aborted) return;
    try {
      if (fatal !== null && asksModel(item)) throw fatal.failure;
      outcomes.set(item, { item, result: await makeOnce(item), known: false });
    } catch (failure) {
      if (signal.aborted) return;
      if (options.isFatal(failure)) fatal = { failure };
      failed++;
      outcomes.set(item, { item, failure });
    } finally {
      done++;
      if (!signal.aborted) notify();
    }
  };
  const limit = pLimit(options.atOnce);
  for (const stage of stages(open)) await limit.map(stage, tryOne);

  const inOrder = items.flatMap((item): (Made<Item, Result> | Failed<Item>)[] => {
    const result = knownOf(item);
    return result === undefined ? [outcomes.get(item) ?? []].flat() : [{ item, result, known: true }];
  });
  return {
    made: inOrder.flatMap((each) => ('result' in each ? [each] : [])),
    failed: inOrder.flatMap((each) => ('failure' in each ? [each] : [])),
    isStopped: signal.aborted,
  };
}

/** What results took: one that several items share counts once, and what was known from before cost nothing again. */
export function spentOnce(made: readonly Omit<Made<unknown, RunResult>, 'item'>[]): CallUsage {
  const results = new Set(made.flatMap(({ result, known }) => (known ? [] : [result])));
  return [...results].map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE);
}

/** Kinds of results: no other type is kept under one. */
type ResultKind = 'evaluation' | 'benchmark-output' | 'benchmark-score';

/** What earlier runs of a command made, by keys that name everything that it depends on. */
interface KeptResults<Result> {
  /** Those with these keys; missing ones are absent. */
  read(keys: readonly string[]): Promise<Map<string, Result>>;
  keep(key: string, result: Result): Promise<void>;
  /** Forgets results, so that others can be kept in their place. */
  forget(keys: readonly string[]): Promise<void>;
}

/** Results that are kept beside the verdicts of judges. */
export function keptResults<Result>(cache: WorkCache, kind: ResultKind): KeptResults<Result> {
  return {
    async read(keys) {
      const rows = await cache.readJudgements(keys);
      // Only `keep` writes under keys of this kind.
      return new Map([...rows].map(([key, verdict]) => [key, JSON.parse(verdict) as Result]));
    },
    keep: (key, result) => cache.saveJudgements([{ key, kind, verdict: JSON.stringify(result) }]),
    forget: (keys) => cache.deleteJudgements({ kind, keys }),
  };
}

export interface KeptRunOptions<Item, Result> extends Making<Item, Result> {
  readonly kind: ResultKind;
  /** What the line of progress calls it: "scoring". */
  readonly doing: string;
  /** Whether what is known is made again. */
  readonly restart: boolean;
  /** What items that failed took. */
  readonly wasted?: (() => CallUsage) | undefined;
}

/** A run over what earlier runs of a command kept, which shows how far it is and says what it took. */
export async function runKept<Item extends object, Result extends RunResult>(
  items: readonly Item[],
  { kind, doing, restart, wasted = () => NO_USAGE, ...making }: KeptRunOptions<Item, Result>,
  cache: WorkCache,
  stderr: ProgressStream,
): Promise<Run<Item, Result> & { readonly spent: CallUsage }> {
  const kept = keptResults<Result>(cache, kind);
  const line = countingLine(stderr, doing);
  const began = performance.now();
  const run = await runAll(items, {
    ...making,
    known: async (keys) => {
      if (!restart) return kept.read(keys);
      await kept.forget(keys);
      return new Map();
    },
    keep: kept.keep,
    onProgress: ({ done, total, known, failed }) => {
      const notes = [known > 0 && `${known} known from before`, failed > 0 && `${failed} failed`];
      line.notify(done, total, notes.filter((note) => note !== false).join(', '));
    },
    isFatal: (failure) => failure instanceof ModelCallError && failure.isFatal,
  });
  line.end();
  const spent = addUsage(spentOnce(run.made), wasted());
  if (!run.isStopped) stderr.write(tookLine(performance.now() - began, spent));
  return { ...run, spent };
}
