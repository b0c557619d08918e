import type { DigestInput } from '../../client/index.ts';

export type StrategyName = NonNullable<NonNullable<DigestInput['selection']>['strategy']>;
export type SizeKind = 'keyPoints' | 'words' | 'auto';

export interface Strategy {
  readonly name: StrategyName;
  readonly title: string;
  readonly line: string;
  /** Sizes that the strategy accepts; none if it decides itself. */
  readonly sizes: readonly SizeKind[];
  /** Whether the seed matters. */
  readonly isSampled: boolean;
  readonly asksModel: boolean;
}

const ANY: readonly SizeKind[] = ['keyPoints', 'words', 'auto'];
const BOUND: readonly SizeKind[] = ['keyPoints', 'auto'];

function strategy(
  name: StrategyName,
  sizes: readonly SizeKind[],
  title: string,
  line: string,
  { isSampled = false, asksModel = false } = {},
): Strategy {
  return { name, title, line, sizes, isSampled, asksModel };
}

const SAMPLED = { isSampled: true };
const MODEL = { asksModel: true };

/** All strategies, the default first. The registry of the service is too large to load; a test compares the two. */
export const STRATEGY_GROUPS: readonly { readonly title: string; readonly strategies: readonly Strategy[] }[] = [
  {
    title: 'Relevant and different',
    strategies: [
      strategy(
        'dpp-map',
        ANY,
        'Best set, quickly',
        'Selects key points one by one that answer the question and do not repeat each other.',
      ),
      strategy(
        'dpp-map-exact',
        BOUND,
        'Best set, with a proof',
        'Searches until no better set exists or time is up. For small numbers of key points.',
      ),
      strategy(
        'mmr',
        ANY,
        'Relevance minus repetition',
        'The classic: the next key point is relevant and unlike those selected before.',
      ),
      strategy(
        'facility-location',
        ANY,
        'What most documents say',
        'Key points that represent as much as possible of what the documents say.',
      ),
    ],
  },
  {
    title: 'Random samples',
    strategies: [
      strategy(
        'dpp-sample',
        [],
        'Random sample of any size',
        'Random sample that favours relevant, varied key points; its size varies.',
        SAMPLED,
      ),
      strategy(
        'k-dpp',
        BOUND,
        'Random sample of a given size',
        'Random sample that favours relevant, varied key points; you set its size.',
        SAMPLED,
      ),
    ],
  },
  {
    title: 'For comparison',
    strategies: [
      strategy(
        'relevance',
        ANY,
        'Most relevant only',
        'The key points nearest to the question, even if they repeat each other.',
      ),
      strategy('random', ANY, 'At random', 'Random key points, to compare with.', SAMPLED),
      strategy('all', [], 'Everything relevant', 'No selection: every relevant key point.'),
    ],
  },
  {
    title: 'By a language model',
    strategies: [
      strategy('llm', [], 'Model selection', 'A language model selects from the list of key points.', MODEL),
      strategy(
        'naive',
        [],
        'One prompt',
        'A language model writes from the documents in one prompt; quotes that are not in them are dropped.',
        MODEL,
      ),
    ],
  },
];
export const STRATEGIES = STRATEGY_GROUPS.flatMap(({ strategies }) => strategies);

/** Labels of strategy-specific options, by their place in `selection`. */
export const OWN_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  exact: { nodes: 'Maximum number of sets searched', milliseconds: 'Time limit of the search, in milliseconds' },
  mmr: { lambda: 'Relevance against variety' },
};
