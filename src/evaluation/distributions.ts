/** Relative precision at which series and continued fractions stop. */
const PRECISION = 1e-16;
/** Keeps the denominators of a continued fraction from 0 (Lentz's method). */
const TINY = 1e-300;
/** Maximum number of terms; the slowest case, Student's t with 1e9 degrees of freedom near its mean, takes about 1e5. */
const MAX_TERMS = 1_000_000;

/**
 * Probability that a standard normal variable is at most z; the lower tail keeps its relative precision down to z =
 * -38. Series for |z| < 2.5, Laplace's continued fraction beyond (Abramowitz & Stegun, 26.2.11 and 26.2.14).
 */
export function normalCdf(z: number): number {
  const x = Math.abs(z);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x >= 2.5) {
    const tail = density / fraction(x, (n) => n);
    return z < 0 ? tail : 1 - tail;
  }
  let [sum, term] = [x, x];
  for (let n = 3; term > PRECISION * sum; n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return z < 0 ? 0.5 - density * sum : 0.5 + density * sum;
}

/** The z below which a standard normal variable lies with probability p, 0 to 1. */
export function normalQuantile(p: number): number {
  return quantile(p, normalCdf);
}

/**
 * The value below which a variable symmetric about 0 lies with probability p, by bisection down to neighbouring doubles in the
 * lower tail, where the distribution keeps its relative precision.
 */
function quantile(p: number, cdf: (x: number) => number): number {
  if (p > 0.5) return -quantile(1 - p, cdf);
  if (p === 0 || p === 0.5) return p === 0 ? Number.NEGATIVE_INFINITY : 0;
  let [low, high] = [-1, 0];
  while (cdf(low) > p) [low, high] = [2 * low, low];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return low;
    if (cdf(middle) > p) high = middle;
    else low = middle;
  }
}

/**
 * Probability that a variable with Student's t distribution is at most t (Abramowitz & Stegun, 26.7.1); the lower tail keeps
 * its relative precision.
 *
 * @param degreesOfFreedom more than 0, fractions as well
 */
export function tCdf(t: number, degreesOfFreedom: number): number {
  const square = t * t;
  const x = degreesOfFreedom / (degreesOfFreedom + square);
  const tail = incompleteBeta(x, square / (degreesOfFreedom + square), degreesOfFreedom / 2, 0.5) / 2;
  return t <= 0 ? tail : 1 - tail;
}

/**
 * The t below which a variable with Student's t distribution lies with probability p.
 *
 * @param p 0 to 1
 * @param degreesOfFreedom more than 0
 */
export function tQuantile(p: number, degreesOfFreedom: number): number {
  return quantile(p, (t) => tCdf(t, degreesOfFreedom));
}

/**
 * Two-sided p-value of a statistic, from the lower tail, so that extreme values do not round to 0.
 * @param degreesOfFreedom of Student's t; null for the normal distribution
 */
export function twoSidedP(statistic: number, degreesOfFreedom: number | null): number {
  const lower = -Math.abs(statistic);
  return 2 * (degreesOfFreedom === null ? normalCdf(lower) : tCdf(lower, degreesOfFreedom));
}

/**
 * Probability that a chi-square variable exceeds x, by the finite sums for whole degrees of freedom (Abramowitz & Stegun, 26.4.4
 * and 26.4.5).
 *
 * @param degreesOfFreedom a whole number from 1
 */
export function chiSquareTail(x: number, degreesOfFreedom: number): number {
  if (x <= 0) return 1;
  const odd = degreesOfFreedom % 2 === 1;
  const root = Math.sqrt(x);
  let term = odd ? Math.sqrt(2 / Math.PI) * Math.exp(-x / 2) * root : Math.exp(-x / 2);
  let tail = odd ? 2 * normalCdf(-root) : 0;
  for (let i = odd ? 1 : 0; i < degreesOfFreedom; i += 2) {
    tail += term;
    term *= x / (i + 2);
  }
  return Math.min(1, tail);
}

/**
 * p-values corrected for multiple tests: Holm (1979) bounds the probability of any false positive, Benjamini & Hochberg
 * (1995) the expected share of false positives. Missing ones (null) stay null but count as tests.
 */
export function adjustPValues(
  values: readonly (number | null)[],
  correction: 'holm' | 'benjamini-hochberg',
): (number | null)[] {
  const ascending = values.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const adjusted = values.map((): number | null => null);
  if (correction === 'holm') {
    let largest = 0;
    for (const [rank, { p, index }] of ascending.entries()) {
      largest = Math.max(largest, Math.min(1, (values.length - rank) * p));
      adjusted[index] = largest;
    }
  } else {
    let smallest = 1;
    for (const [rank, { p, index }] of [...ascending.entries()].reverse()) {
      smallest = Math.min(smallest, (values.length / (rank + 1)) * p);
      adjusted[index] = smallest;
    }
  }
  return adjusted;
}

/**
 * Regularised incomplete beta function I_x(a, b) by its continued fraction (Abramowitz & Stegun, 26.5.8), for a or b = 1/2.
 *
 * @param x 0 to 1
 * @param rest 1 - x, passed separately so that an x close to 1 keeps its digits
 */
function incompleteBeta(x: number, rest: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(rest, x, b, a);
  const logX = x < 0.5 ? Math.log(x) : Math.log1p(-rest);
  const logRest = rest < 0.5 ? Math.log(rest) : Math.log1p(-x);
  const front = (halfGammaRatio(a === 0.5 ? b : a) / Math.sqrt(Math.PI)) * Math.exp(a * logX + b * logRest);
  const numerator = (n: number): number => {
    const m = Math.floor(n / 2);
    return n % 2 === 0
      ? (m * (b - m) * x) / ((a + n - 1) * (a + n))
      : (-(a + m) * (a + b + m) * x) / ((a + n - 1) * (a + n));
  };
  return front / (a * fraction(1, numerator));
}

/** The continued fraction b + a(1) / (b + a(2) / (b + …)) by Lentz's method. */
function fraction(b: number, a: (n: number) => number): number {
  let [value, c, d] = [b, b, 0];
  for (let n = 1; n <= MAX_TERMS; n++) {
    d = 1 / (b + a(n) * d || TINY);
    c = b + a(n) / c || TINY;
    value *= c * d;
    // The even terms of the beta fraction are tiny from the start, so only an odd one shows convergence.
    if (n % 2 === 1 && Math.abs(c * d - 1) < 2 * PRECISION) break;
  }
  return value;
}

/**
 * Γ(a + 1/2) / Γ(a) for a > 0: the asymptotic series from 20 up, the recurrence below. Unlike a difference of
 * logarithms it keeps its digits for large a.
 */
function halfGammaRatio(a: number): number {
  if (a < 20) return (halfGammaRatio(a + 1) * a) / (a + 0.5);
  const square = 1 / (a * a);
  const series = 1 / 8 - square * (1 / 192 - square * (1 / 640 - square * (17 / 14336 - (square * 31) / 18432)));
  return Math.sqrt(a) * Math.exp(-series / a);
}
