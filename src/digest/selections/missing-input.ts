import type { SelectionsRequest } from '../../contract/index.ts';
import { MODEL_STRATEGIES, strategies } from '../../selection/index.ts';
import { UnusableOptionError } from '../errors.ts';
import { GRADED_BY_MODEL } from '../options.ts';

type Rule = readonly [pointer: string, asked: unknown, isGiven: boolean, needs: string];

const TEXTS = 'items with text';
const SEARCH = 'items with text and an intent';
const ASK = 'documents; ask for a digest';

export function encoderNamed({ engine }: Pick<SelectionsRequest, 'engine'>): string | undefined {
  return typeof engine === 'object' ? engine.encoder : undefined;
}

/** Every option with its value, if it is asked for, and whether its input is given. */
function rulesFor(request: SelectionsRequest): Rule[] {
  const { items, digest, intent, queryEmbedding, relevanceScores, embeddings, selection = {} } = request;
  const { strategy, preset, kernel, salience, background, size, relevance = {} } = selection;
  const hasTexts = items !== undefined || digest !== undefined;
  const isSearched = hasTexts && intent !== undefined;
  const isPlaced = digest !== undefined || isSearched;
  const isFree = request.kernel === undefined;
  const sources = [digest, intent, queryEmbedding].filter((given) => given !== undefined).length;
  const hasRelevance = sources > 0 || relevanceScores !== undefined;
  const isWeighed = hasRelevance && isFree;
  const isModel = (strategy !== undefined && MODEL_STRATEGIES.includes(strategy)) || undefined;
  const sampler = strategy ?? (preset === 'published' ? 'dpp-sample' : 'dpp-map');
  const knowsBackground = typeof intent === 'object' && intent.background !== undefined;
  const isCounted = (typeof size === 'object' && 'words' in size) || undefined;
  const hasKernel = Object.keys(kernel ?? {}).length > 0 || undefined;
  const hasSalience = (salience?.weight ?? 0) > 0 || undefined;
  const [isSplit, isGraded] = [
    relevance.facets === 'llm' || undefined,
    relevance.encoder === GRADED_BY_MODEL || undefined,
  ];
  const weight = 'relevance, and a kernel that it may weigh';
  const stands = 'the given kernel is used as it stands';
  return [
    ['/selection/strategy', isModel, false, ASK],
    ['/selection/relevance/facets', isSplit, false, `${ASK}, or give true or false`],
    ['/selection/relevance/encoder', isGraded, false, `${ASK}, or name an encoder or reranker`],
    ['/intent', intent, hasTexts, `${TEXTS}; give "relevanceScores" instead`],
    ['/queryEmbedding', queryEmbedding, embeddings !== undefined, '"embeddings" to compare with'],
    ['/relevanceScores', relevanceScores, sources === 0, 'to be the only source of relevance'],
    ['/engine', request.engine === 'llm' || undefined, false, ASK],
    ['/engine/encoder', encoderNamed(request), hasTexts, `${TEXTS} to encode`],
    ['/selection/kernel', hasKernel, isFree, `items to make a kernel of; ${stands}`],
    ['/selection/kernel/idf', kernel?.idf, hasTexts, TEXTS],
    ['/selection/relevance/form', relevance.form, isWeighed, weight],
    ['/selection/relevance/weight', relevance.weight, isWeighed, weight],
    ['/selection/relevance/gate', relevance.gate, hasRelevance, 'relevance: an intent, a query embedding or scores'],
    ['/selection/relevance/surroundings', relevance.surroundings, isPlaced, `a digest, or ${SEARCH}`],
    ['/selection/relevance/facets', relevance.facets, isSearched, SEARCH],
    ['/selection/relevance/estimate', relevance.estimate, isSearched, SEARCH],
    ['/selection/relevance/encoder', relevance.encoder, isSearched, SEARCH],
    ['/selection/salience', hasSalience, isFree, 'a kernel that it may weigh; the given one is used as it stands'],
    ['/selection/background', background?.weight, knowsBackground, 'a background: give one in "intent"'],
    ['/selection/size', isCounted, hasTexts, `${TEXTS}, whose words could be counted`],
    ['/draws', request.draws, strategies[sampler].isSampled, 'a strategy that samples'],
  ];
}

/** @throws UnusableOptionError for the first option without its input */
export function checkInputs(request: SelectionsRequest): void {
  for (const [pointer, asked, isGiven, needs] of rulesFor(request)) {
    if (asked != null && !isGiven) throw new UnusableOptionError(pointer, `This needs ${needs}.`);
  }
}
