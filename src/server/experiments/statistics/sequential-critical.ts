/** Subjects of both arms at which the sequence is about as narrow as it can be; GrowthBook's default. */
const TUNED_FOR = 5000;

/** The square of rho, which shapes a confidence sequence (Waudby-Smith et al. 2021, with GrowthBook's tuning). */
export function rhoSquared(alpha: number): number {
  return (-2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha))) / TUNED_FOR;
}

/**
 * How many standard errors of the difference an interval of level 1 - alpha reaches to each side, if it is to hold at every
 * look: the asymptotic confidence sequence of Waudby-Smith et al. 2021 (arXiv 2103.06476) by N times the variance
 * of the difference, as GrowthBook has it. 1.55 times the fixed one at 5,000 subjects, 1.97 times at 500.
 *
 * @param subjects N, of both arms; at least 1
 */
export function sequentialCritical(subjects: number, alpha: number): number {
  const spread = subjects * rhoSquared(alpha);
  return Math.sqrt(((2 * (spread + 1)) / spread) * Math.log(Math.sqrt(spread + 1) / alpha));
}
