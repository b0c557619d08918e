import type { Encoder, MatrixProduct, RelevanceScorer, Reranker, SentenceReader } from '../models/index.ts';
import type { Draws, Selection, SelectionOptions } from '../selection/index.ts';
import type { ExtractedKeyPoint } from '../text/index.ts';
import { UnusableOptionError } from './errors.ts';
import type { Ranking, RankingTask } from './rank/ranking-task.ts';
import type { CachedCall } from './select/selection-cache.ts';
import type { KnownSimilarityTask, SelectionItems, SelectionTask } from './select/selection-task.ts';

export interface Extraction {
  readonly keyPoints: readonly ExtractedKeyPoint[];
  readonly language: string;
  readonly words: number;
}

/** The slow parts of a digest. On Node they run in worker threads, so that the HTTP loop stays responsive. */
export interface Engine {
  readonly encoders: ReadonlyMap<string, Encoder>;
  readonly defaultEncoder: string;
  readonly rerankers: ReadonlyMap<string, Reranker>;
  readonly reader?: SentenceReader | undefined;
  readonly matrix: MatrixProduct['name'];
  extract(text: string): Promise<Extraction>;
  rank(task: RankingTask): Promise<Ranking>;
  select(task: SelectionTask, options: SelectionOptions, signal?: AbortSignal): Promise<Selection>;
  /** Selects among cached statements; missing if nothing can be cached. Calls `read` only if the items are not cached. */
  selectCached?(
    call: Omit<CachedCall, 'items'>,
    read: () => Promise<SelectionItems>,
    signal?: AbortSignal,
  ): Promise<Selection>;
  draw(task: SelectionTask, options: SelectionOptions, count: number, signal?: AbortSignal): Promise<Draws>;
  /** Max similarity of each statement to the reader's background. */
  knownSimilarity(task: KnownSimilarityTask): Promise<Float64Array>;
  /** The same engine with an equal share per caller. Missing if one request is served at a time. */
  forCaller?(caller: string, signal?: AbortSignal): Engine;
}

/** The encoder of this name, or the default. `pointer` is the place of the name in the request. @throws UnusableOptionError if missing */
export function knownEncoder(
  { encoders, rerankers, defaultEncoder }: Pick<Engine, 'encoders' | 'rerankers' | 'defaultEncoder'>,
  name: string | undefined,
  pointer: string,
): Encoder {
  const asked = name ?? defaultEncoder;
  const problem = rerankers.has(asked)
    ? `"${asked}" is a reranker and has no vectors to compare key points; use it as "selection.relevance.encoder"`
    : `There is no encoder "${asked}"`;
  return known(encoders.get(asked), pointer, problem, encoders.keys());
}

/** The encoder or reranker of this name. @throws UnusableOptionError if missing */
export function knownScorer({ encoders, rerankers }: Engine, name: string, pointer: string): RelevanceScorer {
  const there = [...encoders.keys(), ...rerankers.keys()];
  const scorer = encoders.get(name) ?? rerankers.get(name);
  return known(scorer, pointer, `There is no encoder or reranker "${name}"`, there);
}

function known<Found>(found: Found | undefined, pointer: string, problem: string, there: Iterable<string>): Found {
  if (found !== undefined) return found;
  const listed = [...there].map((each) => `"${each}"`).join(', ');
  throw new UnusableOptionError(pointer, `${problem}; available: ${listed}.`);
}

/** Undefined if this service no longer has the encoder. */
export function encoderWithId({ encoders }: Pick<Engine, 'encoders'>, id: string): Encoder | undefined {
  return [...encoders.values()].find(({ profile }) => profile.id === id);
}
