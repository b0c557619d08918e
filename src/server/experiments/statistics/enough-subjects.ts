/** An arm, as far as it shows how much is known of it. */
interface Activity {
  /** Subjects exposed. */
  readonly n: number;
  /** Of them, those whose value is not 0: the others say little, however many they are. */
  readonly active: number;
}

/** Subjects that each arm has, and active ones that it expects, before anything is judged: the intervals hold for many. */
export const ENOUGH_SUBJECTS = 100;
/** The same of a share, of those who convert and of those who do not. */
export const ENOUGH_OF_EITHER = 50;

/**
 * Whether two arms are large enough to judge by what holds for many subjects: by what the smaller arm expects, at the rate of both
 * together. Far stricter than the 5 of Cochran 1954, with which looks at uneven splits of rare or skewed values are wrong up to seven
 * times as often as alpha says (docs/decisions/experiment-statistics.md).
 */
export function enoughSubjects(control: Activity, treatment: Activity, areShares: boolean): boolean {
  const smaller = Math.min(control.n, treatment.n);
  if (smaller < ENOUGH_SUBJECTS) return false;
  const rate = (control.active + treatment.active) / (control.n + treatment.n);
  return areShares ? smaller * Math.min(rate, 1 - rate) >= ENOUGH_OF_EITHER : smaller * rate >= ENOUGH_SUBJECTS;
}
