import type { Engine, Extraction } from '../../src/digest/engine.ts';
import { type Ranking, type RankingTask, runRanking } from '../../src/digest/ranking-task.ts';
import {
  type FamiliarityTask,
  runDraws,
  runFamiliarity,
  runSelection,
  type SelectionTask,
} from '../../src/digest/selection-task.ts';
import { language } from '../../src/documents/language.ts';
import type { Encoder } from '../../src/encoders/encoder.ts';
import type { Reranker } from '../../src/encoders/reranker.ts';
import { type RecallTask, windowRecalls } from '../../src/kernel/window-recall.ts';
import { extractSentences } from '../../src/keypoints/extract-sentences.ts';
import { portable } from '../../src/linear-algebra/portable.ts';
import type { SelectionOptions } from '../../src/selection/options.ts';
import type { Draws, Selection } from '../../src/selection/select.ts';
import { countWords } from '../../src/summary/count-words.ts';
import { HashedWordsEncoder } from './hashed-words-encoder.ts';

/** The real stages in this thread, over an encoder without a model. Records which texts were extracted. */
export class InProcessEngine implements Engine {
  readonly encoder = new HashedWordsEncoder();
  readonly encoders: ReadonlyMap<string, Encoder>;
  readonly rerankers: ReadonlyMap<string, Reranker>;
  readonly defaultEncoder = 'hashed-words';
  readonly matrix = portable.name;
  readonly extracted: string[] = [];
  /** Texts whose extraction throws. */
  readonly unreadable = new Set<string>();

  constructor(others: Readonly<Record<string, Encoder>> = {}, rerankers: Readonly<Record<string, Reranker>> = {}) {
    this.rerankers = new Map(Object.entries(rerankers));
    this.encoders = new Map<string, Encoder>([['hashed-words', this.encoder], ...Object.entries(others)]);
  }

  async extract(text: string): Promise<Extraction> {
    this.extracted.push(text);
    if (this.unreadable.has(text)) throw new Error(`cannot read: ${text}`);
    return { keyPoints: extractSentences(text), language: language(text), words: countWords(text) };
  }

  async rank(task: RankingTask): Promise<Ranking> {
    return runRanking(task);
  }

  async select(task: SelectionTask, options: SelectionOptions): Promise<Selection> {
    return runSelection(task, options, portable);
  }

  async draw(task: SelectionTask, options: SelectionOptions, count: number): Promise<Draws> {
    return runDraws(task, options, portable, count);
  }

  async familiarity(task: FamiliarityTask): Promise<Float64Array> {
    return runFamiliarity(task, portable);
  }

  async recall(tasks: readonly RecallTask[]): Promise<Float64Array[]> {
    return Promise.all(tasks.map((task) => windowRecalls(task, portable)));
  }
}
