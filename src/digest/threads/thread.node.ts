import { Piscina } from 'piscina';
import { chooseMatrixProduct, type LocalModel, shippedReader, transformersEncoder } from '../../models/index.node.ts';
import {
  type Encoder,
  type Encoding,
  encodeQueries,
  type MatrixProduct,
  type Passage,
  type SentenceReader,
} from '../../models/index.ts';
import {
  type Draws,
  type Projection,
  principalComponents,
  type RecallTask,
  type Selection,
  type SelectionOptions,
} from '../../selection/index.ts';
import type { Extraction } from '../engine.ts';
import { extractText, recallAll } from '../portable-engine.ts';
import { type Ranking, type RankingTask, runRanking } from '../rank/ranking-task.ts';
import { CACHE_LIMITS, type CachedCall, selectionCache } from '../select/selection-cache.ts';
import {
  type KnownSimilarityTask,
  runDraws,
  runKnownSimilarity,
  runSelection,
  type SelectionTask,
} from '../select/selection-task.ts';
import { type CancelFlag, cancellable, type Settled, settle, throwIfCancelled } from './thread-calls.ts';

export interface ThreadData {
  readonly matrix: MatrixProduct['name'];
}

const { matrix } = Piscina.workerData as ThreadData;
const encoders = new Map<string, Promise<Encoder>>();
const held = selectionCache(CACHE_LIMITS);
let product: Promise<MatrixProduct> | undefined;
let reader: Promise<SentenceReader> | undefined;

export function extract(text: string): Extraction {
  return extractText(text);
}

export async function encode(call: {
  readonly model: LocalModel;
  readonly texts: readonly string[];
  readonly asQueries: boolean;
}): Promise<Encoding[]> {
  const { model, texts, asQueries } = call;
  const key = JSON.stringify(model);
  const loading = encoders.get(key) ?? transformersEncoder(model);
  encoders.set(key, loading);
  const loaded = await loading;
  return asQueries ? encodeQueries(loaded, texts) : loaded.encode(texts);
}

export async function read(call: {
  readonly question: string;
  readonly passages: readonly Passage[];
}): Promise<Float64Array[]> {
  reader ??= shippedReader();
  return (await reader).read(call.question, call.passages);
}

export function rank(task: RankingTask): Ranking {
  return runRanking(task);
}

interface SelectionCall {
  readonly task: SelectionTask;
  readonly options: SelectionOptions;
  readonly cancel?: CancelFlag | null;
}

export async function select({ task, options, cancel }: SelectionCall): Promise<Settled<Selection>> {
  return settle(async () => {
    throwIfCancelled(cancel);
    return runSelection(task, options, cancellable(await products(), cancel));
  });
}

/** Null if the statements are neither cached by this thread nor given. */
export async function selectCached(cached: {
  readonly call: CachedCall;
  readonly cancel: CancelFlag | null;
}): Promise<Settled<Selection | null>> {
  const { call, cancel } = cached;
  return settle(async () => {
    throwIfCancelled(cancel);
    return held.select(call, cancellable(await products(), cancel));
  });
}

export async function draw({
  task,
  options,
  count,
  cancel,
}: SelectionCall & { count: number }): Promise<Settled<Draws>> {
  return settle(async () =>
    runDraws(task, options, cancellable(await products(), cancel), count, () => throwIfCancelled(cancel)),
  );
}

export async function knownSimilarity(task: KnownSimilarityTask): Promise<Float64Array> {
  return runKnownSimilarity(task, await products());
}

export async function recall(tasks: readonly RecallTask[]): Promise<Float64Array[]> {
  return recallAll(tasks, await products());
}

export function project(call: { readonly vectors: readonly Float32Array[]; readonly dimensions: number }): Projection {
  return principalComponents(call.vectors, call.dimensions);
}

function products(): Promise<MatrixProduct> {
  product ??= chooseMatrixProduct(matrix);
  return product;
}
