import type { z } from '@hono/zod-openapi';
import type { Engine } from '../digest/index.ts';
import type { Nugget } from './argue/shapes.ts';
import type { EvaluatedDigest } from './evaluated-digest.ts';
import type { Explanation, Thresholds } from './explanation.ts';
import type { Judge } from './judge.ts';
import type { CitedBullet, Unjudged } from './shapes.ts';
import type { SourceQuestion } from './source-coverage/shapes.ts';
import type { Insight } from './summhay/shapes.ts';

/**
 * A measure, and all that the service, the client, the command line, comparisons and benchmarks know of it. It stands in
 * `metrics.ts`, and nowhere else by name.
 */
export interface Metric<Order extends { readonly metric: string }, Request, Answer> {
  readonly name: Order['metric'];
  /** Over its tables. */
  readonly title: string;
  /** What it measures, and where it was published: a row of `docs/evaluation.md`. */
  readonly measures: string;
  /** The body of `POST /v1/evaluations`, in which a stored digest may stand for a text. */
  readonly order: z.ZodObject;
  readonly answer: z.ZodObject;
  readonly examples: {
    readonly requests: Readonly<Record<string, Example<Order>>>;
    /** By the names of requests that they answer. */
    readonly answers: Readonly<Record<string, Example<Answer>>>;
  };
  /** The field of the order that a digest may stand for. */
  readonly text: FieldOf<Order>;
  /** Before the names of its figures where they stand beside those of other metrics: `keyPoints.recall`. */
  readonly prefix: string;
  readonly figures: readonly Figure<Answer>[];
  /** Texts of documents in an order, which the service limits. */
  documents?(order: Order): readonly PlacedText[];
  /**
   * The order with what the digest says, if it names one, in the place of the text; a text that stands for sentences is split.
   *
   * @throws UnusableOptionError for an order whose parts do not fit each other
   * @throws InvalidEvaluationError for a marker of a text that stands for no document
   */
  resolve(order: Order, digest: EvaluatedDigest | null): Promise<Request>;
  /**
   * Refuses what cannot be scored, without asking a judge.
   *
   * @throws InvalidEvaluationError
   */
  check(request: Request): void;
  /** @throws InvalidEvaluationError as `check` does */
  score(request: Request, judge: Judge, engine: Pick<Engine, 'extract'>): Promise<Unjudged<Answer>>;
  /**
   * The figures of several texts as if they were one (micro averages), each counted as often as its weight says; absent where only means
   * over texts are usual.
   */
  pool?(
    scored: readonly { readonly request: Request; readonly answer: Answer }[],
  ): (weights: ArrayLike<number>) => Readonly<Record<string, number | null>>;
  /** What is odd about a request that was scored. */
  warnings?(request: Request): readonly string[];
  /** The pieces of the text that is scored, without markers. */
  said(request: Request): readonly string[];
  /** What to ask where something is known that a text should tell; null where this metric needs something else. */
  requestOf(known: Known): Request | null;
  /** How an answer came about; what decides a score is known for the embedded judge only. */
  explain(request: Request, answer: Answer, thresholds: Thresholds | null): Explanation;
}

type FieldOf<Order> = Order extends unknown ? keyof Order & string : never;

interface Example<Value> {
  readonly summary: string;
  readonly value: Value;
}

/** A text, and the JSON pointer to it. */
interface PlacedText {
  readonly text: string;
  readonly pointer: string;
}

/** A number of an answer that tables, comparisons and benchmarks show. */
interface Figure<Answer> {
  /** In the answer. */
  readonly name: FigureName<Answer>;
  /** Over a column among its metric's own. */
  readonly title: string;
  /** Over a column among those of other metrics, where it is called otherwise there. */
  readonly fullTitle?: string;
  /** Whether it comes first in comparisons. */
  readonly isMain?: true;
  /** Whether comparisons leave it out: it is no score. */
  readonly isDescriptive?: true;
}

type FigureName<Answer> = Answer extends unknown
  ? { [Name in keyof Answer]: Answer[Name] extends number | null ? Name & string : never }[keyof Answer]
  : never;

/** A text of some system, what it was made from, and whatever is known that it should tell. */
export interface Known {
  readonly sentences: readonly CitedBullet[];
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  /** Ids of the documents that the system was given, in that order. */
  readonly given: readonly string[];
  readonly intent?: string | undefined;
  readonly insights?: readonly Insight[] | undefined;
  readonly questions?: readonly (SourceQuestion & { readonly relevant?: boolean | undefined })[] | undefined;
  readonly keyPoints?: readonly { readonly text: string }[] | undefined;
  readonly nuggets?: readonly Nugget[] | undefined;
}

/** The sentences of a known text as one; a blank line parts them whatever they end in. */
export function textOf({ sentences }: Pick<Known, 'sentences'>): string {
  return sentences.map(({ text }) => text).join('\n\n');
}
