import type { MetricDefinition } from '../../contract/experiment.ts';
import type { Comparison } from '../../contract/experiment-results.ts';
import { detectableEffect, detectableShareEffect } from './statistics/detectable-effect.ts';
import type { MeanEstimate } from './statistics/mean-estimate.ts';
import { sampleSize } from './statistics/sample-size.ts';

/**
 * What the subjects there are could show with 80% power at one look, and how many more it takes for the minimum effect: the
 * larger of what the two arms lack. Variances are those of now, of shares those that go with the shares.
 */
export function subjectsNeeded(
  { type, direction, minimumEffect }: Pick<MetricDefinition, 'type' | 'direction' | 'minimumEffect'>,
  control: MeanEstimate,
  treatment: MeanEstimate,
  { alpha, controlShare }: { readonly alpha: number; readonly controlShare: number },
): Pick<Comparison, 'detectable' | 'stillNeeded'> {
  const areShares = type === 'binomial';
  const found = areShares
    ? detectableShareEffect(control, treatment.n, alpha, direction)
    : detectableEffect(control, treatment, alpha);
  // Without any variance everything would be detectable, which says only that nothing is known yet.
  const detectable = found !== null && found > 0 && Number.isFinite(found) ? found : null;
  const varies = control.variance + treatment.variance > 0;
  if (minimumEffect === null || !(minimumEffect > 0) || control.mean === 0 || !varies) {
    return { detectable, stillNeeded: null };
  }
  const difference = (direction === 'increase' ? 1 : -1) * minimumEffect * Math.abs(control.mean);
  const share = control.mean + difference;
  if (areShares && (share < 0 || share > 1)) return { detectable, stillNeeded: null };
  const needed = sampleSize(
    {
      difference,
      controlVariance: control.variance * control.n,
      treatmentVariance: areShares ? share * (1 - share) : treatment.variance * treatment.n,
      controlShare,
    },
    alpha,
  );
  const lacking = Math.max(0, needed.control - control.n, needed.treatment - treatment.n);
  return { detectable, stillNeeded: Number.isFinite(lacking) ? lacking : null };
}
