import type { FactsAnswer, OptionsAnswer, OutcomeAnswer } from '../../contract/index.ts';
import type { KernelFacts, Selection, SelectionOptions } from '../../selection/index.ts';
import { finiteOrNull } from '../item-receipt.ts';
import type { ResolvedSelection } from './selection-options.ts';

/** How relevance was found. */
interface RelevanceFacts {
  readonly gate: number | null;
  readonly surroundings: number;
  readonly facets: readonly string[];
  readonly encoder: string | null;
}

export function optionsAnswer(
  { preset, estimate }: Pick<ResolvedSelection, 'preset' | 'estimate'>,
  options: SelectionOptions,
  facts: KernelFacts,
  relevance: RelevanceFacts,
): OptionsAnswer {
  return {
    preset,
    ...options,
    kernel: { ...options.kernel, sigma: facts.sigma },
    relevance: { ...options.relevance, ...relevance, estimate },
    coverage: { weight: options.coverage.weight, threshold: facts.coverageThreshold },
  };
}

export function factsAnswer(facts: KernelFacts): FactsAnswer {
  const { expectedSize, clippedMass, residual, totalVariation, landmarks } = facts;
  return { expectedSize, clippedMass, residual, totalVariation, landmarks };
}

export function outcomeAnswer({ objective, logDeterminant, proven, gap, stoppedBy }: Selection): OutcomeAnswer {
  return {
    objective: finiteOrNull(objective),
    logDeterminant: finiteOrNull(logDeterminant),
    proven,
    gap,
    stoppedBy,
  };
}
