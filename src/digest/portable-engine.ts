import { type Encoder, type MatrixProduct, portable, type Reranker } from '../models/index.ts';
import type { SelectionOptions } from '../selection/index.ts';
import { countWords } from '../summary/index.ts';
import { extractSentences, language } from '../text/index.ts';
import type { Engine } from './engine.ts';
import { runRanking } from './rank/ranking-task.ts';
import { runDraws, runKnownSimilarity, runSelection } from './select/selection-task.ts';

interface PortableEngineOptions {
  readonly encoders: ReadonlyMap<string, Encoder>;
  readonly rerankers?: ReadonlyMap<string, Reranker>;
  readonly defaultEncoder: string;
  /** Max sets of an exact search on a runtime whose clock stands still during computation. */
  readonly maxNodes?: number;
}

/** An engine in plain JavaScript, for runtimes without threads and native code. */
export function portableEngine({
  encoders,
  rerankers = new Map(),
  defaultEncoder,
  maxNodes = Number.POSITIVE_INFINITY,
}: PortableEngineOptions): Engine {
  const { select, ...others } = computations(async () => portable);
  const bounded = ({ exact, ...options }: SelectionOptions): SelectionOptions => ({
    ...options,
    exact: { ...exact, nodes: Math.min(exact.nodes, maxNodes) },
  });
  return {
    ...others,
    encoders,
    rerankers,
    defaultEncoder,
    matrix: portable.name,
    select: (task, options) => select(task, bounded(options)),
  };
}

/**
 * The computations of an engine in the thread that calls them.
 *
 * @param product called only by those that multiply matrices
 * @param proceed called before each draw; may throw to stop
 */
export function computations(product: () => Promise<MatrixProduct>, proceed?: () => void) {
  return {
    extract: async (text) => ({
      keyPoints: extractSentences(text),
      language: language(text),
      words: countWords(text),
    }),
    rank: async (task) => runRanking(task),
    select: async (task, options) => runSelection(task, options, await product()),
    draw: async (task, options, count) => runDraws(task, options, await product(), count, proceed),
    knownSimilarity: async (task) => runKnownSimilarity(task, await product()),
  } satisfies Partial<Engine>;
}
