import type { MeanEstimate } from './mean-estimate.ts';

/** Subjects that each arm has before anything is judged: the intervals hold for many. */
export const ENOUGH_SUBJECTS = 100;
/** Cochran 1954: a test of shares wants as many expected in every cell of its table. */
const ENOUGH_EXPECTED = 5;

/** Whether two arms are large enough to judge by what holds for many subjects. */
export function enoughSubjects(control: MeanEstimate, treatment: MeanEstimate, areShares: boolean): boolean {
  const smaller = Math.min(control.n, treatment.n);
  if (smaller < ENOUGH_SUBJECTS) return false;
  if (!areShares) return true;
  const pooled = (control.mean * control.n + treatment.mean * treatment.n) / (control.n + treatment.n);
  return smaller * Math.min(pooled, 1 - pooled) >= ENOUGH_EXPECTED;
}
