import type { DigestOptions } from '../digest-options.ts';

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

const ANY: readonly SizeKind[] = ['keyPoints', 'words', 'auto'];
const COUNTED: readonly SizeKind[] = ['keyPoints', 'auto'];
const EMBEDDED = { sizes: ANY, isSampled: false, asksModel: false };

/** Every strategy that a digest takes, in groups, the first one of all being the service's default. */
export const STRATEGY_GROUPS: readonly { readonly title: string; readonly strategies: readonly Strategy[] }[] = [
  {
    title: 'Relevant and different',
    strategies: [
      {
        ...EMBEDDED,
        name: 'dpp-map',
        title: 'Best set, quickly',
        line: 'Picks points one by one that answer the question and do not repeat each other (DPP).',
      },
      {
        ...EMBEDDED,
        name: 'dpp-map-exact',
        title: 'Best set, with a proof',
        line: 'Searches until no better set can exist, or time is up. For small numbers of points.',
        sizes: COUNTED,
      },
      {
        ...EMBEDDED,
        name: 'mmr',
        title: 'Relevance minus repetition',
        line: 'The classic: next comes what is most relevant and least like what was picked (MMR).',
      },
      {
        ...EMBEDDED,
        name: 'facility-location',
        title: 'What most documents say',
        line: 'Points that stand for as much as possible of what the other documents say.',
      },
      {
        ...EMBEDDED,
        name: 'k-medoids',
        title: 'One for each group',
        line: 'Sorts the points into groups of likes and takes the middle of each.',
      },
    ],
  },
  {
    title: 'Drawn by lot',
    strategies: [
      {
        name: 'dpp-sample',
        title: 'A draw of its own size',
        line: 'Draws a set by lot: relevant points that differ are likelier. The draw decides how many.',
        sizes: [],
        isSampled: true,
        asksModel: false,
      },
      {
        name: 'k-dpp',
        title: 'A draw of a given size',
        line: 'Draws a set by lot in the same way, with as many points as you say.',
        sizes: COUNTED,
        isSampled: true,
        asksModel: false,
      },
    ],
  },
  {
    title: 'To compare with',
    strategies: [
      {
        ...EMBEDDED,
        name: 'relevance',
        title: 'Most relevant only',
        line: 'The points nearest to the question, also where they repeat each other.',
      },
      {
        ...EMBEDDED,
        name: 'random',
        title: 'At random',
        line: 'Any points, all alike: what every other way has to beat.',
        isSampled: true,
      },
      {
        ...EMBEDDED,
        name: 'all',
        title: 'Everything relevant',
        line: 'No choice at all: every point that bears on the question.',
        sizes: [],
      },
    ],
  },
  {
    title: 'By a language model',
    strategies: [
      {
        name: 'llm',
        title: 'Model picks',
        line: 'A language model picks from the list of points.',
        sizes: [],
        isSampled: false,
        asksModel: true,
      },
      {
        name: 'naive',
        title: 'One prompt',
        line: 'A language model writes from the documents in one go; quotes that are not in them are dropped.',
        sizes: [],
        isSampled: false,
        asksModel: true,
      },
    ],
  },
];

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
