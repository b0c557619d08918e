import type { SelectionsRequest } from '../../contract/index.ts';
import { MODEL_STRATEGIES, strategies } from '../../selection/index.ts';
import { UnusableOptionError } from '../errors.ts';
import { GRADED_BY_MODEL } from '../options.ts';

type Condition = (request: SelectionsRequest) => boolean;

const never: Condition = () => false;
const hasTexts: Condition = ({ items, digest }) => items !== undefined || digest !== undefined;
const hasIntent: Condition = ({ intent }) => intent !== undefined;
const hasTextsAndIntent: Condition = (request) => hasTexts(request) && hasIntent(request);
const hasNoKernel: Condition = ({ kernel }) => kernel === undefined;
const hasRelevance: Condition = ({ digest, intent, queryEmbedding, relevanceScores }) =>
  [digest, intent, queryEmbedding, relevanceScores].some((given) => given !== undefined);
const hasBackground: Condition = ({ intent }) => typeof intent === 'object' && intent.background !== undefined;
const asksRelevance =
  (field: 'form' | 'weight' | 'surroundings' | 'facets' | 'estimate' | 'encoder'): Condition =>
  ({ selection }) =>
    (selection?.relevance?.[field] ?? undefined) !== undefined;

const RULES: readonly (readonly [pointer: string, isAsked: Condition, isGiven: Condition, needs: string])[] = [
  [
    '/selection/strategy',
    ({ selection }) => selection?.strategy !== undefined && MODEL_STRATEGIES.includes(selection.strategy),
    never,
    'documents; ask for a digest',
  ],
  [
    '/selection/relevance/facets',
    ({ selection }) => selection?.relevance?.facets === 'llm',
    never,
    'documents; ask for a digest, or give true or false',
  ],
  [
    '/selection/relevance/encoder',
    ({ selection }) => selection?.relevance?.encoder === GRADED_BY_MODEL,
    never,
    'documents; ask for a digest, or name an encoder or reranker',
  ],
  ['/intent', hasIntent, hasTexts, 'items with text; give "relevanceScores" instead'],
  [
    '/queryEmbedding',
    ({ queryEmbedding }) => queryEmbedding !== undefined,
    ({ embeddings }) => embeddings !== undefined,
    '"embeddings" to compare with',
  ],
  [
    '/relevanceScores',
    ({ relevanceScores }) => relevanceScores !== undefined,
    ({ intent, queryEmbedding, digest }) => [intent, queryEmbedding, digest].every((given) => given === undefined),
    'to be the only source of relevance',
  ],
  ['/engine/encoder', ({ engine }) => engine?.encoder !== undefined, hasTexts, 'items with text to encode'],
  [
    '/selection/kernel',
    ({ selection }) => Object.keys(selection?.kernel ?? {}).length > 0,
    hasNoKernel,
    'items to make a kernel of; the given kernel is used as it stands',
  ],
  ['/selection/kernel/idf', ({ selection }) => selection?.kernel?.idf !== undefined, hasTexts, 'items with text'],
  ...(['form', 'weight'] as const).map(
    (field) =>
      [
        `/selection/relevance/${field}`,
        asksRelevance(field),
        (request: SelectionsRequest) => hasRelevance(request) && hasNoKernel(request),
        'relevance, and a kernel that it may weigh',
      ] as const,
  ),
  [
    '/selection/relevance/gate',
    ({ selection }) => typeof selection?.relevance?.gate === 'number',
    hasRelevance,
    'relevance: an intent, a query embedding or scores',
  ],
  [
    '/selection/relevance/surroundings',
    asksRelevance('surroundings'),
    (request) => request.digest !== undefined || hasTextsAndIntent(request),
    'a digest, or items with text and an intent',
  ],
  ...(['facets', 'estimate', 'encoder'] as const).map(
    (field) =>
      [
        `/selection/relevance/${field}`,
        asksRelevance(field),
        hasTextsAndIntent,
        'items with text and an intent',
      ] as const,
  ),
  [
    '/selection/salience',
    ({ selection }) => (selection?.salience?.weight ?? 0) > 0,
    hasNoKernel,
    'a kernel that it may weigh; the given one is used as it stands',
  ],
  [
    '/selection/background',
    ({ selection }) => selection?.background?.weight !== undefined,
    hasBackground,
    'a background: give one in "intent"',
  ],
  [
    '/selection/size',
    ({ selection }) => typeof selection?.size === 'object' && 'words' in selection.size,
    hasTexts,
    'items with text, whose words could be counted',
  ],
  [
    '/draws',
    ({ draws }) => draws !== undefined,
    ({ selection }) =>
      strategies[selection?.strategy ?? (selection?.preset === 'published' ? 'dpp-sample' : 'dpp-map')].isSampled,
    'a strategy that samples',
  ],
];

/** @throws UnusableOptionError for the first option without its input */
export function checkInputs(request: SelectionsRequest): void {
  for (const [pointer, isAsked, isGiven, needs] of RULES) {
    if (isAsked(request) && !isGiven(request)) throw new UnusableOptionError(pointer, `This needs ${needs}.`);
  }
}
