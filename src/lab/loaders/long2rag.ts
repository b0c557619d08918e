import { z } from 'zod';
import { documentText, id, intent, statement, text, title } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { issueReporter, type ReportIssue, reportDuplicates } from './report-issue.ts';

const keyPoint = z.union([
  statement,
  z
    .object({ point: statement.optional(), key_point: statement.optional(), text: statement.optional() })
    .refine(
      ({ point, key_point, text }) => (point ?? key_point ?? text) !== undefined,
      'lacks point, key_point or text',
    ),
]);
/** One by one, or a list for each document. */
const keyPoints = z.array(z.union([keyPoint, z.array(keyPoint)])).optional();

const retrieved = z.union([
  documentText,
  z
    .object({
      id: id.optional(),
      title: title.nullish(),
      content: documentText.optional(),
      text: documentText.optional(),
      key_points: keyPoints,
    })
    .refine(({ content, text }) => (content ?? text) !== undefined, 'lacks content or text'),
]);
const retrievedDocuments = z.array(retrieved).min(1).optional();

const scalar = z.union([id, z.int()]).transform(String);

/**
 * A question of Long2RAG (Qi et al. 2024).
 *
 * The paper describes 280 questions with a domain and a category, five retrieved documents each, and the key points of
 * these; the files (github.com/QZH-777/longrag) could not be consulted. So this rests on the paper, and takes the names that
 * such a file is likely to use: `question_id` or `id`; `question`; `domain`; `category` or `type`; `documents`, `docs` or
 * `references`, each a text or an object with `content` or `text`, and perhaps an `id`, a `title` and `key_points`;
 * `key_points`, `keypoints` or `points`, each a text or an object with `point`, `key_point` or `text`, one by one or in a
 * list for each document. Of several names the first here counts.
 */
export const long2ragSchema = z
  .object({
    question_id: scalar.optional(),
    id: scalar.optional(),
    question: intent,
    domain: text(500).nullish(),
    category: text(500).nullish(),
    type: text(500).nullish(),
    documents: retrievedDocuments,
    docs: retrievedDocuments,
    references: retrievedDocuments,
    key_points: keyPoints,
    keypoints: keyPoints,
    points: keyPoints,
  })
  .superRefine((record, context) => checkQuestion(record, issueReporter(context)));

type Long2ragQuestion = z.output<typeof long2ragSchema>;
type KeyPoint = z.output<typeof keyPoint>;

function checkQuestion(record: Long2ragQuestion, report: ReportIssue): void {
  const field = (['documents', 'docs', 'references'] as const).find((key) => record[key] !== undefined);
  if (field === undefined) report(['documents'], 'are needed; docs or references are read too');
  else {
    reportDuplicates(
      documentsOf(record).map((document) => document.id),
      (index) => [field, index],
      report,
    );
  }
  if (keyPointsOf(record).length === 0) {
    report(['key_points'], 'are needed; keypoints or points, and key_points of the documents, are read too');
  }
}

/**
 * One case for each question, with documents of its own.
 *
 * @param name id of a question that has none
 */
export function loadLong2rag(record: Long2ragQuestion, name: string): Loaded {
  const collection = record.question_id ?? record.id ?? name;
  const questionKind = record.category || record.type;
  const all = keyPointsOf(record);
  // Documents of one question tell some points twice; recall counts each of them once.
  const points = [...new Set(all)];
  return {
    collection: { id: collection, documents: documentsOf(record) },
    cases: [
      {
        id: collection,
        collection,
        intent: record.question,
        ...(record.domain && { domain: record.domain }),
        ...(questionKind && { questionKind }),
        keyPoints: points.map((text) => ({ text })),
      },
    ],
    counts: { repeatedKeyPoints: all.length - points.length },
  };
}

function documentsOf(record: Long2ragQuestion) {
  return givenDocuments(record).map((document, index) => {
    const byPlace = `d${index + 1}`;
    if (typeof document === 'string') return { id: byPlace, text: document };
    const { id: own, title: heading, content, text } = document;
    return { id: own ?? byPlace, ...(heading && { title: heading }), text: content ?? text ?? '' };
  });
}

function givenDocuments({ documents, docs, references }: Long2ragQuestion) {
  return documents ?? docs ?? references ?? [];
}

function keyPointsOf(record: Long2ragQuestion): string[] {
  const own = record.key_points ?? record.keypoints ?? record.points ?? [];
  const ofDocuments = givenDocuments(record).flatMap((document) =>
    typeof document === 'string' ? [] : (document.key_points ?? []),
  );
  return [...own, ...ofDocuments].flat().flatMap((point) => statementOf(point) ?? []);
}

function statementOf(point: KeyPoint): string | undefined {
  return typeof point === 'string' ? point : (point.point ?? point.key_point ?? point.text);
}
