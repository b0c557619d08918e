import type { SelectionsRequest } from '../../contract/index.ts';
import { MODEL_STRATEGIES, strategies } from '../../selection/index.ts';
import { UnusableOptionError } from '../errors.ts';
import { GRADED_BY_MODEL } from '../options.ts';

interface Rule {
  readonly pointer: string;
  readonly isAsked: (request: SelectionsRequest) => boolean;
  readonly isThere: (request: SelectionsRequest) => boolean;
  readonly needs: string;
}

const hasTexts = ({ items, digest }: SelectionsRequest): boolean => items !== undefined || digest !== undefined;
const hasRelevance = (request: SelectionsRequest): boolean =>
  request.digest !== undefined ||
  request.intent !== undefined ||
  request.queryEmbedding !== undefined ||
  request.relevanceScores !== undefined;
const background = ({ intent }: SelectionsRequest): string | undefined =>
  typeof intent === 'object' ? intent.background : undefined;

/** The inputs that options need. */
const RULES: readonly Rule[] = [
  {
    pointer: '/selection/strategy',
    isAsked: ({ selection }) => selection?.strategy !== undefined && MODEL_STRATEGIES.includes(selection.strategy),
    isThere: () => false,
    needs: 'documents; ask for a digest',
  },
  {
    pointer: '/selection/relevance/facets',
    isAsked: ({ selection }) => selection?.relevance?.facets === 'llm',
    isThere: () => false,
    needs: 'documents; ask for a digest, or give true or false',
  },
  {
    pointer: '/selection/relevance/encoder',
    isAsked: ({ selection }) => selection?.relevance?.encoder === GRADED_BY_MODEL,
    isThere: () => false,
    needs: 'documents; ask for a digest, or name an encoder or reranker',
  },
  {
    pointer: '/intent',
    isAsked: ({ intent }) => intent !== undefined,
    isThere: hasTexts,
    needs: 'items with text; give "relevanceScores" instead',
  },
  {
    pointer: '/queryEmbedding',
    isAsked: ({ queryEmbedding }) => queryEmbedding !== undefined,
    isThere: ({ embeddings }) => embeddings !== undefined,
    needs: '"embeddings" to compare with',
  },
  {
    pointer: '/relevanceScores',
    isAsked: ({ relevanceScores }) => relevanceScores !== undefined,
    isThere: ({ intent, queryEmbedding, digest }) =>
      intent === undefined && queryEmbedding === undefined && digest === undefined,
    needs: 'to be the only source of relevance',
  },
  {
    pointer: '/engine/encoder',
    isAsked: ({ engine }) => engine?.encoder !== undefined,
    isThere: hasTexts,
    needs: 'items with text to encode',
  },
  {
    pointer: '/selection/kernel',
    isAsked: ({ selection }) => Object.keys(selection?.kernel ?? {}).length > 0,
    isThere: ({ kernel }) => kernel === undefined,
    needs: 'items to make a kernel of; the given kernel is used as it stands',
  },
  {
    pointer: '/selection/kernel/idf',
    isAsked: ({ selection }) => selection?.kernel?.idf !== undefined,
    isThere: hasTexts,
    needs: 'items with text',
  },
  ...(['form', 'weight'] as const).map((field) => ({
    pointer: `/selection/relevance/${field}`,
    isAsked: ({ selection }: SelectionsRequest) => selection?.relevance?.[field] !== undefined,
    isThere: (request: SelectionsRequest) => hasRelevance(request) && request.kernel === undefined,
    needs: 'relevance, and a kernel that it may weigh',
  })),
  {
    pointer: '/selection/relevance/gate',
    isAsked: ({ selection }) => typeof selection?.relevance?.gate === 'number',
    isThere: hasRelevance,
    needs: 'relevance: an intent, a query embedding or scores',
  },
  {
    pointer: '/selection/relevance/surroundings',
    isAsked: ({ selection }) => selection?.relevance?.surroundings !== undefined,
    isThere: (request) => request.digest !== undefined || (hasTexts(request) && request.intent !== undefined),
    needs: 'a digest, or items with text and an intent',
  },
  ...(['facets', 'estimate', 'encoder'] as const).map((field) => ({
    pointer: `/selection/relevance/${field}`,
    isAsked: ({ selection }: SelectionsRequest) => (selection?.relevance?.[field] ?? undefined) !== undefined,
    isThere: (request: SelectionsRequest) => hasTexts(request) && request.intent !== undefined,
    needs: 'items with text and an intent',
  })),
  {
    pointer: '/selection/salience',
    isAsked: ({ selection }) => (selection?.salience?.weight ?? 0) > 0,
    isThere: ({ kernel }) => kernel === undefined,
    needs: 'a kernel that it may weigh; the given one is used as it stands',
  },
  {
    pointer: '/selection/background',
    isAsked: ({ selection }) => selection?.background?.weight !== undefined,
    isThere: (request) => background(request) !== undefined,
    needs: 'a background: give one in "intent"',
  },
  {
    pointer: '/selection/size',
    isAsked: ({ selection }) => typeof selection?.size === 'object' && 'words' in selection.size,
    isThere: hasTexts,
    needs: 'items with text, whose words could be counted',
  },
  {
    pointer: '/draws',
    isAsked: ({ draws }) => draws !== undefined,
    isThere: ({ selection }) =>
      strategies[selection?.strategy ?? (selection?.preset === 'published' ? 'dpp-sample' : 'dpp-map')].isSampled,
    needs: 'a strategy that samples',
  },
];

/**
 * @throws UnusableOptionError for the first option without its input
 */
export function checkInputs(request: SelectionsRequest): void {
  const broken = RULES.find((rule) => rule.isAsked(request) && !rule.isThere(request));
  if (broken !== undefined) throw new UnusableOptionError(broken.pointer, `This needs ${broken.needs}.`);
}
