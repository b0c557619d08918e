/** The narrowest and the widest sigma that the slider has. */
const SIGMA = { least: 0.05, most: 10 } as const;
/** Steps of the slider. */
export const SIGMA_STEPS = 100;

const SPAN = Math.log(SIGMA.most / SIGMA.least);

/** Sigma at a step of the slider, rounded to what people read. */
export function sigmaAt(step: number): number {
  return Number((SIGMA.least * Math.exp((step / SIGMA_STEPS) * SPAN)).toPrecision(2));
}

/** The step that is nearest to a sigma. */
export function stepOf(sigma: number): number {
  const step = (Math.log(sigma / SIGMA.least) / SPAN) * SIGMA_STEPS;
  return Math.round(Math.min(SIGMA_STEPS, Math.max(0, step)));
}
