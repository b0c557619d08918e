import type { z } from 'zod';
import { all, llm, naive, random, relevance } from './baselines.ts';
import { dppMap } from './dpp-map.ts';
import { dppMapExact } from './dpp-map-exact.ts';
import { facilityLocation } from './facility-location.ts';
import { mmr } from './mmr.ts';
import { dppSample, kDpp } from './sampling.ts';
import {
  GROUPS,
  type SharedOptions,
  type SizeKind,
  type Strategy,
  type StrategyInput,
  type StrategyResult,
} from './strategy.ts';

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

export const MODEL_STRATEGIES: readonly StrategyName[] = STRATEGY_NAMES.filter(
  (name) => strategies[name].group === 'model',
);

type WithOwn = Extract<(typeof REGISTRY)[StrategyName], { readonly own: unknown }>['own'];
type Own = NonNullable<Strategy<unknown>['own']>;
type OwnOptions = { readonly [O in WithOwn as O['key']]: Readonly<z.output<O['answer']>> };
type OwnRequests = { readonly [O in WithOwn as O['key']]?: Readonly<z.output<O['request']>> };

export interface SelectionOptions extends SharedOptions, OwnOptions {
  readonly strategy: StrategyName;
}

const WITH_OWN = STRATEGY_NAMES.flatMap((name) => strategies[name].own ?? []);

function byKey<Value>(value: (own: Own) => Value): Record<string, Value> {
  return Object.fromEntries(WITH_OWN.map((own) => [own.key, value(own)]));
}

export const OWN_DEFAULTS = byKey(({ defaults }) => defaults) as OwnOptions;
export const OWN_REQUESTS = byKey(({ request }) => request) as { readonly [O in WithOwn as O['key']]: O['request'] };
export const OWN_ANSWERS = byKey(({ answer }) => answer) as { readonly [O in WithOwn as O['key']]: O['answer'] };

export function resolveOwn(asked: OwnRequests): OwnOptions {
  const resolve = ({ key, defaults }: Own) => ({ ...Object(defaults), ...definedOf(Reflect.get(asked, key)) });
  return byKey(resolve) as OwnOptions;
}

function definedOf(fields: object = {}): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function choose(input: StrategyInput, options: SelectionOptions): Promise<StrategyResult> {
  const strategy = strategies[options.strategy];
  return strategy.select(input, strategy.own && Reflect.get(options, strategy.own.key));
}

interface ShownStrategy {
  readonly name: StrategyName;
  readonly title: string;
  readonly line: string;
  readonly sizes: readonly SizeKind[];
  readonly isSampled: boolean;
  readonly asksModel: boolean;
}

export function shownStrategies() {
  const shown = (name: StrategyName): ShownStrategy => {
    const { title, line, sizes, isSampled, group } = strategies[name];
    const sized = sizes.filter((size) => size !== 'none');
    return { name, title, line, sizes: sized, isSampled, asksModel: group === 'model' };
  };
  return {
    groups: Object.entries(GROUPS).map(([group, title]) => ({
      title,
      strategies: STRATEGY_NAMES.filter((name) => strategies[name].group === group).map(shown),
    })),
    own: byKey(({ labels }) => labels),
  };
}
