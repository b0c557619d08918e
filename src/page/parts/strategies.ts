import type { DigestOptions } from '../digest-options.ts';
import written from './strategies.json' with { type: 'json' };

export type Selection = NonNullable<DigestOptions['selection']>;
export type StrategyName = NonNullable<Selection['strategy']>;
export type SizeKind = 'keyPoints' | 'words' | 'auto';

/** A way to choose key points, in words for readers. */
interface Strategy {
  readonly name: StrategyName;
  readonly title: string;
  readonly line: string;
  /** Kinds of size it takes; none where it decides itself. */
  readonly sizes: readonly SizeKind[];
  /** Whether it draws at random, so that a seed decides. */
  readonly isSampled: boolean;
  /** Whether a language model carries it out. */
  readonly asksModel: boolean;
}

interface StrategyGroup {
  readonly title: string;
  readonly strategies: readonly Strategy[];
}

/**
 * Every strategy that a digest takes, in groups, the first one of all being the service's default. Written from the registry of
 * `src/selection/` (`scripts/write-strategies.ts`), which would be too much to load.
 */
// JSON has no literal types; a test holds the names to those of the contract.
export const STRATEGY_GROUPS = written.groups as readonly StrategyGroup[];

/** Labels of the options of single strategies, by their place in `selection`. */
export const OWN_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = written.own;

const BY_NAME = new Map(STRATEGY_GROUPS.flatMap(({ strategies }) => strategies).map((each) => [each.name, each]));

/** A strategy by its name in requests. */
export function strategyOf(name: StrategyName): Strategy {
  const found = BY_NAME.get(name);
  if (found === undefined) throw new TypeError(`no strategy "${name}"`);
  return found;
}

/** The strategy that options come to: their own, or that of their preset. */
export function strategyIn(selection: Selection = {}): Strategy {
  return strategyOf(selection.strategy ?? (selection.preset === 'published' ? 'dpp-sample' : 'dpp-map'));
}

/** Whether a strategy takes such a size. */
export function takesSize(name: StrategyName, kind: SizeKind): boolean {
  return strategyOf(name).sizes.includes(kind);
}

/** Whether a strategy decides its size itself. */
export function isUnsized(name: StrategyName): boolean {
  return strategyOf(name).sizes.length === 0;
}
