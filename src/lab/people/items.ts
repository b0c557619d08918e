import { type Field, type ItemKind, SCALES } from '../../contract/index.ts';
import { seededRandom } from '../../selection/index.ts';
import { beginning, contentHash, groupBy, type SourceDocument, type Span } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkQuestion, BenchmarkSet, Collection, PassageSpan } from '../benchmark-set.ts';

export interface AnnotationItem {
  /** Hash of case, document, statement and spans, stable across samples of a set. */
  readonly id: string;
  readonly case: string;
  readonly query: string | null;
  readonly document: SourceDocument;
  /** Highlighted passages, in order, without overlaps. */
  readonly spans: readonly Span[];
  readonly kind: ItemKind;
  readonly statement: string;
  readonly fields: readonly Field[];
  /** Usefulness by the model that made the set; null without filtering. */
  readonly score: number | null;
}

/** A random sample in the original order, evenly over kinds. A larger count with the same seed draws a superset. */
export function drawItems<Item>(
  items: readonly Item[],
  count: number,
  seed: number,
  kindOf: (item: Item) => string = () => '',
): Item[] {
  const random = seededRandom(seed);
  const tickets = items.map((item) => ({ item, ticket: random() }));
  const shuffled = tickets.toSorted((a, b) => a.ticket - b.ticket);
  const byKind = [...groupBy(shuffled, ({ item }) => kindOf(item)).values()];
  const ranked = byKind.flatMap((own) => own.map((each, rank) => ({ each, rank })));
  const drawn = ranked.sort((a, b) => a.rank - b.rank).slice(0, count);
  const chosen = new Set(drawn.map(({ each }) => each));
  return tickets.flatMap((each) => (chosen.has(each) ? [each.item] : []));
}

export function nuggetStatement(question: string, answer: string): string {
  return `${question} – ${answer}`;
}

/** @param spans of one document, in any order */
export function itemId(caseId: string, document: string, statement: string, spans: readonly Span[]): string {
  const places = merged(spans).map(({ start, end }) => [start, end]);
  return contentHash(JSON.stringify([caseId, document, statement, places]));
}

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

/**
 * Pairs of documents with key points, insights (by labelled passage), and nugget answers that the documents support.
 * `unplaced` counts those without known passages.
 */
export function itemsOf({ collections, cases }: BenchmarkSet): {
  readonly items: readonly AnnotationItem[];
  readonly unplaced: number;
} {
  const items = new Map<string, AnnotationItem>();
  let unplaced = 0;
  for (const each of cases) {
    const collection = collections.find(({ id }) => id === each.collection);
    for (const { statement, places, ...asked } of statementsOf(each)) {
      const found = places.flatMap((there): AnnotationItem[] => {
        const document = collection?.documents.find(({ id }) => id === there[0]?.document);
        const spans = merged(there);
        if (document === undefined || spans.length === 0) return [];
        const id = itemId(each.id, document.id, statement, spans);
        return [{ id, case: each.id, query: each.intent ?? null, document, spans, statement, ...asked }];
      });
      if (found.length === 0) unplaced++;
      for (const item of found) if (!items.has(item.id)) items.set(item.id, item);
    }
  }
  return { items: [...items.values()], unplaced };
}

interface Statement extends Pick<AnnotationItem, 'kind' | 'statement' | 'fields' | 'score'> {
  /** Passages by document. */
  readonly places: readonly (readonly PassageSpan[])[];
}

function statementsOf(each: BenchmarkCase): Statement[] {
  const { intent, keyPoints = [], insights = [], passages = [], nuggets = [] } = each;
  const byDocument = (spans: readonly PassageSpan[] = []) => [...groupBy(spans, ({ document }) => document).values()];
  const fields = (of: Field, withIntent: Field): Field[] => (intent === undefined ? [of] : [of, withIntent]);
  const point = { kind: 'key point', fields: fields('stated', 'helps'), score: null } as const;
  const nugget = { kind: 'nugget', fields: fields('attested', 'importance'), score: null } as const;
  return [
    ...keyPoints.map(({ text, spans, usefulness = null }) => {
      return { ...point, statement: text, places: byDocument(spans), score: usefulness };
    }),
    ...insights.map(({ id, text }) => {
      const own = passages.filter((passage) => passage.insights?.includes(id));
      return { ...point, statement: text, places: own.map((passage) => [passage]) };
    }),
    ...nuggets.flatMap(({ question, answers = [] }) =>
      answers.map(({ text, spans }) => {
        return { ...nugget, statement: nuggetStatement(question, text), places: byDocument(spans) };
      }),
    ),
  ];
}

/** Questions with their source documents (Padmakumar et al. 2025, B.1), and intents with their collections (B.2). */
export function questionItemsOf({ collections, cases }: BenchmarkSet): AnnotationItem[] {
  const ofCollections = collections.flatMap((each) => questionItems(each.id, each, each.questions));
  const ofCases = cases.flatMap((each) => {
    const own = collections.find(({ id }) => id === each.collection);
    if (own === undefined) return [];
    // Cases repeat the questions of their collection.
    const made = own.questions === undefined ? questionItems(each.id, own, each.questions) : [];
    return [...made, ...intentItems(each, own)];
  });
  const ofIntents = collections.flatMap((each) => distinctItems(each, cases));
  return [...new Map([...ofCollections, ...ofCases, ...ofIntents].map((item) => [item.id, item])).values()];
}

/** The readers of a collection at once: how many differ (appendix B.2, of five). */
function distinctItems({ id, documents }: Collection, cases: readonly BenchmarkCase[]): AnnotationItem[] {
  const intents = cases.flatMap(({ collection, intent }) =>
    collection === id && intent !== undefined ? [intent] : [],
  );
  if (intents.length < 2 || intents.length > SCALES.distinct.length) return [];
  const statement = intents.map((intent, place) => `${place + 1}. ${intent}`).join('\n');
  const text = documents.map(({ title, id: own }) => title ?? own).join('\n');
  return [itemWithoutSpans(id, { id, title: 'The documents', text }, statement, 'intents', ['distinct'])];
}

function questionItems(of: string, { documents }: Collection, questions: readonly BenchmarkQuestion[] = []) {
  return questions.flatMap(({ question, answer, document: id }) => {
    const document = documents.find((each) => each.id === id);
    if (document === undefined) return [];
    return [itemWithoutSpans(of, document, nuggetStatement(question, answer), 'question', ['answerable', 'correct'])];
  });
}

function itemWithoutSpans(
  of: string,
  document: SourceDocument,
  statement: string,
  kind: ItemKind,
  fields: readonly Field[],
): AnnotationItem {
  const id = itemId(of, document.id, statement, []);
  return { id, case: of, query: null, document, spans: [], kind, statement, fields, score: null };
}

const SHOWN = 300;

function intentItems({ id, intent, questions = [] }: BenchmarkCase, { documents }: Collection): AnnotationItem[] {
  if (intent === undefined) return [];
  const relevant = questions.filter((question) => question.relevant === true).map(({ question }) => `- ${question}`);
  const shown = documents.map(
    ({ id: name, title = name, text }) => `${title}:\n${beginning(text, SHOWN)}${text.length > SHOWN ? '…' : ''}`,
  );
  const parts = relevant.length > 0 ? [['Questions that it asks for:', ...relevant].join('\n'), ...shown] : shown;
  const document = { id, title: 'Questions and documents', text: parts.join('\n\n') };
  return [itemWithoutSpans(id, document, intent, 'intent', ['rating'])];
}
