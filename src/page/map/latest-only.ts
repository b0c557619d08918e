/** What carries out the latest of several wishes. */
export interface LatestOnly<Wish> {
  /** Carries it out after a short rest, and after the one under way; a wish that still waits is dropped. */
  want(wish: Wish): void;
  /** Drops what waits, and gives up what is under way. */
  stop(): void;
}

/**
 * One at a time: while a slider moves, each answer is shown before the latest position is asked for, and none between is.
 *
 * @param rest milliseconds in which wishes are gathered before the last of them is carried out
 */
export function latestOnly<Wish>(
  rest: number,
  carryOut: (wish: Wish, signal: AbortSignal) => Promise<void>,
): LatestOnly<Wish> {
  let waiting: { readonly wish: Wish } | null = null;
  let underWay: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(): void {
    if (waiting === null || underWay !== null) return;
    const { wish } = waiting;
    const giving = new AbortController();
    waiting = null;
    underWay = giving;
    const end = (): void => {
      if (underWay !== giving) return;
      underWay = null;
      begin();
    };
    carryOut(wish, giving.signal).then(end, end);
  }

  return {
    want(wish) {
      waiting = { wish };
      timer ??= setTimeout(() => {
        timer = undefined;
        begin();
      }, rest);
    },
    stop() {
      waiting = null;
      clearTimeout(timer);
      timer = undefined;
      underWay?.abort();
      underWay = null;
    },
  };
}
