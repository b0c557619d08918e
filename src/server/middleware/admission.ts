/** Lets work in as long as it can be begun in good time. */
export interface Admission {
  /** A function to call when the work has ended; null where it would have to wait too long. */
  enter(): (() => void) | null;
  /** Whether `enter` would turn a caller away now. */
  isFull(): boolean;
  readonly inFlight: number;
}

/** Share of the newest gap in the mean. */
const NEWEST = 0.1;

/**
 * While as many callers are served as may be and one leaves every g milliseconds, the next waits g for each caller before it that
 * is not served yet. Who would wait longer than `most` is turned away before the queue grows to where everybody times out.
 *
 * @param concurrency callers served at once, who are never turned away; 0 and a negative `most` turn everybody away
 * @param most milliseconds
 */
export function admission({
  concurrency,
  most,
  now = () => performance.now(),
}: {
  readonly concurrency: number;
  readonly most: number;
  readonly now?: () => number;
}): Admission {
  let inFlight = 0;
  /** Mean time between two callers that leave while as many are served as may be; 0 before that. */
  let gap = 0;
  /** What the fastest took so far: its share by the concurrency stands for the gap as long as that is not known. */
  let fastest = 0;
  /** When the last free place was taken, or the last caller left since. */
  let since = 0;
  const isFull = (): boolean =>
    inFlight >= concurrency && (inFlight - concurrency + 1) * (gap || fastest / Math.max(1, concurrency)) > most;
  return {
    isFull,
    enter() {
      if (isFull()) return null;
      inFlight++;
      const came = now();
      if (inFlight === Math.max(1, concurrency)) since = came;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        const time = now();
        fastest = fastest === 0 ? time - came : Math.min(fastest, time - came);
        if (inFlight >= concurrency) {
          gap = gap === 0 ? time - since : gap + NEWEST * (time - since - gap);
          since = time;
        }
        inFlight--;
      };
    },
    get inFlight() {
      return inFlight;
    },
  };
}
