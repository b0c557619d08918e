import type { z } from '@hono/zod-openapi';
import { UnusableOptionError } from '../digest/index.ts';
import { PointedError, type SourceDocument } from '../text/index.ts';
import type { Judge } from './judge.ts';
import type { Agreement, CitedBullet, Insight, Nugget, SourceQuestion, Unjudged } from './shapes.ts';

/**
 * A metric with everything that service, client, command line, comparisons and benchmarks need. Only `metrics.ts` lists
 * metrics by name.
 */
export interface Metric<Order extends { readonly metric: string }, Request, Answer> {
  readonly name: Order['metric'];
  readonly title: string;
  /** Description and publication: a row of `docs/evaluation.md`. */
  readonly measures: string;
  /** The body of `POST /v1/evaluations`; a stored digest may replace its text. */
  readonly order: z.ZodObject;
  readonly answer: z.ZodObject;
  readonly examples: {
    readonly requests: Readonly<Record<string, Example<Order>>>;
    readonly answers: Readonly<Record<string, Example<Answer>>>;
  };
  /** How far the embedded judge agrees with people's labels in what it is asked here (`docs/decisions/embedded-judge.md`). */
  readonly embedded: Agreement;
  /** The field of the order that holds the text. */
  readonly text: string;
  /** Prefix of its figures beside those of other metrics: `keyPoints.recall`. */
  readonly prefix: string;
  readonly figures: readonly Figure<Request, Answer>[];
  documents?(order: Order): readonly { readonly text: string; readonly pointer: string }[];
  /**
   * The order with a digest resolved to its text, and the text split into sentences.
   * @throws UnusableOptionError for parts of an order that do not fit each other
   * @throws InvalidEvaluationError for a marker of a text that names no document
   */
  resolve(order: Order, digest: EvaluatedDigest | null): Promise<Request>;
  /**
   * Rejects input that cannot be scored, without calling a judge.
   * @throws InvalidEvaluationError
   */
  check(request: Request): void;
  /** @throws InvalidEvaluationError as `check` does */
  score(request: Request, judge: Judge): Promise<Unjudged<Answer>>;
  said(request: Request): readonly string[];
  /** The request for a text with known references; null if this metric needs others. */
  requestOf(known: Known): Request | null;
}

interface Example<Value> {
  readonly summary: string;
  readonly value: Value;
}

interface Figure<Request, Answer> {
  readonly name: string;
  readonly title: string;
  readonly fullTitle?: string;
  /** Field of the answer, if another than the name. */
  readonly of?: string;
  readonly isMain?: true;
  readonly isDescriptive?: true;
  /** Number of parts of a text that the figure averages, if averages over texts weigh by parts; absent if each text counts alike. */
  over?(request: Request, answer: Answer): number;
}

export interface Known {
  readonly sentences: readonly CitedBullet[];
  readonly documents: readonly { readonly id: string; readonly text: string }[];
  readonly given: readonly string[];
  readonly intent?: string | undefined;
  readonly insights?: readonly Insight[] | undefined;
  readonly questions?: readonly (SourceQuestion & { readonly relevant?: boolean | undefined })[] | undefined;
  readonly keyPoints?: readonly { readonly text: string }[] | undefined;
  readonly nuggets?: readonly Nugget[] | undefined;
}

/** The sentences of a text, separated by blank lines whatever their punctuation. */
export function textOf({ sentences }: Pick<Known, 'sentences'>): string {
  return sentences.map(({ text }) => text).join('\n\n');
}

export interface EvaluatedDigest {
  readonly sentences: readonly CitedBullet[];
  readonly documents: readonly string[];
  /**
   * The documents with their texts.
   * @throws UnusableOptionError if some texts are no longer stored
   */
  texts(): Promise<Pick<SourceDocument, 'id' | 'text'>[]>;
}

/** The input cannot be scored: nothing to compare with, a duplicate id or an invalid weight. */
export class InvalidEvaluationError extends PointedError {
  readonly code = 'invalid-evaluation';
}

/** @throws UnusableOptionError for a value in neither the order nor a digest */
export function needed<Value>(value: Value | null | undefined, pointer: string): Value {
  if (value == null) throw new UnusableOptionError(pointer, 'is needed, or a digest');
  return value;
}

/**
 * Rejects sources without a text or missing from the documents.
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

/**
 * Rejects the first value that has a fault.
 * @param pointer JSON pointer with `*` for the place of the value
 * @throws InvalidEvaluationError
 */
export function checkEach<Value>(values: readonly Value[], pointer: string, problemOf: Check<Value>): void {
  for (const [place, value] of values.entries()) {
    const problem = problemOf(value, place);
    if (problem !== null) throw new InvalidEvaluationError(pointer.replace('*', String(place)), problem);
  }
}

type Check<Value> = (value: Value, place: number) => string | null;

export function isBlank(text: string): string | null {
  return text.trim() === '' ? 'is blank' : null;
}

/** Of ids, which a second one makes ambiguous. */
export function isRepeated(ids: readonly string[]): Check<string> {
  const first = new Map(ids.map((id, place) => [id, place] as const).reverse());
  return (id, place) => (first.get(id) === place ? null : 'is a duplicate id');
}

/** Sum independent of the order of the values, to the last bit. */
export function sum(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((total, value) => total + value, 0);
}

/** Mean independent of the order of the values; null without values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** Share of true values, 0 to 100; null without values. */
export function share(values: readonly boolean[]): number | null {
  return values.length === 0 ? null : (100 * values.filter(Boolean).length) / values.length;
}

/** Harmonic mean of two shares, in their unit; 0 if both are, null if one is missing. */
export function harmonicMean(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null;
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

/** A number for a table: "–" if there is none, and never "-0.0". */
export function number(value: number | null, digits = 1): string {
  return value === null ? '–' : value.toFixed(digits).replace(/^-(?=[0.]+$)/, '');
}
