import { z } from 'zod';
import { documentSchema, LIMITS, type TypeOf, text } from '../contract/index.ts';
import { insight, nugget } from '../evaluation/index.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);
const place = z.int().min(0);

export const QUESTION_KINDS = ['fact', 'reasoning'] as const;

/** A question with the answer of the document that it was made from. */
const question = z.strictObject({
  question: statement,
  answer: statement,
  /** Whether the answer stands in the document, or follows from what it says; absent where nobody said. */
  kind: z.enum(QUESTION_KINDS).optional(),
  document: name,
  /** Place of that document in the collection, from 0. */
  position: place,
  /** Whether the intent of the case asks for it; absent where there is none. */
  relevant: z.boolean().optional(),
});
export type BenchmarkQuestion = TypeOf<typeof question>;

/** A stretch of a document by its id, in UTF-16 code units. */
const span = z.strictObject({ document: name, start: place, end: place });
export type PassageSpan = TypeOf<typeof span>;

const keyPoint = z.strictObject({
  text: statement,
  /** The words of documents that state it. */
  spans: z.array(span).optional(),
  /** Probability that it helps to answer the question; absent where nothing was filtered. */
  usefulness: z.number().min(0).max(1).optional(),
});

const passage = z.strictObject({
  ...span.shape,
  /** Ids of the insights of the case that it tells; absent where it is only known to matter. */
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
        /** The words of these documents that attest it. */
        spans: z.array(span).optional(),
      }),
    )
    .max(100)
    .optional(),
});
export type CaseNugget = TypeOf<typeof caseNugget>;

/** One thing to digest, and what its digest is scored against: whatever of it is known. */
const benchmarkCase = z.strictObject({
  id: name,
  /** Id of the collection that it asks. */
  collection: name,
  /** What the reader wants to know; absent where the reader wants to know what there is. */
  intent: text(LIMITS.intentCharacters).min(1).optional(),
  domain: name.optional(),
  questionKind: name.optional(),
  /** SummHay. */
  insights: z.array(insight).optional(),
  /** Source coverage. */
  questions: z.array(question).optional(),
  /** Key point recall. */
  keyPoints: z.array(keyPoint).optional(),
  /** ARGUE. */
  nuggets: z.array(caseNugget).optional(),
  /** Where in the documents people, or whoever made them, know to stand what is wanted. */
  passages: z.array(passage).optional(),
  /** A summary that a person wrote. */
  reference: text(200_000).optional(),
});
export type BenchmarkCase = TypeOf<typeof benchmarkCase>;

/** Documents that are digested together. */
const collection = z.strictObject({
  id: name,
  /** What all of them are about, in a few words. */
  topic: statement.optional(),
  documents: z.array(documentSchema).min(1),
  /** What the documents answer, whoever reads them. */
  questions: z.array(question).optional(),
});
export type Collection = TypeOf<typeof collection>;

/** An attempt at a chapter of a conversation that did not tell what it should; of a chapter that stayed wrong, the best one stands. */
const failedAttempt = z.strictObject({
  /** Id of the document. */
  document: name,
  /** Both from 1. */
  chapter: z.int().min(1),
  attempt: z.int().min(1),
  /** Whether nothing that could be read was written, or what was told too little or too much. */
  why: z.enum(['unwritten', 'wrong']),
  /** Insights that it should have told, and others that it told. */
  missing: z.array(statement),
  extraneous: z.array(statement),
});
export type FailedAttempt = TypeOf<typeof failedAttempt>;

/** One step of the making of a set: enough to make it again. The same whether the step ran through or was resumed. */
const making = z.strictObject({
  /** Name of the command: `questions`, say. */
  step: name,
  /** Of the rules of this step. */
  version: z.int(),
  seed: z.int(),
  /** What was asked; null where no language model was. */
  model: z
    .strictObject({
      model: z.string(),
      temperature: z.number().nullable(),
      topP: z.number().nullable(),
      seed: z.number().nullable(),
    })
    .nullable(),
  /** Hashes of the prompts used, by id. */
  prompts: z.record(z.string(), z.string()),
  /** What else decides what comes out, by the name of its flag. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** What came out, what was dropped and why: `calls`, `malformed`, `askedAgain` and the step's own. */
  counts: z.record(z.string(), z.number()),
  /** One by one, in the order of documents and chapters; absent where none failed. */
  failedAttempts: z.array(failedAttempt).optional(),
});
export type Making = TypeOf<typeof making>;

/** A file that holds a benchmark set; what its parts say of each other is checked too. */
export const benchmarkSetSchema = z
  .strictObject({
    name,
    collections: z.array(collection).min(1),
    cases: z.array(benchmarkCase),
    /** How it came about, the first step first; a set of published files begins with `load`. */
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

/** Documents, what readers want to know of them, and what their digests should then tell: made here, or by people. */
export type BenchmarkSet = TypeOf<typeof benchmarkSetSchema>;

const NO_DOCUMENT = 'is not the id of one of the documents';

/** The documents that parts of a case name. */
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

/** Reports that something at a place of a record is wrong. */
type ReportIssue = (path: readonly (string | number)[], message: string) => void;

export function issueReporter(context: z.core.$RefinementCtx): ReportIssue {
  return (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
}

/** Reports every id that came before. */
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
