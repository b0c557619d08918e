import type { ItemKind } from '../../contract/index.ts';
import { seededRandom } from '../../selection/index.ts';
import { contentHash, groupBy, type SourceDocument, type Span } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, PassageSpan } from '../benchmark-set.ts';
import type { Field } from './label.ts';

/**
 * So many of the items, each as likely as any other, in their order; all of them where there are no more. A larger number
 * with the same seed draws the same items and more.
 */
export function drawItems<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const random = seededRandom(seed);
  const drawn = items
    .map((_, index) => ({ index, ticket: random() }))
    .sort((a, b) => a.ticket - b.ticket || a.index - b.index)
    .slice(0, count);
  const chosen = new Set(drawn.map(({ index }) => index));
  return items.filter((_, index) => chosen.has(index));
}

/** A key point, a nugget or another statement beside the document that it is held against, for people to judge. */
export interface AnnotationItem {
  /** Of case, document, text and spans: the same in every sample of a set. */
  readonly id: string;
  /** Id of the case. */
  readonly case: string;
  /** The intent of the case; null where it has none, so that nobody can say what helps. */
  readonly query: string | null;
  readonly document: SourceDocument;
  /** The highlighted words, in order; none overlaps another. */
  readonly spans: readonly Span[];
  readonly kind: ItemKind;
  /** What is judged. */
  readonly statement: string;
  /** What can be asked of it. */
  readonly fields: readonly Field[];
  /** Probability by the model that made the set that the key point helps; null where nothing was filtered. */
  readonly score: number | null;
}

interface FoundItems {
  /** In the order of the set. */
  readonly items: readonly AnnotationItem[];
  /** Key points and insights for which no words of a document are known. */
  readonly unplaced: number;
}

/**
 * What people can judge of a set: every key point beside each document that it was found in, every insight beside each passage that is
 * labelled with it, and every answer of a nugget beside each document that is said to attest it. What is there twice is judged once.
 */
export function itemsOf({ collections, cases }: BenchmarkSet): FoundItems {
  const documents = new Map(
    collections.map(({ id, documents }) => [id, new Map(documents.map((each) => [each.id, each]))]),
  );
  const items = new Map<string, AnnotationItem>();
  let unplaced = 0;
  for (const each of cases) {
    const known = documents.get(each.collection) ?? new Map<string, SourceDocument>();
    for (const statement of statementsOf(each)) {
      const found = statement.places.flatMap((spans) => itemOf(each, statement, spans, known));
      if (found.length === 0) unplaced++;
      for (const item of found) if (!items.has(item.id)) items.set(item.id, item);
    }
  }
  return { items: [...items.values()], unplaced };
}

/** What is asked of an item. */
export function fieldsOf({ fields }: Pick<AnnotationItem, 'fields'>, asked: readonly Field[]): Field[] {
  return asked.filter((field) => fields.includes(field));
}

/** What is judged of an answer to the question of a nugget. */
export function nuggetStatement(question: string, answer: string): string {
  return `${question} – ${answer}`;
}

interface Statement {
  readonly kind: ItemKind;
  readonly text: string;
  /** The spans of each place that is judged by itself, all of one document. */
  readonly places: readonly (readonly PassageSpan[])[];
  readonly score: number | null;
}

function statementsOf({ keyPoints = [], insights = [], passages = [], nuggets = [] }: BenchmarkCase): Statement[] {
  return [
    ...keyPoints.map(({ text, spans = [], usefulness }) => ({
      kind: 'key point' as const,
      text,
      places: [...groupBy(spans, ({ document }) => document).values()],
      score: usefulness ?? null,
    })),
    ...insights.map(({ id, text }) => ({
      kind: 'key point' as const,
      text,
      places: passages.filter(({ insights = [] }) => insights.includes(id)).map((passage) => [passage]),
      score: null,
    })),
    ...nuggets.flatMap(({ question, answers = [] }) =>
      answers.map(({ text, spans = [] }) => ({
        kind: 'nugget' as const,
        text: nuggetStatement(question, text),
        places: [...groupBy(spans, ({ document }) => document).values()],
        score: null,
      })),
    ),
  ];
}

function fieldsFor(kind: ItemKind, hasQuery: boolean): Field[] {
  if (kind === 'nugget') return hasQuery ? ['attested', 'importance'] : ['attested'];
  return hasQuery ? ['stated', 'helps'] : ['stated'];
}

function itemOf(
  { id, intent }: BenchmarkCase,
  statement: Statement,
  spansThere: readonly PassageSpan[],
  documents: ReadonlyMap<string, SourceDocument>,
): AnnotationItem[] {
  const document = documents.get(spansThere[0]?.document ?? '');
  const spans = merged(spansThere);
  if (document === undefined || spans.length === 0) return [];
  const { kind, text, score } = statement;
  return [
    {
      id: itemId(id, document.id, text, spans),
      case: id,
      kind,
      query: intent ?? null,
      document,
      spans,
      statement: text,
      fields: fieldsFor(kind, intent !== undefined),
      score,
    },
  ];
}

/** @param spans of one document, in any order */
export function itemId(caseId: string, document: string, statement: string, spans: readonly Span[]): string {
  return contentHash(
    JSON.stringify([caseId, document, statement, merged(spans).map(({ start, end }) => [start, end])]),
  );
}

/** In order, none empty, those that touch or overlap as one. */
function merged(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = apart.at(-1);
    if (start >= end) continue;
    if (last !== undefined && start <= last.end) {
      apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    } else apart.push({ start, end });
  }
  return apart;
}
