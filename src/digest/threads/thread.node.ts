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
import { computations } from '../portable-engine.ts';
import { CACHE_LIMITS, type CachedCall, selectionCache } from '../select/selection-cache.ts';
import { cancellable, type Settled, settle, type ThreadCall, throwIfCancelled } from './thread-calls.ts';

export interface ThreadData {
  readonly matrix: MatrixProduct['name'];
}

const { matrix } = Piscina.workerData as ThreadData;
const encoders = new Map<string, Promise<Encoder>>();
const held = selectionCache(CACHE_LIMITS);
let product: Promise<MatrixProduct> | undefined;
let reader: Promise<SentenceReader> | undefined;

async function encoded(model: LocalModel, texts: readonly string[], asQueries: boolean): Promise<Encoding[]> {
  const key = JSON.stringify(model);
  const loading = encoders.get(key) ?? transformersEncoder(model);
  encoders.set(key, loading);
  const encoder = await loading;
  return asQueries ? encodeQueries(encoder, texts) : encoder.encode(texts);
}

async function scores(question: string, passages: readonly Passage[]): Promise<Float64Array[]> {
  reader ??= shippedReader();
  return (await reader).read(question, passages);
}

/** What a call may use; its products and draws stop once it is cancelled. */
function toolsFor({ cancel }: ThreadCall<unknown>) {
  const products = async (): Promise<MatrixProduct> => {
    product ??= chooseMatrixProduct(matrix);
    return cancellable(await product, cancel);
  };
  return { products, engine: computations(products, () => throwIfCancelled(cancel)) };
}

/** A function of a thread, called by its name. `workOf` gets what stops with the call. */
function inThread<Given extends readonly unknown[], Result>(
  workOf: (tools: ReturnType<typeof toolsFor>) => (...given: Given) => Promise<Result>,
): (call: ThreadCall<Given>) => Promise<Settled<Result>> {
  return (call) =>
    settle(async () => {
      throwIfCancelled(call.cancel);
      return workOf(toolsFor(call))(...call.given);
    });
}

export const encode = inThread(() => encoded);
export const read = inThread(() => scores);
export const extract = inThread(({ engine }) => engine.extract);
export const rank = inThread(({ engine }) => engine.rank);
export const select = inThread(({ engine }) => engine.select);
/** Null if the statements are neither cached by this thread nor given. */
export const selectCached = inThread(
  ({ products }) =>
    async (call: CachedCall) =>
      held.select(call, await products()),
);
export const draw = inThread(({ engine }) => engine.draw);
export const knownSimilarity = inThread(({ engine }) => engine.knownSimilarity);
