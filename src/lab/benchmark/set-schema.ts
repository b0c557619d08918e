import { z } from 'zod';
import { documentSchema, LIMITS, text } from '../../contract/index.ts';
import { insight, nugget } from '../../evaluation/index.ts';
import type { BenchmarkSet } from '../benchmark-set.ts';
import { issueReporter, reportDuplicates } from '../loaders/report-issue.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);
const place = z.int().min(0);

const question = z.strictObject({
  question: statement,
  answer: statement,
  document: name,
  position: place,
  relevant: z.boolean().optional(),
});

const span = { document: name, start: place, end: place };

const keyPoint = z.strictObject({
  text: statement,
  spans: z.array(z.strictObject(span)).optional(),
  usefulness: z.number().min(0).max(1).optional(),
});

const benchmarkCase = z.strictObject({
  id: name,
  collection: name,
  intent: text(LIMITS.intentCharacters).min(1).optional(),
  domain: name.optional(),
  questionKind: name.optional(),
  insights: z.array(insight).optional(),
  questions: z.array(question).optional(),
  keyPoints: z.array(keyPoint).optional(),
  nuggets: z.array(nugget).optional(),
  passages: z.array(z.strictObject({ ...span, insights: z.array(name).optional() })).optional(),
  reference: text(200_000).optional(),
});

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
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  counts: z.record(z.string(), z.number()),
});

/** A file that holds a benchmark set; what its parts say of each other is checked too. */
export const benchmarkSetSchema: z.ZodType<BenchmarkSet> = z
  .strictObject({
    name,
    collections: z
      .array(
        z.strictObject({
          id: name,
          topic: statement.optional(),
          documents: z.array(documentSchema).min(1),
          questions: z.array(question).optional(),
        }),
      )
      .min(1),
    cases: z.array(benchmarkCase),
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
    for (const [at, { documents = [] }] of answers.entries()) {
      for (const [number, document] of documents.entries()) {
        yield { path: ['nuggets', place, 'answers', at, 'documents', number], document };
      }
    }
  }
}

type NamingCase = z.output<typeof benchmarkCase>;
