import type { Comparison, Interval, MetricType } from '../../../src/contract/index.ts';
import { type Random, seededRandom } from '../../../src/selection/index.ts';
import { armResults, compareArms } from '../../../src/server/experiments/results.ts';
import { sampleRatio } from '../../../src/server/experiments/statistics.ts';

/** A kind of subjects: a share that converts, or skewed values, or ratios over 1 to 8 denominators. */
interface World {
  readonly type: MetricType;
  /** True value of the control; the share of a binomial metric. */
  readonly value: number;
  /** True relative change of the treatment. */
  readonly effect: number;
  /** Share of the subjects in the treatment; a half by default. */
  readonly share?: number;
  /** Share of the subjects with any value, of a mean; all by default. Then values are lognormal. */
  readonly active?: number;
}

export const WORLDS = {
  share: { type: 'binomial', value: 0.2, effect: 0 },
  mean: { type: 'mean', value: 5, effect: 0 },
  ratio: { type: 'ratio', value: 0.4, effect: 0 },
} as const satisfies Record<string, World>;

/** Splits and values for which looks are wrong more often than they should be, unless enough is known first. */
export const UNEVEN = {
  'share of 2%, 90:10': { type: 'binomial', value: 0.02, effect: 0, share: 0.1 },
  'revenue, 5% buy, 90:10': { type: 'mean', value: 1, effect: 0, share: 0.1, active: 0.05 },
  'revenue, 20% buy, 80:20': { type: 'mean', value: 1, effect: 0, share: 0.2, active: 0.2 },
  'revenue, 2% buy, 95:5': { type: 'mean', value: 1, effect: 0, share: 0.05, active: 0.02 },
} as const satisfies Record<string, World>;

interface Tally {
  active: number;
  n: number;
  x: number;
  xx: number;
  y: number;
  yy: number;
  xy: number;
}

/** Subjects of two arms as they come, and what the service would make of them at any time. */
class Trial {
  readonly #world: World;
  readonly #random: Random;
  readonly #arms: readonly [Tally, Tally] = [empty(), empty()];

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  add(subjects: number): void {
    this.#arms.forEach((tally, arm) => {
      const value = this.#world.value * (arm === 0 ? 1 : 1 + this.#world.effect);
      const { share = 0.5 } = this.#world;
      const own = Math.round(2 * subjects * (arm === 0 ? 1 - share : share));
      for (let i = 0; i < own; i++) draw(this.#world, value, this.#random, tally);
    });
  }

  compare(): Comparison {
    const metric = { type: this.#world.type, direction: 'increase', minimumEffect: null } as const;
    const variants = ['a', 'b'].map((name) => ({ name, weight: 0.5, options: {} }));
    const exposed = this.#arms.map(({ n }) => n);
    const sums = this.#arms.map((own, variant) => {
      return { ...own, metric: 0, variant, events: own.active, positive: own.active };
    });
    const [control, treatment] = armResults(metric, variants, exposed, sums);
    return compareArms(metric, control, treatment, { alpha: 0.05, controlShare: 1 }).comparison;
  }
}

function empty(): Tally {
  return { active: 0, n: 0, x: 0, xx: 0, y: 0, yy: 0, xy: 0 };
}

function draw({ type, active }: World, value: number, random: Random, tally: Tally): void {
  let x = 0;
  let y = 0;
  if (type === 'binomial') x = random() < value ? 1 : 0;
  else if (type === 'ratio') {
    y = 1 + Math.floor(8 * random());
    // Each subject has a rate of its own, so that its events go together.
    const rate = value * 2 * random();
    for (let i = 0; i < y; i++) if (random() < rate) x++;
  } else if (active === undefined) x = -value * Math.log(1 - random());
  else if (random() < active) {
    x = value * Math.exp(Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  }
  if (x !== 0) tally.active++;
  tally.n++;
  tally.x += x;
  tally.xx += x * x;
  tally.y += y;
  tally.yy += y * y;
  tally.xy += x * y;
}

interface Size {
  /** Subjects of each arm. */
  readonly subjects: number;
  readonly runs: number;
  readonly seed: number;
}

/** Share of the runs whose test rejects, and whose intervals hold the true difference and lift. */
export function lookOnce(world: World, { subjects, runs, seed }: Size) {
  const random = seededRandom(seed);
  const found = { rejected: 0, covered: 0, liftCovered: 0 };
  for (let run = 0; run < runs; run++) {
    const trial = new Trial(world, random);
    trial.add(subjects);
    const { p, interval, liftInterval } = trial.compare();
    if (p !== null && p < 0.05) found.rejected++;
    if (holds(interval, world.value * world.effect)) found.covered++;
    if (holds(liftInterval, world.effect)) found.liftCovered++;
  }
  return { rejected: found.rejected / runs, covered: found.covered / runs, liftCovered: found.liftCovered / runs };
}

/** Share of the runs in which any of 100 looks, evenly over the subjects, finds a difference: by the fixed test, and sequentially. */
export function lookOften(world: World, { subjects, runs, seed }: Size) {
  const random = seededRandom(seed);
  const found = { fixed: 0, sequential: 0 };
  for (let run = 0; run < runs; run++) {
    const trial = new Trial(world, random);
    let [fixed, sequential] = [false, false];
    for (let look = 0; look < 100; look++) {
      trial.add(subjects / 100);
      const { p, sequential: looks } = trial.compare();
      fixed ||= p !== null && p < 0.05;
      sequential ||= looks !== null && !holds(looks.interval, 0);
    }
    found.fixed += fixed ? 1 : 0;
    found.sequential += sequential ? 1 : 0;
  }
  return { fixed: found.fixed / runs, sequential: found.sequential / runs };
}

/** Share of fair splits that are called a mismatch. */
export function splitFairly(weights: readonly number[], { subjects, runs, seed }: Size): number {
  const random = seededRandom(seed);
  let alarms = 0;
  for (let run = 0; run < runs; run++) {
    const counts = weights.map(() => 0);
    for (let i = 0; i < subjects; i++) {
      let place = random();
      let arm = 0;
      while (arm < weights.length - 1 && place >= weights[arm]) place -= weights[arm++];
      counts[arm]++;
    }
    if (sampleRatio(counts, weights).mismatch) alarms++;
  }
  return alarms / runs;
}

function holds(interval: Interval | null, value: number): boolean {
  return interval !== null && interval.low <= value && interval.high >= value;
}
