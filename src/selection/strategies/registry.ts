import { all } from './all.ts';
import { dppMap } from './dpp-map.ts';
import { dppMapExact } from './dpp-map-exact.ts';
import { dppSample } from './dpp-sample.ts';
import { facilityLocation } from './facility-location.ts';
import { kDpp } from './k-dpp.ts';
import { kMedoids } from './k-medoids.ts';
import { llm } from './llm.ts';
import { mmr } from './mmr.ts';
import { naive } from './naive.ts';
import type { StrategyName } from './options.ts';
import { random } from './random.ts';
import { relevance } from './relevance.ts';
import type { Strategy } from './strategy.ts';

/** Every strategy by the name a request gives it. */
export const strategies: Record<StrategyName, Strategy> = {
  'dpp-map': dppMap,
  'dpp-map-exact': dppMapExact,
  'dpp-sample': dppSample,
  'k-dpp': kDpp,
  mmr,
  'facility-location': facilityLocation,
  'k-medoids': kMedoids,
  relevance,
  random,
  all,
  llm,
  naive,
};
