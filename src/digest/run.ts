import { parse, stringify } from 'devalue';
import {
  type DigestTimings,
  type ExtractorName,
  type Progress,
  STAGES,
  type Stage,
  type WriterName,
} from '../contract/index.ts';
import { type LanguageModel, ModelCallError, type Prompts, type WorkCache } from '../models/index.ts';
import type { Drafted, OnSentence } from '../summary/index.ts';
import { contentHash } from '../text/index.ts';
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

/** Results of steps that outlast an attempt: serialised, under hashes of all that they depend on. */
export interface Checkpoints {
  /** Of the service; another one repeats the steps. */
  readonly version: string;
  /** Those of earlier attempts, by step. */
  readonly kept: ReadonlyMap<string, { readonly key: string; readonly value: string }>;
  /** Min milliseconds for a step to be saved; those with model calls always are. */
  readonly worthKeeping: number;
  save(step: string, key: string, value: string): Promise<void>;
}

interface KeptStep<T> {
  readonly result: T;
  readonly account: StagesAccount;
  readonly timings: DigestTimings;
}

export interface DigestListeners {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onSentence?: OnSentence | undefined;
  /** Called with each sentence that a model writes, before it is checked. */
  readonly onDrafted?: ((sentence: Drafted) => void) | undefined;
}

export interface RunOptions extends DigestListeners {
  readonly id?: string;
  readonly checkpoints?: Checkpoints;
}

/** State of one attempt at a digest, shared by its stages. */
export interface Run
  extends Pick<DigestDeps, 'cache' | 'engine' | 'reportFailure'>,
    Pick<DigestListeners, 'onDrafted'> {
  readonly id: string;
  readonly maxPoints: number;
  readonly signal: AbortSignal | undefined;
  readonly onSentence: OnSentence | undefined;
  time<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  /**
   * Returns the saved result of a timed step, or computes and saves it.
   *
   * @param key small plain data (ids, hashes) that identifies everything the result depends on
   * @param asked model calls before the work that this step saves; by default before the step
   */
  step<T>(stage: Stage, name: string, key: unknown, work: () => T | Promise<T>, asked?: number): Promise<T>;
  /** @throws the reason of the signal if it is aborted */
  progress(stage: Stage, done: number, total: number, document?: string | null): void;
  timings(): DigestTimings;
}

export function startRun(
  { cache, engine, maxPoints = Number.POSITIVE_INFINITY, reportFailure }: DigestDeps,
  stages: ModelStages,
  signal: AbortSignal | undefined,
  { id = newDigestId(), checkpoints, onProgress, onSentence, onDrafted }: RunOptions,
): Run {
  const spent = new Map<Stage, number>();
  const timings = (): DigestTimings => {
    const rounded = (stage: Stage): number => Math.round(10 * (spent.get(stage) ?? 0)) / 10;
    return Object.fromEntries(STAGES.map((stage) => [stage, rounded(stage)])) as DigestTimings;
  };
  const askedSoFar = (): number => stages.usage().total.requests;
  async function step<T>(name: string, dependsOn: unknown, work: () => T | Promise<T>, asked: number): Promise<T> {
    if (checkpoints === undefined) return work();
    const key = contentHash(JSON.stringify([checkpoints.version, dependsOn]));
    const found = checkpoints.kept.get(name);
    if (found?.key === key) {
      // The same key means the same step, and so the same type.
      const before: KeptStep<T> = parse(found.value);
      stages.restore(before.account);
      for (const stage of STAGES) spent.set(stage, Math.max(spent.get(stage) ?? 0, before.timings[stage]));
      return before.result;
    }
    const start = performance.now();
    const result = await work();
    signal?.throwIfAborted();
    if (performance.now() - start >= checkpoints.worthKeeping || askedSoFar() > asked) {
      const kept: KeptStep<T> = { result, account: stages.account(), timings: timings() };
      await checkpoints.save(name, key, stringify(kept));
    }
    return result;
  }
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
    onDrafted,
    signal,
    // After an abort, sentences composed in place of the writer's belong to no digest.
    onSentence:
      onSentence &&
      ((sentence) => {
        signal?.throwIfAborted();
        onSentence(sentence);
      }),
    time,
    step: (stage, name, key, work, asked = askedSoFar()) => time(stage, () => step(name, key, work, asked)),
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
