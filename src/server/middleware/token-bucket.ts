/** What a request for tokens came to. */
interface Taken {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds, rounded up, until there is one whole token more: the `t` of draft-10, which is no longer the time until all are back. */
  readonly resetSeconds: number;
  /** Seconds, rounded up, after which the same request passes if nobody else takes any; 0 where it was allowed. */
  readonly retryAfterSeconds: number;
}

/** A bucket of tokens for each key. */
export interface TokenBuckets {
  /**
   * Takes tokens out of the bucket of this key, or none where it has too few.
   *
   * @throws RangeError where no bucket could ever hold so many
   */
  take(key: string, cost?: number): Taken;
  /** Forgets buckets that are full again, which is what a new one is; `take` does so too. */
  forgetFull(): void;
  /** Buckets remembered: at most as many as keys were seen within one window. */
  readonly size: number;
}

interface Bucket {
  readonly level: number;
  readonly at: number;
}

/**
 * Buckets that hold `capacity` tokens and are refilled evenly, from empty to full in `seconds`.
 *
 * Not from a library (looked at in their code, November 2026): `limiter` 4.1 is one bucket that starts empty, with
 * `performance.now` built in and no keys; `rate-limiter-flexible` 11.4 counts in fixed windows, which let twice the quota
 * through around their edge, with `Date.now` and a timer for each key; `hono-rate-limiter` 0.5 has fixed windows as well,
 * header fields of older drafts and `unstorage` as a peer.
 *
 * @param now milliseconds; where this clock is set back, the time is taken to stand still
 * @throws RangeError unless capacity is a whole number and seconds a whole number of milliseconds, both above 0
 */
export function tokenBuckets(options: {
  readonly capacity: number;
  readonly seconds: number;
  readonly now: () => number;
}): TokenBuckets {
  const { capacity, now } = options;
  const window = options.seconds * 1000;
  // Levels are counted in tokens × window, of which each millisecond adds `capacity`: whole numbers, so nothing is lost
  // to rounding, and a wait that was told is enough.
  const full = capacity * window;
  if (!(capacity > 0 && window > 0 && Number.isInteger(capacity) && Number.isInteger(window))) {
    throw new RangeError(`${capacity} tokens in ${options.seconds} seconds are no rate.`);
  }
  if (!Number.isSafeInteger(full)) throw new RangeError('So many tokens in so long a time cannot be counted exactly.');

  // By last use, oldest first: the first ones are full first, give or take what was left in them.
  const buckets = new Map<string, Bucket>();
  let seen = Math.floor(now());
  let time = 0;

  const tick = () => {
    const reading = Math.floor(now());
    time += Math.max(0, reading - seen);
    seen = reading;
  };
  const levelOf = ({ level, at }: Bucket) => Math.min(full, level + (time - at) * capacity);
  const forgetFull = () => {
    for (const [key, bucket] of buckets) {
      if (levelOf(bucket) < full) return;
      buckets.delete(key);
    }
  };
  const secondsFor = (missing: number) => Math.ceil(missing / (capacity * 1000));

  return {
    take(key, cost = 1) {
      if (!(cost > 0 && cost <= capacity && Number.isInteger(cost))) {
        throw new RangeError(`${cost} tokens cannot be taken from a bucket of ${capacity}.`);
      }
      tick();
      forgetFull();
      const known = buckets.get(key);
      const before = known ? levelOf(known) : full;
      const price = cost * window;
      const allowed = before >= price;
      const level = allowed ? before - price : before;
      buckets.delete(key); // so that it moves to the end
      buckets.set(key, { level, at: time });
      return {
        allowed,
        remaining: Math.floor(level / window),
        resetSeconds: secondsFor(window - (level % window)),
        retryAfterSeconds: allowed ? 0 : secondsFor(price - level),
      };
    },
    forgetFull() {
      tick();
      forgetFull();
    },
    get size() {
      return buckets.size;
    },
  };
}
