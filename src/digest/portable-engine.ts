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
  /** Sets that an exact search looks into, where its clock stands still while it computes; what is asked by default. */
  readonly maxNodes?: number;
}

/** An engine that does everything where it is called, in plain JavaScript: for runtimes without threads and native code. */
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
    verifiers: new Map(),
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

/** Key points of a text by the sentence extractor, and what else is told of it. */
export function extractText(text: string): Extraction {
  return { keyPoints: extractSentences(text), language: language(text), words: countWords(text) };
}

/** Token recall of each reference in its windows, one task after the other: together they would need the memory of all. */
export async function recallAll(tasks: readonly RecallTask[], product: MatrixProduct): Promise<Float64Array[]> {
  const recalls: Float64Array[] = [];
  for (const task of tasks) recalls.push(await windowRecalls(task, product));
  return recalls;
}
