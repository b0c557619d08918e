import type { Variant, VariantOptions } from '../../contract/index.ts';
import { InvalidExperimentError } from '../experiments/invalid-experiment-error.ts';
import { checkLimits } from '../limits.ts';
import { type OptionDeps, optionProblem, problemFound } from './option-problem.ts';

/**
 * Refuses variants that this service could not serve, before all subjects are left out because of them: without the encoder, the
 * prompt or the language model that they name.
 *
 * @throws InvalidExperimentError
 */
export function checkVariants(variants: readonly Variant[], deps: OptionDeps): void {
  const [first, ...more] = variants.flatMap(({ options }, place) => {
    const problem = problemFound(() => checkLimits(options, deps.limits)) ?? optionProblem(alone(options), deps);
    return problem === null ? [] : [{ ...problem, pointer: `/variants/${place}/options${problem.pointer}` }];
  });
  if (first !== undefined) throw new InvalidExperimentError([first, ...more]);
}

/** Without what is right or wrong only together with what requests say themselves. */
function alone({ selection, engine, ...rest }: VariantOptions): VariantOptions {
  const hasStrategy = selection?.strategy !== undefined || selection?.preset !== undefined;
  return {
    ...rest,
    selection: hasStrategy ? selection : { ...selection, size: undefined },
    engine: engine?.extractor === undefined ? { ...engine, extraction: undefined } : engine,
  };
}
