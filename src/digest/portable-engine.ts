import type { Encoder } from '../models/encoders/encoder.ts';
import type { Reranker } from '../models/encoders/reranker.ts';
import type { MatrixProduct } from '../models/linear-algebra/matrix-product.ts';
import { portable } from '../models/linear-algebra/portable.ts';
import { principalComponents } from '../selection/kernel/principal-components.ts';
import { type RecallTask, windowRecalls } from '../selection/kernel/window-recall.ts';
import type { SelectionOptions } from '../selection/strategies/options.ts';
import { countWords } from '../summary/count-words.ts';
import { language } from '../text/documents/language.ts';
import { extractSentences } from '../text/key-points/extract-sentences.ts';
import type { Engine, Extraction } from './engine.ts';
import { runRanking } from './rank/ranking-task.ts';
import { runDraws, runFamiliarity, runSelection } from './select/selection-task.ts';

/** What an engine without threads is made over. */
export interface PortableEngineOptions {
  readonly encoders: ReadonlyMap<string, Encoder>;
  readonly rerankers?: ReadonlyMap<string, Reranker>;
  readonly defaultEncoder: string;
  /** Sets that an exact search looks into, where its clock stands still while it computes; what is asked by default. */
  readonly mostNodes?: number;
}

/** An engine that does everything where it is called, in plain JavaScript: for runtimes without threads and native code. */
export function portableEngine({
  encoders,
  rerankers = new Map(),
  defaultEncoder,
  mostNodes = Number.POSITIVE_INFINITY,
}: PortableEngineOptions): Engine {
  const bounded = ({ exact, ...options }: SelectionOptions): SelectionOptions => ({
    ...options,
    exact: { ...exact, nodes: Math.min(exact.nodes, mostNodes) },
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
    familiarity: async (task) => runFamiliarity(task, portable),
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
