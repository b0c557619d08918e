import type { Interval } from '../../../contract/index.ts';
import { around } from './around.ts';
import type { MeanEstimate } from './mean-estimate.ts';

/** The difference by the size of the control's mean; null where that is 0. */
export function relativeLift(control: number, treatment: number): number | null {
  const lift = (treatment - control) / Math.abs(control);
  return Number.isFinite(lift) ? lift : null;
}

/**
 * Interval of the relative lift by the delta method: variance v_b / m_a² + v_a m_b² / m_a⁴
 * (docs.growthbook.io/statistics/details, "Frequentist engine").
 *
 * @param critical how many standard errors the interval reaches to each side
 * @returns null where the control's own interval of that width includes 0: the lift may then be anything (Fieller 1954)
 */
export function liftInterval(control: MeanEstimate, treatment: MeanEstimate, critical: number): Interval | null {
  const lift = relativeLift(control.mean, treatment.mean);
  if (lift === null || Math.abs(control.mean) <= critical * Math.sqrt(control.variance)) return null;
  const ratio = treatment.mean / control.mean;
  const error = Math.sqrt(treatment.variance + ratio * ratio * control.variance) / Math.abs(control.mean);
  return Number.isFinite(error) ? around(lift, critical * error) : null;
}
