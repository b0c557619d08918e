/** How work under a deadline ended. */
export type Outcome<T> =
  | { readonly value: T }
  | {
      readonly error: unknown;
      /** Whether the deadline ended it. */
      readonly isLate: boolean;
    };

/** Does work that a signal ends after so many milliseconds, or when the caller's signal is aborted. */
export async function withDeadline<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<Outcome<T>> {
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, milliseconds);
  const end = (): void => controller.abort();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    return { value: await work(controller.signal) };
  } catch (error) {
    return { error, isLate };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
