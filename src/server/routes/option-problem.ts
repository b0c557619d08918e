import type { VariantOptions } from '../../contract/index.ts';
import { planDigest } from '../../digest/index.ts';
import { type PointedProblem, pointedProblem } from '../experiments/invalid-experiment-error.ts';
import { checkLimits, type Limits } from '../limits.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** What options are held to. */
export interface OptionDeps extends ServiceDeps {
  readonly limits: Limits;
}

/** Stands for any: with one, more is checked. */
const INTENT = 'What is new?';

/** What is wrong with options, of all that can be told before a document is read; null where they can be served. */
export function optionProblem({ selection, summary, engine }: VariantOptions, deps: OptionDeps): PointedProblem | null {
  return problemFound(() => {
    checkLimits({ selection }, deps.limits);
    planDigest({ intent: INTENT, selection, summary, engine }, deps);
  });
}

/** What a check throws that points at something; null where it throws nothing. */
export function problemFound(check: () => void): PointedProblem | null {
  try {
    check();
    return null;
  } catch (error) {
    return pointedProblem(error);
  }
}
