import { z } from 'zod';
import { documentSchema, LIMITS, type TypeOf, text } from '../contract/index.ts';
import { insight, nugget } from '../evaluation/index.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);
const place = z.int().min(0);

export const QUESTION_KINDS = ['fact', 'reasoning'] as const;

const question = z.strictObject({
  question: statement,
  answer: statement,
  /** Whether the document states the answer or implies it; absent if unknown. */
  kind: z.enum(QUESTION_KINDS).optional(),
  document: name,
  /** Place of the source document in its collection, from 0. */
  position: place,
  /** Relevance to the case's intent; absent without an intent. */
  relevant: z.boolean().optional(),
});
export type BenchmarkQuestion = TypeOf<typeof question>;

/** A passage of a document, in UTF-16 code units. */
export const span = z.strictObject({ document: name, start: place, end: place });
export type PassageSpan = TypeOf<typeof span>;

const keyPoint = z.strictObject({
  text: statement,
  spans: z.array(span).optional(),
  /** Probability that it helps to answer the question; absent without filtering. */
  usefulness: z.number().min(0).max(1).optional(),
});

const passage = z.strictObject({
  ...span.shape,
  /** Ids of the insights of the case; absent for passages that are only known to be relevant. */
  insights: z.array(name).optional(),
});
export type LabelledPassage = TypeOf<typeof passage>;

const caseNugget = z.strictObject({
  ...nugget.shape,
  answers: z
    .array(
      z.strictObject({
        text: statement,
        documents: z.array(name).max(LIMITS.documents).optional(),
        spans: z.array(span).optional(),
      }),
    )
    .max(100)
    .optional(),
});
export type CaseNugget = TypeOf<typeof caseNugget>;

const benchmarkCase = z.strictObject({
  id: name,
  collection: name,
  /** The reader's question; absent for a general overview. */
  intent: text(LIMITS.intentCharacters).min(1).optional(),
  domain: name.optional(),
  questionKind: name.optional(),
  insights: z.array(insight).optional(),
  questions: z.array(question).optional(),
  keyPoints: z.array(keyPoint).optional(),
  nuggets: z.array(caseNugget).optional(),
  /** Relevant passages, as annotated by people or by the maker. */
  passages: z.array(passage).optional(),
  reference: text(200_000).optional(),
});
export type BenchmarkCase = TypeOf<typeof benchmarkCase>;

const collection = z.strictObject({
  id: name,
  topic: statement.optional(),
  documents: z.array(documentSchema).min(1),
  questions: z.array(question).optional(),
});
export type Collection = TypeOf<typeof collection>;

/** Provenance of one step, sufficient to reproduce it; resuming does not change it. */
const making = z.strictObject({
  step: name,
  version: z.int(),
  seed: z.int(),
  model: z
    .strictObject({
      model: z.string(),
      temperature: z.number().nullable(),
      topP: z.number().nullable(),
      seed: z.number().nullable(),
    })
    .nullable(),
  prompts: z.record(z.string(), z.string()),
  /** All other options that affect the output, by flag. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Output and rejected items by reason: `calls`, `malformed` and the step's own. */
  counts: z.record(z.string(), z.number()),
});
export type Making = TypeOf<typeof making>;

export const benchmarkSetSchema = z
  .strictObject({
    name,
    collections: z.array(collection).min(1),
    cases: z.array(benchmarkCase),
    /** Steps in order; imported sets begin with `load`. */
    made: z.array(making).default([]),
  })
  .superRefine(({ collections, cases }, context) => {
    const report = issueReporter(context);
    const idsOf = (items: readonly { readonly id: string }[] = [], ...path: Path) => {
      const ids = items.map(({ id }) => id);
      reportDuplicates(ids, (index) => [...path, index, 'id'], report);
      return new Set(ids);
    };
    idsOf(collections, 'collections');
    idsOf(cases, 'cases');
    const lengths = new Map<string, ReadonlyMap<string, number>>();
    const checkReferences = (value: unknown, collectionId: string, path: Path) =>
      reportReferences(value, path, lengths.get(collectionId), report);
    for (const [index, { id, documents, questions }] of collections.entries()) {
      idsOf(documents, 'collections', index, 'documents');
      lengths.set(id, new Map(documents.map((document) => [document.id, document.text.length])));
      checkReferences(questions, id, ['collections', index, 'questions']);
    }
    for (const [index, each] of cases.entries()) {
      const path = ['cases', index];
      if (!lengths.has(each.collection)) {
        report([...path, 'collection'], 'is not the id of one of the collections');
        continue;
      }
      checkReferences(each, each.collection, path);
      idsOf(each.nuggets, ...path, 'nuggets');
      const insights = idsOf(each.insights, ...path, 'insights');
      for (const [number, { insights: told = [] }] of (each.passages ?? []).entries()) {
        const at = told.findIndex((id) => !insights.has(id));
        if (at >= 0) report([...path, 'passages', number, 'insights', at], 'is not the id of one of the insights');
      }
    }
  });

export type BenchmarkSet = TypeOf<typeof benchmarkSetSchema>;

type Path = readonly (string | number)[];
const reference = z.object({ document: name, start: place.optional(), end: place.optional() });
type Reference = z.output<typeof reference> & { readonly at: Path };

/** What names a document, anywhere in a value: a `document`, alone or with a span, or one of `documents`. */
function* references(value: unknown, path: Path): Generator<Reference> {
  if (typeof value !== 'object' || value === null) return;
  const { data } = reference.safeParse(value);
  if (data !== undefined) yield { ...data, at: data.end === undefined ? [...path, 'document'] : path };
  for (const [key, part] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    if (path.at(-1) === 'documents' && typeof part === 'string') yield { document: part, at };
    yield* references(part, at);
  }
}

/** Reports what names no document, or no span of one. @param known lengths of the documents by id */
export function reportReferences(
  value: unknown,
  path: Path,
  known: ReadonlyMap<string, number> | undefined,
  report: ReportIssue,
): void {
  for (const { at, document, start = 0, end = start } of references(value, path)) {
    const length = known?.get(document);
    if (length === undefined) report(at, 'is not the id of one of the documents');
    else if (end > length) report(at, 'ends behind its document');
    else if (end < start) report(at, 'ends before it begins');
  }
}

export type ReportIssue = (path: Path, message: string) => void;

export function issueReporter(context: z.core.$RefinementCtx): ReportIssue {
  return (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
}

export function reportDuplicates(ids: readonly string[], at: (index: number) => Path, report: ReportIssue): void {
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    if (seen.has(id)) report(at(index), 'is a duplicate id');
    seen.add(id);
  });
}
