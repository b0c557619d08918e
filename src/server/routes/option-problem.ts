import type { DigestRequest, VariantOptions } from '../../contract/index.ts';
import { planDigest, queryOf } from '../../digest/index.ts';
import { TesseraError } from '../../text/index.ts';
import type { PointedProblem } from '../experiments/invalid-experiment-error.ts';
import { checkLimits, type Limits } from '../limits.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** What options are held to. */
export interface OptionDeps extends ServiceDeps {
  readonly limits: Limits;
}

/** Stands for any. */
const INTENT = 'What is new?';

/**
 * What is wrong with options, of all that can be told before a document is read; null where they can be served.
 *
 * @param isAsked whether they come with an intent: with one more is checked
 */
export function optionProblem(
  { selection, summary, engine }: VariantOptions,
  deps: OptionDeps,
  isAsked = true,
): PointedProblem | null {
  return problemFound(() => {
    checkLimits({ selection }, deps.limits);
    planDigest({ documents: [], ...(isAsked && { intent: INTENT }), selection, summary, engine }, deps);
  });
}

/** What a check throws that points at something; null where it throws nothing. */
export function problemFound(check: () => void): PointedProblem | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof TesseraError) || error.pointer === null) throw error;
    return { pointer: error.pointer, detail: error.message };
  }
}

/** Tells which options an order can be served with. */
export function servedWith({ intent }: DigestRequest, deps: OptionDeps): (options: VariantOptions) => boolean {
  const plain = typeof intent === 'object' ? { ...intent, background: undefined } : intent;
  let isAsked: boolean | undefined;
  return (options) => {
    isAsked ??= queryOf({ intent: plain }, false).text !== null;
    return optionProblem(options, deps, isAsked) === null;
  };
}
