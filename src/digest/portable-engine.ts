import { type Encoder, type MatrixProduct, portable, type Reranker } from '../models/index.ts';
import { principalComponents, type RecallTask, type SelectionOptions, windowRecalls } from '../selection/index.ts';
import { countWords } from '../summary/index.ts';
import { extractSentences, language } from '../text/index.ts';
import type { Engine, Extraction } from './engine.ts';
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
  const bounded = ({ exact, ...options }: SelectionOptions): SelectionOptions => ({
    ...options,
    exact: { ...exact, nodes: Math.min(exact.nodes, maxNodes) },
  });
  return {
    encoders,
    rerankers,
    defaultEncoder,
    matrix: portable.name,
    extract: async (text) => extractText(text),
    rank: async (task) => runRanking(task),
    select: async (task, options) => runSelection(task, bounded(options), portable),
    draw: async (task, options, count) => runDraws(task, options, portable, count),
    knownSimilarity: async (task) => runKnownSimilarity(task, portable),
    recall: (tasks) => recallAll(tasks, portable),
    project: async (vectors, dimensions) => principalComponents(vectors, dimensions),
  };
}

export function extractText(text: string): Extraction {
  return { keyPoints: extractSentences(text), language: language(text), words: countWords(text) };
}

/** Runs one task after the other to bound memory. */
export async function recallAll(tasks: readonly RecallTask[], product: MatrixProduct): Promise<Float64Array[]> {
  const recalls: Float64Array[] = [];
  for (const task of tasks) recalls.push(await windowRecalls(task, product));
  return recalls;
}
