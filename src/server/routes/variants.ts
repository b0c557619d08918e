import type { Variant, VariantOptions } from '../../contract/index.ts';
import { planDigest } from '../../digest/index.ts';
import { InvalidExperimentError, type PointedProblem, pointedProblem } from '../errors.ts';
import { checkLimits, type Limits } from '../limits.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface OptionDeps extends ServiceDeps {
  readonly limits: Limits;
}

/** Any question: options are checked more thoroughly with one. */
const INTENT = 'What is new?';

/** Rejects variants that would later exclude all subjects, for example with a missing encoder. @throws InvalidExperimentError */
export function checkVariants(variants: readonly Variant[], deps: OptionDeps): void {
  const [first, ...more] = variants.flatMap(({ options }, place) => {
    const { selection, summary, engine } = alone(options);
    const problem =
      problemFound(() => checkLimits(options, deps.limits)) ??
      problemFound(() => planDigest({ intent: INTENT, selection, summary, engine }, deps));
    return problem === null ? [] : [{ ...problem, pointer: `/variants/${place}/options${problem.pointer}` }];
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

function problemFound(check: () => void): PointedProblem | null {
  try {
    check();
    return null;
  } catch (error) {
    return pointedProblem(error);
  }
}
