interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the timer; the signal is no longer aborted. */
  end(): void;
}

/** Max delay of a timer; a longer one fires at once. */
const LONGEST = 2 ** 31 - 1;

/** A signal that aborts after some time, with `reason()`, or with the caller's. Without milliseconds, or with weeks of them, only with the caller's. */
export function startDeadline(
  milliseconds: number | undefined,
  reason: () => Error,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  const isTimed = milliseconds !== undefined && milliseconds <= LONGEST;
  const timer = isTimed ? setTimeout(() => controller.abort(reason()), milliseconds) : undefined;
  return {
    signal: outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]),
    end: () => clearTimeout(timer),
  };
}

/** Settles with the promise, or rejects with the signal's reason once it aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

/** Waits, or rejects with the signal's reason once it aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return unlessAborted(waited, signal).finally(() => clearTimeout(timer));
}
