import { canonicalJson } from '../../contract/index.ts';
import { type DigestDeps, type DigestPlan, planDigest } from '../../digest/index.ts';
import { contentHash } from '../../text/index.ts';
import { judgeIdentity } from '../bulk/judge-identity.ts';
import type { Arm } from './arm.ts';
import type { Datum } from './datum.ts';
import { identityOfPlan, readingOf } from './identity-of-plan.ts';
import type { ComparisonWork } from './run-comparison.ts';
import { COMPARISON_JUDGE } from './score-digest.ts';

/** To be raised where the figures of the same digest are counted otherwise than before. */
const VERSION = 1;

/** One digest to make: an arm over a datum. */
export interface PlannedDigest extends ComparisonWork {
  readonly arm: Arm;
  readonly datum: Datum;
  /** Its plan, as no plan serves twice. */
  plan(signal?: AbortSignal): DigestPlan;
}

/**
 * Every arm over every datum, those of a datum after each other.
 *
 * @param version of the service, whose stages may choose otherwise in the next one
 * @throws UnusableOptionError where an option of an arm cannot be had here
 */
export function planComparison(
  arms: readonly Arm[],
  data: readonly Datum[],
  deps: DigestDeps,
  version: string,
): PlannedDigest[] {
  return data.flatMap((datum) => {
    const isScored = datum.insights !== undefined || datum.questions !== undefined;
    const judge = isScored ? judgeIdentity(COMPARISON_JUDGE, deps) : null;
    const given = contentHash(canonicalJson([VERSION, version, datum, judge]));
    return arms.map((arm): PlannedDigest => {
      const { documents, intent } = datum;
      const plan = (signal?: AbortSignal) => planDigest({ documents, intent, ...arm.options }, deps, signal);
      const planned = plan();
      const identity = identityOfPlan(planned, arm.options, deps);
      return {
        arm,
        datum,
        key: contentHash(canonicalJson([given, identity])),
        reading: readingOf(identity),
        usesModel: identity.model !== null,
        plan,
      };
    });
  });
}
