import {
  type DigestTimings,
  type ExtractorName,
  type Progress,
  STAGES,
  type Stage,
  type WriterName,
} from '../contract/index.ts';
import { type LanguageModel, ModelCallError, type Prompts, type WorkCache } from '../models/index.ts';
import type { OnSentence } from '../summary/index.ts';
import type { Engine } from './engine.ts';
import type { ModelStages, StagesAccount } from './model-stages.ts';

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
  /** Unlimited by default. */
  readonly maxPoints?: number;
  /** Called for a failure of one document or step that the digest survives; never with text of a document. */
  readonly reportFailure: (failure: unknown, where: { readonly stage: string; readonly document: string }) => void;
}

export interface Ledger {
  take(): unknown;
  asked(): number;
  /** Continues from the result of `take` in an earlier attempt. */
  restore(taken: unknown): void;
}

export interface Checkpoints {
  /**
   * Returns the saved result of a step, or computes and saves it.
   *
   * @param key small plain data (ids, hashes) that identifies everything the result depends on
   * @param asked model calls before the work that this step saves; by default before the step
   */
  step<T>(name: string, key: unknown, work: () => T | Promise<T>, asked?: number): Promise<T>;
}

export interface DigestListeners {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onSentence?: OnSentence | undefined;
}

export interface RunOptions extends DigestListeners {
  readonly id?: string;
  readonly checkpoints?: (ledger: Ledger) => Checkpoints;
}

/** State of one attempt at a digest, shared by its stages. */
export interface Run extends Pick<DigestDeps, 'cache' | 'engine' | 'reportFailure'> {
  readonly id: string;
  readonly maxPoints: number;
  readonly signal: AbortSignal | undefined;
  readonly onSentence: OnSentence | undefined;
  time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  /** Runs a timed checkpoint of a stage; see `Checkpoints`. */
  step<T>(stage: Stage, name: string, key: unknown, work: () => T | Promise<T>, asked?: number): Promise<T>;
  /** @throws the reason of the signal if it is aborted */
  progress(stage: Stage, done: number, total: number, document?: string | null): void;
  timings(): DigestTimings;
}

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
    // After an abort, sentences composed in place of the writer's belong to no digest.
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

/** Runs work that calls a model. A call that fails is reported, and `instead` is made of why, without a full stop. */
export async function orInstead<T>(
  { reportFailure }: Pick<Run, 'reportFailure'>,
  stage: Stage,
  work: () => Promise<T>,
  instead: (why: string) => T,
): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    reportFailure(failure, { stage, document: '' });
    return instead(failure.message.replace(/\.$/, ''));
  }
}
