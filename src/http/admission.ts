/** Lets work in as long as it can be begun in good time. */
export interface Admission {
  /** A function to call when the work has ended; null where it would have to wait too long. */
  enter(): (() => void) | null;
  readonly inFlight: number;
}

/** Share of the newest gap in the mean. */
const NEWEST = 0.1;

/**
 * By Little's law: with n callers served and one leaving every g milliseconds, the next waits n g. Who would wait longer than
 * `most` is turned away before the queue grows to where everybody times out.
 *
 * @param hands callers served at once, who are never turned away
 * @param most milliseconds
 */
export function admission({
  hands,
  most,
  now = () => performance.now(),
}: {
  readonly hands: number;
  readonly most: number;
  readonly now?: () => number;
}): Admission {
  let inFlight = 0;
  let gap = 0;
  /** When the last caller left, or the first came after quiet. */
  let since = now();
  return {
    enter() {
      if (inFlight >= hands && inFlight * gap > most) return null;
      if (inFlight === 0) since = now();
      inFlight++;
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        inFlight--;
        const time = now();
        gap = gap === 0 ? time - since : gap + NEWEST * (time - since - gap);
        since = time;
      };
    },
    get inFlight() {
      return inFlight;
    },
  };
}
