import type { Extraction } from '../../src/digest/engine.ts';
import { type Engine, portableEngine } from '../../src/digest/index.ts';
import type { Ranking, RankingTask } from '../../src/digest/rank/ranking-task.ts';
import type { KnownSimilarityTask, SelectionTask } from '../../src/digest/select/selection-task.ts';
import type { Encoder, Reranker } from '../../src/models/index.ts';
import type { Draws, Selection, SelectionOptions } from '../../src/selection/index.ts';
import { HashedWordsEncoder } from './hashed-words-encoder.ts';

/** What is used of it depends on no encoder, nor on `this`. */
const PORTABLE = portableEngine({ encoders: new Map(), defaultEncoder: '' });

/** The portable engine over an encoder without a model. Records which texts were extracted. */
export class InProcessEngine implements Engine {
  readonly encoder = new HashedWordsEncoder();
  readonly encoders: Engine['encoders'];
  readonly rerankers: Engine['rerankers'];
  readonly defaultEncoder = 'hashed-words';
  readonly matrix = PORTABLE.matrix;
  readonly extracted: string[] = [];
  /** Texts whose extraction throws. */
  readonly unreadable = new Set<string>();

  constructor(others: Readonly<Record<string, Encoder>> = {}, rerankers: Readonly<Record<string, Reranker>> = {}) {
    this.encoders = new Map<string, Encoder>([['hashed-words', this.encoder], ...Object.entries(others)]);
    this.rerankers = new Map(Object.entries(rerankers));
  }

  async extract(text: string): Promise<Extraction> {
    this.extracted.push(text);
    if (this.unreadable.has(text)) throw new Error(`cannot read: ${text}`);
    return PORTABLE.extract(text);
  }

  async rank(task: RankingTask): Promise<Ranking> {
    return PORTABLE.rank(task);
  }

  async select(task: SelectionTask, options: SelectionOptions): Promise<Selection> {
    return PORTABLE.select(task, options);
  }

  async draw(task: SelectionTask, options: SelectionOptions, count: number): Promise<Draws> {
    return PORTABLE.draw(task, options, count);
  }

  async knownSimilarity(task: KnownSimilarityTask): Promise<Float64Array> {
    return PORTABLE.knownSimilarity(task);
  }
}
