/** What carries out the latest of several wishes. */
export interface LatestOnly<Task> {
  /** Carries it out after a short rest, and after the one under way; a task that still waits is dropped. */
  want(task: Task): void;
  /** Drops what waits, and gives up what is under way. */
  stop(): void;
}

/**
 * One at a time: while a slider moves, each answer is shown before the latest position is asked for, and none between is.
 *
 * @param rest milliseconds in which wishes are gathered before the last of them is carried out
 */
export function latestOnly<Task>(
  rest: number,
  carryOut: (task: Task, signal: AbortSignal) => Promise<void>,
): LatestOnly<Task> {
  let waiting: { readonly task: Task } | null = null;
  let underWay: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(): void {
    if (waiting === null || underWay !== null) return;
    const { task } = waiting;
    const giving = new AbortController();
    waiting = null;
    underWay = giving;
    const end = (): void => {
      if (underWay !== giving) return;
      underWay = null;
      begin();
    };
    carryOut(task, giving.signal).then(end, end);
  }

  return {
    want(task) {
      waiting = { task };
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
