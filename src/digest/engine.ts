import type {
  AnswerTypes,
  Encoder,
  EntailmentModel,
  MatrixProduct,
  Reranker,
  SentenceReader,
} from '../models/index.ts';
import type { Draws, Projection, RecallTask, Selection, SelectionOptions } from '../selection/index.ts';
import type { ExtractedKeyPoint } from '../text/index.ts';
import type { Ranking, RankingTask } from './rank/ranking-task.ts';
import type { CachedCall } from './select/selection-cache.ts';
import type { KnownSimilarityTask, SelectionTask } from './select/selection-task.ts';

/** What one text is reduced to. */
export interface Extraction {
  readonly keyPoints: readonly ExtractedKeyPoint[];
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  /** Words of the whole text. */
  readonly words: number;
}

/** The parts of a digest that take long. On Node they run in worker threads, so that the HTTP loop stays responsive. */
export interface Engine {
  /** Encoders by name. */
  readonly encoders: ReadonlyMap<string, Encoder>;
  /** The one to use where a request names none. */
  readonly defaultEncoder: string;
  /** Rerankers by name; none has the name of an encoder. */
  readonly rerankers: ReadonlyMap<string, Reranker>;
  /** Entailment models by name, which may verify what a language model worded. */
  readonly verifiers: ReadonlyMap<string, EntailmentModel>;
  /** Reads sentences together with a question; absent where there is none. */
  readonly reader?: SentenceReader | undefined;
  /** Tells what a question wants to hear, by the vectors of one of the encoders; absent where nothing does. */
  readonly answerTypes?: AnswerTypes | undefined;
  readonly matrix: MatrixProduct['name'];
  /** Key points of a text, by the sentence extractor. */
  extract(text: string): Promise<Extraction>;
  rank(task: RankingTask): Promise<Ranking>;
  /** @param signal ends the work, where nobody waits for it any more */
  select(task: SelectionTask, options: SelectionOptions, signal?: AbortSignal): Promise<Selection>;
  /**
   * The same selection, among statements that are held from one call to the next; absent where nothing can be held.
   *
   * @param whole reads the task; only where its statements are not held
   */
  selectCached?(
    call: Omit<CachedCall, 'task'>,
    whole: () => Promise<SelectionTask>,
    signal?: AbortSignal,
  ): Promise<Selection>;
  /** Several sets by a sampling strategy. */
  draw(task: SelectionTask, options: SelectionOptions, count: number): Promise<Draws>;
  /** Largest similarity of each statement to what the reader knows. */
  knownSimilarity(task: KnownSimilarityTask): Promise<Float64Array>;
  /** Token recall of each reference in its windows. */
  recall(tasks: readonly RecallTask[]): Promise<Float64Array[]>;
  /** Vectors of one length in the directions in which they differ most. */
  project(vectors: readonly Float32Array[], dimensions: number): Promise<Projection>;
}
