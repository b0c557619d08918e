import { dppMap } from './dpp-map.ts';
import { mostRelevant } from './most-relevant.ts';
import type { StrategyName } from './options.ts';
import type { Strategy } from './strategy.ts';

/** Every strategy by the name a request gives it. */
export const strategies: Record<StrategyName, Strategy> = {
  'dpp-map': dppMap,
  relevance: mostRelevant,
};
