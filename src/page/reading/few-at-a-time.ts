/** A function that runs what it is given, so many at once; the others wait their turn, those that are given up do not. */
export function fewAtATime(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      const next = waiting.shift();
      // The turn is handed on.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
