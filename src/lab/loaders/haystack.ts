import { z } from 'zod';
import type { BenchmarkCase, LabelledPassage } from '../benchmark-set.ts';
import { documentText, id, intent, place, statement, title } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { issueReporter, type ReportIssue, reportDuplicates } from './report-issue.ts';

/**
 * A haystack whose documents people labelled: arguments in their texts with the ids of the key points that they tell, and
 * queries with the key points wanted (`insights`) and the documents that tell each.
 */
export const haystackSchema = z
  .object({
    documents: z
      .array(
        z.object({
          id,
          title: title.optional(),
          text: documentText,
          arguments: z.array(z.object({ start: place, end: place, keyPoints: z.array(id) })),
        }),
      )
      .min(1),
    queries: z.array(
      z.object({
        intent,
        insights: z.array(z.object({ id, text: statement, documents: z.array(id) })).min(1),
      }),
    ),
  })
  .superRefine((haystack, context) => checkHaystack(haystack, issueReporter(context)));

export type Haystack = z.output<typeof haystackSchema>;

function checkHaystack({ documents, queries }: Haystack, report: ReportIssue): void {
  reportDuplicates(
    documents.map((document) => document.id),
    (index) => ['documents', index, 'id'],
    report,
  );
  const known = new Set(documents.map((document) => document.id));
  const insightIds = new Set(queries.flatMap(({ insights }) => insights.map((insight) => insight.id)));
  documents.forEach(({ text, arguments: stretches }, index) => {
    stretches.forEach(({ start, end, keyPoints }, number) => {
      const at = ['documents', index, 'arguments', number];
      if (start >= end) report(at, 'ends before it begins');
      if (end > text.length) report(at, 'ends behind its document');
      keyPoints.forEach((keyPoint, nth) => {
        if (!insightIds.has(keyPoint)) report([...at, 'keyPoints', nth], 'is the id of no insight');
      });
    });
  });
  queries.forEach(({ insights }, index) => {
    reportDuplicates(
      insights.map((insight) => insight.id),
      (number) => ['queries', index, 'insights', number, 'id'],
      report,
    );
    insights.forEach((insight, number) => {
      insight.documents.forEach((document, nth) => {
        if (known.has(document)) return;
        report(['queries', index, 'insights', number, 'documents', nth], 'is not the id of one of the documents');
      });
    });
  });
}

/**
 * A case for every query; its passages are the arguments that are labelled with one of its insights or more.
 *
 * @param name id of the collection
 */
export function loadHaystack({ documents, queries }: Haystack, name: string): Loaded {
  const cases = queries.map((query, index): BenchmarkCase => {
    const wanted = new Set(query.insights.map((insight) => insight.id));
    const passages = documents.flatMap((document) =>
      document.arguments.flatMap(({ start, end, keyPoints }): LabelledPassage[] => {
        const insights = keyPoints.filter((keyPoint) => wanted.has(keyPoint));
        return insights.length === 0 ? [] : [{ document: document.id, start, end, insights }];
      }),
    );
    const insights = query.insights.map(({ id, text, documents: holders }) =>
      // Citations of an insight that no document tells cannot be scored.
      holders.length === 0 ? { id, text } : { id, text, documents: holders },
    );
    return { id: `${name}/${index + 1}`, collection: name, intent: query.intent, insights, passages };
  });
  const insights = queries.flatMap((query) => query.insights);
  return {
    collection: { id: name, documents: documents.map(({ arguments: _, ...document }) => document) },
    cases,
    counts: { insightsWithoutDocument: insights.filter((insight) => insight.documents.length === 0).length },
  };
}
