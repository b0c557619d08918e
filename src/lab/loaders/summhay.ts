import { z } from 'zod';
import { citedDocuments, findMarkers } from '../../text/index.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import { documentText, id, intent, longStatement, place, statement, text } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { issueReporter, type ReportIssue, reportDuplicates } from './report-issue.ts';

/** What a system wrote for a case of a benchmark set. */
interface SystemOutput {
  readonly system: string;
  /** Id of the case. */
  readonly case: string;
  /** With their markers, "… [a][b]", which name documents by their ids. */
  readonly bullets: readonly string[];
}

/** What the summaries are stored under, before the name of the system; the paper's own tables leave it out. */
const PREFIX = /^summary_subtopic_/;

/**
 * The summaries of other systems that a file of SummHay holds.
 *
 * They cite documents by the number that the model was shown (`populate_summaries.py` of the repository, "Article 3"):
 * one more than `idx`, which is the place in the file from 0 and is also what it is taken for where it is not given. Each
 * such number becomes a marker of its own with the id of the document: "[1, 3-4]" is "[a][c][d]". A number that no
 * document has stays as it is, and is then a citation of nothing. First lines as "Here are the insights:" stay, as they
 * do in the paper's evaluation.
 */
export function outputsOf({ topic_id, subtopics, documents }: SummHayHaystack): SystemOutput[] {
  const shown = new Map(documents.map(({ document_id, idx }, place) => [String((idx ?? place) + 1), document_id]));
  return subtopics.flatMap(({ subtopic_id, summaries }) =>
    Object.entries(summaries ?? {}).flatMap(([key, bullets]) => {
      if (bullets === null) return [];
      const system = key.replace(PREFIX, '');
      const named = bullets.map((bullet) => withIds(bullet, shown));
      return [{ system, case: caseOf(topic_id, subtopic_id), bullets: named }];
    }),
  );
}

function withIds(bullet: string, shown: ReadonlyMap<string, string>): string {
  let read = '';
  let from = 0;
  // Without known ids every marker is one of numbers.
  for (const marker of findMarkers(bullet, new Set())) {
    const ids = citedDocuments([marker]).map((number) => `[${shown.get(number) ?? number}]`);
    read += bullet.slice(from, marker.start) + ids.join('');
    from = marker.end;
  }
  return read + bullet.slice(from);
}

/** Bullets of a summary by the name of what wrote it; the tables of Hugging Face hold null for what is not there. */
const summaries = z.record(z.string(), z.array(text(20_000)).nullable());

/** A haystack of SummHay (Laban et al. 2024, github.com/salesforce/summary-of-a-haystack). */
export const summHaySchema = z
  .object({
    topic_id: id,
    topic: longStatement.nullish(),
    topic_metadata: z.object({ participants: z.array(z.unknown()).nullish() }).nullish(),
    subtopics: z.array(
      z.object({
        subtopic_id: id,
        query: intent,
        insights: z.array(z.object({ insight_id: id, insight: statement })).min(1),
        summaries: summaries.nullish(),
      }),
    ),
    documents: z
      .array(
        z.object({
          document_id: id,
          document_text: documentText,
          insights_included: z.array(id),
          idx: place.nullish(),
        }),
      )
      .min(1),
  })
  .superRefine((haystack, context) => checkHaystack(haystack, issueReporter(context)));

type SummHayHaystack = z.output<typeof summHaySchema>;

function checkHaystack({ subtopics, documents }: SummHayHaystack, report: ReportIssue): void {
  reportDuplicates(
    documents.map(({ document_id }) => document_id),
    (index) => ['documents', index, 'document_id'],
    report,
  );
  reportDuplicates(
    subtopics.map(({ subtopic_id }) => subtopic_id),
    (index) => ['subtopics', index, 'subtopic_id'],
    report,
  );
  const placed = subtopics.flatMap(({ insights }, index) =>
    insights.map(({ insight_id }, number) => ({
      insight: insight_id,
      at: ['subtopics', index, 'insights', number, 'insight_id'],
    })),
  );
  reportDuplicates(
    placed.map(({ insight }) => insight),
    (index) => placed[index].at,
    report,
  );
  const known = new Set(placed.map(({ insight }) => insight));
  const places = new Set<number>();
  documents.forEach(({ insights_included, idx }, index) => {
    insights_included.forEach((insight, number) => {
      if (!known.has(insight)) report(['documents', index, 'insights_included', number], 'is the id of no insight');
    });
    const place = idx ?? index;
    if (places.has(place)) report(['documents', index, 'idx'], `is document ${place}, as one before it`);
    places.add(place);
  });
}

/** A case for every subtopic. An insight that no document tells stays without documents, so that no citation is wanted. */
export function loadSummHay({ topic_id, topic, topic_metadata, subtopics, documents }: SummHayHaystack): Loaded {
  const holders = holdersOf(documents);
  const domain = (topic_metadata?.participants ?? []).length > 0 ? 'conversation' : 'news';
  const cases = subtopics.map(
    ({ subtopic_id, query, insights }): BenchmarkCase => ({
      id: caseOf(topic_id, subtopic_id),
      collection: topic_id,
      // The paper retrieves by the query and the subtopic together; what a reader asks is the query.
      intent: query,
      domain,
      insights: insights.map(({ insight_id, insight }) => {
        const telling = holders.get(insight_id);
        return { id: insight_id, text: insight, ...(telling && { documents: [...telling] }) };
      }),
    }),
  );
  const insights = subtopics.flatMap((subtopic) => subtopic.insights);
  return {
    collection: {
      id: topic_id,
      ...(topic && { topic }),
      documents: documents.map(({ document_id, document_text }) => ({ id: document_id, text: document_text })),
    },
    cases,
    counts: { insightsWithoutDocument: insights.filter(({ insight_id }) => !holders.has(insight_id)).length },
  };
}

/** The id of the case of a subtopic. */
function caseOf(topic: string, subtopic: string): string {
  return `${topic}/${subtopic}`;
}

/** The documents that tell each insight, in their order. */
function holdersOf(documents: SummHayHaystack['documents']): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  for (const { document_id, insights_included } of documents) {
    for (const insight of insights_included) {
      holders.set(insight, (holders.get(insight) ?? new Set()).add(document_id));
    }
  }
  return holders;
}
