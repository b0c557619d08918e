import type { z } from 'zod';
import { all, llm, naive, random, relevance } from './baselines.ts';
import { dppMap } from './dpp-map.ts';
import { dppMapExact } from './dpp-map-exact.ts';
import { facilityLocation } from './facility-location.ts';
import { mmr } from './mmr.ts';
import { dppSample, kDpp } from './sampling.ts';
import type { SharedOptions, Strategy, StrategyInput, StrategyResult } from './strategy.ts';

const REGISTRY = {
  'dpp-map': dppMap,
  'dpp-map-exact': dppMapExact,
  'dpp-sample': dppSample,
  'k-dpp': kDpp,
  mmr,
  'facility-location': facilityLocation,
  relevance,
  random,
  all,
  llm,
  naive,
};
export type StrategyName = keyof typeof REGISTRY;

export const strategies: Readonly<Record<StrategyName, Strategy<unknown>>> = REGISTRY;

export const STRATEGY_NAMES = Object.keys(REGISTRY) as StrategyName[];

export const MODEL_STRATEGIES: readonly StrategyName[] = ['llm', 'naive'];

const OWN = { exact: dppMapExact.own, mmr: mmr.own };
type Own = typeof OWN;
type OwnOptions = { readonly [Key in keyof Own]: Readonly<z.output<Own[Key]['answer']>> };
type OwnRequests = { readonly [Key in keyof Own]?: Readonly<z.output<Own[Key]['request']>> };

export interface SelectionOptions extends SharedOptions, OwnOptions {
  readonly strategy: StrategyName;
}

export const OWN_DEFAULTS: OwnOptions = { exact: OWN.exact.defaults, mmr: OWN.mmr.defaults };
export const OWN_REQUESTS = { exact: OWN.exact.request, mmr: OWN.mmr.request };
export const OWN_ANSWERS = { exact: OWN.exact.answer, mmr: OWN.mmr.answer };

export function resolveOwn(asked: OwnRequests): OwnOptions {
  const given = (fields: object = {}) => Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    exact: { ...OWN.exact.defaults, ...Object.fromEntries(given(asked.exact)) },
    mmr: { ...OWN.mmr.defaults, ...Object.fromEntries(given(asked.mmr)) },
  };
}

export function choose(input: StrategyInput, options: SelectionOptions): Promise<StrategyResult> {
  const strategy = strategies[options.strategy];
  return strategy.select(input, strategy.own && Reflect.get(options, strategy.own.key));
}
