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
const span = z.strictObject({ document: name, start: place, end: place });
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
  /** Output and rejected items by reason: `calls`, `malformed`, `askedAgain` and the step's own. */
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
    const repeated = (ids: readonly string[], at: (index: number) => (string | number)[]) =>
      reportDuplicates(ids, at, report);
    repeated(
      collections.map(({ id }) => id),
      (index) => ['collections', index, 'id'],
    );
    repeated(
      cases.map(({ id }) => id),
      (index) => ['cases', index, 'id'],
    );
    const documents = new Map<string, ReadonlyMap<string, number>>();
    collections.forEach(({ id, documents: given, questions = [] }, index) => {
      repeated(
        given.map((document) => document.id),
        (number) => ['collections', index, 'documents', number, 'id'],
      );
      const lengths = new Map(given.map((document) => [document.id, document.text.length]));
      documents.set(id, lengths);
      questions.forEach(({ document }, number) => {
        if (!lengths.has(document)) report(['collections', index, 'questions', number, 'document'], NO_DOCUMENT);
      });
    });
    cases.forEach((each, index) => {
      const lengths = documents.get(each.collection);
      if (lengths === undefined) {
        report(['cases', index, 'collection'], 'is not the id of one of the collections');
        return;
      }
      for (const part of ['insights', 'nuggets'] as const) {
        repeated(
          (each[part] ?? []).map(({ id }) => id),
          (number) => ['cases', index, part, number, 'id'],
        );
      }
      const insightIds = new Set((each.insights ?? []).map(({ id }) => id));
      (each.passages ?? []).forEach(({ insights: told = [] }, number) => {
        told.forEach((id, at) => {
          if (insightIds.has(id)) return;
          report(['cases', index, 'passages', number, 'insights', at], 'is not the id of one of the insights');
        });
      });
      for (const { path, document, start = 0, end = start } of named(each)) {
        const length = lengths.get(document);
        if (length === undefined) report(['cases', index, ...path], NO_DOCUMENT);
        else if (end > length) report(['cases', index, ...path], 'ends behind its document');
        else if (end < start) report(['cases', index, ...path], 'ends before it begins');
      }
    });
  });

export type BenchmarkSet = TypeOf<typeof benchmarkSetSchema>;

const NO_DOCUMENT = 'is not the id of one of the documents';

function* named({ insights = [], questions = [], keyPoints = [], passages = [], nuggets = [] }: NamingCase) {
  for (const [place, { documents = [] }] of insights.entries()) {
    for (const [at, document] of documents.entries()) yield { path: ['insights', place, 'documents', at], document };
  }
  for (const [place, { document }] of questions.entries()) yield { path: ['questions', place, 'document'], document };
  for (const [place, { spans = [] }] of keyPoints.entries()) {
    for (const [at, { document, start, end }] of spans.entries()) {
      yield { path: ['keyPoints', place, 'spans', at], document, start, end };
    }
  }
  for (const [place, { document, start, end }] of passages.entries()) {
    yield { path: ['passages', place], document, start, end };
  }
  for (const [place, { answers = [] }] of nuggets.entries()) {
    for (const [at, { documents = [], spans = [] }] of answers.entries()) {
      for (const [number, document] of documents.entries()) {
        yield { path: ['nuggets', place, 'answers', at, 'documents', number], document };
      }
      for (const [number, { document, start, end }] of spans.entries()) {
        yield { path: ['nuggets', place, 'answers', at, 'spans', number], document, start, end };
      }
    }
  }
}

type NamingCase = z.output<typeof benchmarkCase>;

type ReportIssue = (path: readonly (string | number)[], message: string) => void;

export function issueReporter(context: z.core.$RefinementCtx): ReportIssue {
  return (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
}

export function reportDuplicates(
  ids: readonly string[],
  at: (index: number) => readonly (string | number)[],
  report: ReportIssue,
): void {
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    if (seen.has(id)) report(at(index), 'is a duplicate id');
    seen.add(id);
  });
}
