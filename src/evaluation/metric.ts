import type { z } from '@hono/zod-openapi';
import { type Engine, UnusableOptionError } from '../digest/index.ts';
import type { SourceDocument } from '../text/index.ts';
import type { Explanation, Thresholds } from './explanation.ts';
import type { Judge } from './judge.ts';
import type { CitedBullet, Insight, Nugget, SourceQuestion, Unjudged } from './shapes.ts';

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
  readonly figures: readonly Figure<Request, Answer>[];
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
   * The figures of several texts as if they were one (micro averages), each counted as often as its weight says; absent if only means
   * over texts are usual.
   */
  pool?(
    scored: readonly { readonly request: Request; readonly answer: Answer }[],
  ): (weights: ArrayLike<number>) => Readonly<Record<string, number | null>>;
  /** What is odd about a request that was scored. */
  warnings?(request: Request): readonly string[];
  /** The pieces of the text that is scored, without markers. */
  said(request: Request): readonly string[];
  /** What to ask where something is known that a text should tell; null if this metric needs something else. */
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
interface Figure<Request, Answer> {
  /** In the answer. */
  readonly name: FigureName<Answer>;
  /** Over a column among its metric's own. */
  readonly title: string;
  /** Over a column among those of other metrics, if it is called otherwise there. */
  readonly fullTitle?: string;
  /** Whether it comes first in comparisons. */
  readonly isMain?: true;
  /** Whether comparisons leave it out: it is no score. */
  readonly isDescriptive?: true;
  /**
   * How many parts of a text it is a mean of, if several texts are averaged over the parts of all of them; absent if each text
   * counts alike.
   */
  over?(request: Request, answer: Answer): number;
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

/** A digest that is kept, as far as it can be scored. */
export interface EvaluatedDigest {
  /** Its sentences without the framing, with the ids of the documents that each cites. */
  readonly sentences: readonly CitedBullet[];
  /** Ids of its documents, in the order in which they were sent. */
  readonly documents: readonly string[];
  /**
   * The documents with their texts.
   *
   * @throws UnusableOptionError if some of them are not stored any more
   */
  texts(): Promise<Pick<SourceDocument, 'id' | 'text'>[]>;
}

/** @throws UnusableOptionError for what neither the order nor a digest gives */
export function needed<Value>(value: Value | null | undefined, pointer: string): Value {
  if (value == null) throw new UnusableOptionError(pointer, 'is needed, or a digest');
  return value;
}

/**
 * Refuses sources that number no text, or that are none of the documents.
 *
 * @param field that would hold the text
 * @throws UnusableOptionError
 */
export function checkSources(
  sources: readonly string[] | undefined,
  text: unknown,
  field: string,
  documents: readonly string[] | undefined,
): void {
  if (sources === undefined) return;
  if (typeof text !== 'string') {
    throw new UnusableOptionError('/sources', `number the markers of a text: send "${field}" as one`);
  }
  const i = documents === undefined ? -1 : sources.findIndex((source) => !documents.includes(source));
  if (i >= 0) throw new UnusableOptionError(`/sources/${i}`, 'is not the id of one of the documents');
}

/** Sum that does not depend on the order of the values, to the last bit. */
export function sum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** Mean that does not depend on the order of the values; null without values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** Share of the values that hold, 0 to 100; null without values. */
export function share(values: readonly boolean[]): number | null {
  return values.length === 0 ? null : (100 * values.filter(Boolean).length) / values.length;
}

/** Harmonic mean of two shares, in their unit; 0 if both are, null if one is missing. */
export function harmonicMean(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}
