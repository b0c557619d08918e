import type { z } from 'zod';
import { all } from './all.ts';
import { dppMap } from './dpp-map.ts';
import { dppMapExact } from './dpp-map-exact.ts';
import { dppSample } from './dpp-sample.ts';
import { facilityLocation } from './facility-location.ts';
import { kDpp } from './k-dpp.ts';
import { llm } from './llm.ts';
import { mmr } from './mmr.ts';
import { naive } from './naive.ts';
import type { SharedOptions } from './options.ts';
import { random } from './random.ts';
import { relevance } from './relevance.ts';
import { GROUPS, type SizeKind, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

/** Every strategy by the name that a request gives it, in the order of the API's contract; the first is the default. */
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

// TypeScript forgets the keys of an object that is written out above.
export const STRATEGY_NAMES = Object.keys(REGISTRY) as StrategyName[];

/** Strategies that a language model carries out, over documents. */
export const MODEL_STRATEGIES: readonly StrategyName[] = STRATEGY_NAMES.filter(
  (name) => strategies[name].group === 'model',
);

type WithOwn = Extract<(typeof REGISTRY)[StrategyName], { readonly own: unknown }>['own'];
type Own = NonNullable<Strategy<unknown>['own']>;
/** Options of single strategies by their keys, resolved. */
type OwnOptions = { readonly [O in WithOwn as O['key']]: Readonly<z.output<O['answer']>> };
/** The same as requests give them. */
type OwnRequests = { readonly [O in WithOwn as O['key']]?: Readonly<z.output<O['request']>> };

/** Every option of a selection, resolved: what the answer reports and what the selection runs on. */
export interface SelectionOptions extends SharedOptions, OwnOptions {
  readonly strategy: StrategyName;
}

const WITH_OWN = STRATEGY_NAMES.flatMap((name) => strategies[name].own ?? []);

/** What each strategy that has options of its own says of them, by their keys. */
function byKey<Value>(notify: (own: Own) => Value): Record<string, Value> {
  return Object.fromEntries(WITH_OWN.map((own) => [own.key, notify(own)]));
}

// Put together from a list, these have no keys for TypeScript.
export const OWN_DEFAULTS = byKey(({ defaults }) => defaults) as OwnOptions;
export const OWN_REQUESTS = byKey(({ request }) => request) as { readonly [O in WithOwn as O['key']]: O['request'] };
export const OWN_ANSWERS = byKey(({ answer }) => answer) as { readonly [O in WithOwn as O['key']]: O['answer'] };

/** The options of single strategies, with their defaults. */
export function resolveOwn(asked: OwnRequests): OwnOptions {
  const resolve = ({ key, defaults }: Own) => ({ ...Object(defaults), ...definedOf(Reflect.get(asked, key)) });
  return byKey(resolve) as OwnOptions;
}

function definedOf(fields: object = {}): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Runs the strategy that the options name, with what they say to it alone. */
export function choose(input: StrategyInput, options: SelectionOptions): Promise<StrategyResult> {
  const strategy = strategies[options.strategy];
  return strategy.select(input, strategy.own && Reflect.get(options, strategy.own.key));
}

/** A strategy as the page shows it, which may not load it. */
interface ShownStrategy {
  readonly name: StrategyName;
  readonly title: string;
  readonly line: string;
  readonly sizes: readonly SizeKind[];
  readonly isSampled: boolean;
  readonly asksModel: boolean;
}

/** What the page knows of strategies (`src/page/parts/strategies.json`). */
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
    /** Labels of the options of single strategies. */
    own: byKey(({ labels }) => labels),
  };
}
