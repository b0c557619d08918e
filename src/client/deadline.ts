/** A signal that is aborted when a time is up, or when the caller's is. */
interface Deadline {
  readonly signal: AbortSignal;
  /** Stops the clock; the signal is not aborted any more. */
  end(): void;
}

/** Longest time of a timer; one for longer would end at once. */
const LONGEST = 2 ** 31 - 1;

/** Starts a deadline; without milliseconds, or with weeks of them, only the caller's signal ends it. `reason` makes what the signal is aborted with. */
export function startDeadline(
  milliseconds: number | undefined,
  reason: () => Error,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  const stop = (): void => controller.abort(outer?.reason);
  const isTimed = milliseconds !== undefined && milliseconds <= LONGEST;
  const timer = isTimed ? setTimeout(() => controller.abort(reason()), milliseconds) : undefined;
  outer?.addEventListener('abort', stop, { once: true });
  if (outer?.aborted) stop();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
}

/** Settles as the promise does, or is rejected with the signal's reason as soon as that is aborted. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

/** Waits so many milliseconds, or is rejected with the signal's reason as soon as that is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
