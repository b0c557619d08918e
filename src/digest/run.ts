import {
  type DigestTimings,
  type ExtractorName,
  type Progress,
  STAGES,
  type Stage,
  type WriterName,
} from '../contract/index.ts';
import type { LanguageModel, Prompts, WorkCache } from '../models/index.ts';
import type { OnSentence } from '../summary/index.ts';
import type { Engine } from './engine.ts';
import type { ModelStages, StagesAccount } from './model-stages.ts';

/** The service's language model, and what it is used for by default. */
export interface ModelDeps {
  readonly model: LanguageModel | null;
  readonly prompts: Prompts;
  readonly extractor: ExtractorName;
  readonly writer: WriterName;
}

export interface DigestDeps {
  readonly cache: WorkCache;
  readonly engine: Engine;
  readonly models: ModelDeps;
  /** Maximum number of key points of a digest; unlimited by default. */
  readonly maxPoints?: number;
  /** Called for a failure that one document or step absorbs; never with text of a document. */
  readonly reportFailure: (failure: unknown, where: { readonly stage: string; readonly document: string }) => void;
}

/** Model calls and time of a run so far, as saved with its checkpoints. */
export interface Ledger {
  take(): unknown;
  asked(): number;
  /** Continues from what `take` returned in an earlier attempt. */
  restore(taken: unknown): void;
}

/** Results of finished steps, so that another attempt need not repeat them. */
export interface Checkpoints {
  /**
   * The saved result of a step; computed and saved if there is none.
   *
   * @param key everything the result depends on that may differ in another attempt, as small plain data: ids and hashes
   * @param asked number of model calls before the work that this step saves; by default before the step
   */
  step<T>(name: string, key: unknown, work: () => T | Promise<T>, asked?: number): Promise<T>;
}

export interface DigestListeners {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with every sentence of the summary once it is final, in order. */
  readonly onSentence?: OnSentence | undefined;
}

export interface RunOptions extends DigestListeners {
  readonly id?: string;
  readonly checkpoints?: (ledger: Ledger) => Checkpoints;
}

/** One attempt at a digest: what its stages share. */
export interface Run extends Pick<DigestDeps, 'cache' | 'engine' | 'reportFailure'> {
  readonly id: string;
  readonly maxPoints: number;
  /** Aborted when nobody waits for the digest any more. */
  readonly signal: AbortSignal | undefined;
  readonly onSentence: OnSentence | undefined;
  /** Adds the time of the work to a stage. */
  time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  /** A checkpointed step of a stage, timed; see `Checkpoints`. */
  step<T>(stage: Stage, name: string, key: unknown, work: () => T | Promise<T>, asked?: number): Promise<T>;
  /** @throws the reason of the signal if it is aborted */
  progress(stage: Stage, done: number, total: number, document?: string | null): void;
  timings(): DigestTimings;
}

/** @param signal ends the run */
export function startRun(
  { cache, engine, maxPoints = Number.POSITIVE_INFINITY, reportFailure }: DigestDeps,
  stages: ModelStages,
  signal: AbortSignal | undefined,
  { id = newDigestId(), checkpoints, onProgress, onSentence }: RunOptions,
): Run {
  const spent = new Map<Stage, number>();
  const timings = (): DigestTimings => {
    const rounded = (stage: Stage): number => Math.round(10 * (spent.get(stage) ?? 0)) / 10;
    return Object.fromEntries(STAGES.map((stage) => [stage, rounded(stage)])) as DigestTimings;
  };
  const steps = checkpoints?.({
    take: () => ({ account: stages.account(), timings: timings() }),
    asked: () => stages.usage().total.requests,
    restore(taken) {
      // `taken` always comes from `take`.
      const before = taken as { account: StagesAccount; timings: DigestTimings };
      stages.restore(before.account);
      for (const stage of STAGES) spent.set(stage, Math.max(spent.get(stage) ?? 0, before.timings[stage]));
    },
  });
  const time: Run['time'] = async (stage, work) => {
    const start = performance.now();
    const result = await work();
    spent.set(stage, (spent.get(stage) ?? 0) + performance.now() - start);
    return result;
  };
  return {
    id,
    cache,
    engine,
    maxPoints,
    reportFailure,
    signal,
    // After an abort the composed stand-ins of a cut-off writer belong to no digest.
    onSentence:
      onSentence &&
      ((sentence) => {
        signal?.throwIfAborted();
        onSentence(sentence);
      }),
    time,
    step: (stage, name, key, work, asked) =>
      time(stage, () => (steps === undefined ? work() : steps.step(name, key, work, asked))),
    progress(stage, done, total, document = null) {
      signal?.throwIfAborted();
      onProgress?.({ stage, done, total, ...(document !== null && { document }) });
    },
    timings,
  };
}

export function newDigestId(): string {
  return `dig_${crypto.randomUUID().replaceAll('-', '')}`;
}
