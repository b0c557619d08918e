import type { MatrixProduct } from '../../models/index.ts';
import { TesseraError } from '../../text/index.ts';

/** A flag that threads share: not zero where nobody waits for the work any more. */
export type CancelFlag = Int32Array<SharedArrayBuffer>;

/** Nobody waits for the work any more. */
export class WorkCancelledError extends TesseraError {
  readonly code = 'cancelled';

  constructor() {
    super('The caller is gone.');
  }
}

/** Runs on the side that waits: raises the flag with the signal, and rejects then at once. */
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

/** Runs in the thread: @throws WorkCancelledError where the flag is raised */
export function throwIfCancelled(flag: CancelFlag | null | undefined): void {
  if (flag != null && Atomics.load(flag, 0) !== 0) throw new WorkCancelledError();
}

/** Products that stop where the flag is raised. A thread cannot be ended from outside while native code runs in it. */
export function cancellable(product: MatrixProduct, flag: CancelFlag | null | undefined): MatrixProduct {
  if (flag == null) return product;
  const { prepareMatches } = product;
  return {
    name: product.name,
    ...(prepareMatches !== undefined && {
      prepareMatches(right, inner) {
        throwIfCancelled(flag);
        const prepared = prepareMatches(right, inner);
        return async (left) => {
          throwIfCancelled(flag);
          return prepared(left);
        };
      },
    }),
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
