import type { SentenceKind } from '../judge.ts';
import type { SentenceOutcome } from './shapes.ts';

/** What decides the outcome of a sentence. */
interface SentenceFacts {
  readonly cites: boolean;
  /** Whether as many of the documents that it cites support it as have to. */
  readonly isSupported: boolean;
  /** Whether it reports a nugget, with an answer that a document which it cites attests. */
  readonly reports: boolean;
  /** Whether it reports a nugget that states an absence. */
  readonly reportsAbsence: boolean;
  readonly kind: SentenceKind;
  /** Whether another sentence of the report states it: an earlier one, or one that cites. */
  readonly isRepeated: boolean;
}

/**
 * What becomes of a sentence (Mayfield et al. 2024, section 4). Citations are looked at first: the statement of an absence
 * that cites documents is judged by them, not as an absence. An answer cited to documents that do not attest it is no
 * answer (2). 5 and 6 differ by whether the rest of the report states the claim: the paper's example calls a sentence
 * redundant that only later ones state. That those have to cite, lest two bare claims excuse each other, is our reading.
 */
export function outcomeOf(facts: SentenceFacts): SentenceOutcome {
  if (facts.cites && !facts.isSupported) return 1;
  if (facts.cites) return facts.reports ? 3 : 2;
  if (facts.kind === 'absence') return facts.reportsAbsence ? 8 : 7;
  if (facts.kind === 'neither') return 4;
  return facts.isRepeated ? 6 : 5;
}

/** Whether an outcome is rewarded: the sentence tells what was wanted. */
export function isRewarded(outcome: SentenceOutcome): boolean {
  return outcome === 3 || outcome === 8;
}

/** Whether an outcome is left out of the precision of a report. */
export function isLeftOut(outcome: SentenceOutcome): boolean {
  return outcome === 2 || outcome === 4 || outcome === 6;
}
