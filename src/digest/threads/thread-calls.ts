import { type MatrixProduct, ModelCallError } from '../../models/index.ts';
import { TesseraError } from '../../text/index.ts';
import { WorkCancelledError } from '../errors.ts';

/** Shared between threads; nonzero after cancellation. */
type CancelFlag = Int32Array<SharedArrayBuffer>;

export interface ThreadCall<Given> {
  readonly given: Given;
  readonly cancel: CancelFlag | null;
}

/** Main thread: raises the flag on abort, and rejects at once. */
export function withCancelFlag<T>(
  signal: AbortSignal | undefined,
  work: (flag: CancelFlag | null) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work(null);
  const flag: CancelFlag = new Int32Array(new SharedArrayBuffer(4));
  return new Promise((resolve, reject) => {
    const raise = (): void => {
      Atomics.store(flag, 0, 1);
      reject(new WorkCancelledError());
    };
    if (signal.aborted) return raise();
    signal.addEventListener('abort', raise, { once: true });
    work(flag)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', raise));
  });
}

/** Worker thread: @throws WorkCancelledError if the flag is raised */
export function throwIfCancelled(flag: CancelFlag | null): void {
  if (flag !== null && Atomics.load(flag, 0) !== 0) throw new WorkCancelledError();
}

/** Worker thread: products that check the flag, since a thread cannot be ended while native code runs in it. */
export function cancellable(product: MatrixProduct, flag: CancelFlag | null): MatrixProduct {
  if (flag === null) return product;
  return {
    name: product.name,
    prepareMatches(right, inner) {
      throwIfCancelled(flag);
      const prepared = product.prepareMatches(right, inner);
      return async (left) => {
        throwIfCancelled(flag);
        return prepared(left);
      };
    },
    async prepare(right, rows, inner) {
      throwIfCancelled(flag);
      const prepared = await product.prepare(right, rows, inner);
      return {
        rows: prepared.rows,
        async multiply(left, count) {
          throwIfCancelled(flag);
          return prepared.multiply(left, count);
        },
      };
    },
  };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly pointer: string | null;
  /** Of a failed call of a language model. */
  readonly call?: Pick<ModelCallError, 'failure' | 'usage' | 'isFatal' | 'cause'>;
}

/** A result or a failure; a TesseraError as plain data, since a thread boundary loses its class. */
export type Settled<T> = { readonly result: T } | { readonly refused: Refusal } | { readonly failure: Error };

class RefusedInThread extends TesseraError {
  readonly code: string;
  override readonly pointer: string | null;

  constructor({ code, message, pointer }: Refusal) {
    super(message);
    this.code = code;
    this.pointer = pointer;
  }
}

export async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { result: await work() };
  } catch (failure) {
    return failed(failure);
  }
}

export function failed(failure: unknown): Settled<never> {
  if (!(failure instanceof TesseraError))
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  const { code, message, pointer } = failure;
  if (!(failure instanceof ModelCallError)) return { refused: { code, message, pointer } };
  const { failure: kind, usage, isFatal, cause } = failure;
  const call = { failure: kind, usage, isFatal, ...(cause instanceof Error && { cause }) };
  return { refused: { code, message, pointer, call } };
}

export function unwrap<T>(settled: Settled<T>): T {
  if ('result' in settled) return settled.result;
  if ('failure' in settled) throw settled.failure;
  const { call, message } = settled.refused;
  if (call === undefined) throw new RefusedInThread(settled.refused);
  throw new ModelCallError(call.failure, message, call.usage, call);
}
