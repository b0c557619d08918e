import type { DigestParts } from '../digest/digest-parts.ts';
import { planDigest } from '../digest/plan-digest.ts';
import type { Variant, VariantOptions } from '../experiments/experiment.ts';
import { InvalidExperimentError, type PointedProblem } from '../experiments/invalid-experiment-error.ts';
import { TesseraError } from '../tessera-error.ts';
import { checkLimits, type Limits } from './limits.ts';

interface VariantParts extends DigestParts {
  readonly limits: Limits;
}

/** Any at all: with one more is checked. */
const INTENT = 'What is new?';

/**
 * Refuses variants that this service could not serve, before half of all subjects are refused: without the encoder, the prompt or
 * the language model that they name.
 *
 * @throws InvalidExperimentError
 */
export function checkVariants(variants: readonly Variant[], parts: VariantParts): void {
  const [first, ...more] = variants.flatMap(({ options }, place) => problemsOf(options, place, parts));
  if (first !== undefined) throw new InvalidExperimentError([first, ...more]);
}

function problemsOf(options: VariantOptions, place: number, parts: VariantParts): PointedProblem[] {
  try {
    checkLimits(options, parts.limits);
    planDigest({ documents: [], intent: INTENT, ...alone(options) }, parts);
    return [];
  } catch (error) {
    if (!(error instanceof TesseraError) || error.pointer === null) throw error;
    return [{ pointer: `/variants/${place}/options${error.pointer}`, detail: error.message }];
  }
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
