import type { GuardrailVerdict } from '../../../contract/index.ts';
import type { MeanEstimate } from './mean-estimate.ts';

/**
 * Whether a metric gets worse by no more than a relative margin: a test of non-inferiority by the interval of the contrast
 * m_t - (1 + margin) m_c (for the worse; Fieller 1954), which divides by nothing and so holds for a control near 0 too.
 *
 * @param margin relative and positive: 0.02 allows to get worse by two percent
 * @param direction which way is better
 * @param critical how many standard errors the interval reaches to each side
 */
export function guardrailVerdict(
  control: MeanEstimate,
  treatment: MeanEstimate,
  {
    margin,
    direction,
    critical,
  }: { readonly margin: number; readonly direction: 'increase' | 'decrease'; readonly critical: number },
): GuardrailVerdict {
  const worse = direction === 'decrease' ? 1 : -1;
  const factor = worse + margin * (control.mean < 0 ? -1 : 1);
  const beyond = worse * treatment.mean - factor * control.mean;
  const reach = critical * Math.sqrt(treatment.variance + factor * factor * control.variance);
  if (beyond + reach < 0) return 'safe';
  return beyond - reach > 0 ? 'breached' : 'unclear';
}
