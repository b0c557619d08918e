import type { Variant, VariantOptions } from '../../contract/index.ts';
import { planDigest } from '../../digest/index.ts';
import { InvalidExperimentError, pointedProblem } from '../errors.ts';
import { checkLimits } from '../limits.ts';
import type { WorkDeps } from './work.ts';

/** Any question: options are checked more thoroughly with one. */
const INTENT = 'What is new?';

/** Rejects variants that would later exclude all subjects, for example with a missing encoder. @throws InvalidExperimentError */
export function checkVariants(variants: readonly Variant[], deps: WorkDeps): void {
  const [first, ...more] = variants.flatMap(({ options }, place) => {
    const { selection, summary, engine } = alone(options);
    try {
      checkLimits(options, deps.limits);
      planDigest({ intent: INTENT, selection, summary, engine }, deps);
      return [];
    } catch (error) {
      const problem = pointedProblem(error);
      return [{ ...problem, pointer: `/variants/${place}/options${problem.pointer}` }];
    }
  });
  if (first !== undefined) throw new InvalidExperimentError([first, ...more]);
}

/** Omits options whose validity depends on the request. */
function alone({ selection, engine, ...rest }: VariantOptions): VariantOptions {
  const hasStrategy = selection?.strategy !== undefined || selection?.preset !== undefined;
  return {
    ...rest,
    selection: hasStrategy ? selection : { ...selection, size: undefined },
    engine: engine?.extractor === undefined ? { ...engine, extraction: undefined } : engine,
  };
}
