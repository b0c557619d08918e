import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { citedDocuments, findMarkers } from '../../text/index.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import { documentText, type Format, id, intent, place, statement } from './formats.ts';

const summHaySchema = z
  .object({
    topic_id: id,
    topic: text(20_000).regex(/\S/, 'holds no text').nullish(),
    topic_metadata: z.object({ participants: z.array(z.unknown()).nullish() }).nullish(),
    subtopics: z.array(
      z.object({
        subtopic_id: id,
        query: intent,
        insights: z.array(z.object({ insight_id: id, insight: statement })).min(1),
        /** By system; the tables of Hugging Face use null for missing ones. */
        summaries: z.record(z.string(), z.array(text(20_000)).nullable()).nullish(),
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
  .superRefine(({ subtopics, documents }, context) => {
    const ids = subtopics.flatMap(({ insights }) => insights.map(({ insight_id }) => insight_id));
    if (new Set(ids).size < ids.length) {
      context.addIssue({ code: 'custom', path: ['subtopics'], message: 'give an insight_id twice' });
    }
    documents.forEach(({ insights_included }, index) => {
      const at = insights_included.findIndex((insight) => !ids.includes(insight));
      if (at < 0) return;
      const path = ['documents', index, 'insights_included', at];
      context.addIssue({ code: 'custom', path, message: 'is the id of no insight' });
    });
  });
type SummHayHaystack = z.output<typeof summHaySchema>;

/**
 * A haystack of SummHay (Laban et al. 2024, github.com/salesforce/summary-of-a-haystack): one case per subtopic.
 * Insights without documents need no citation.
 */
export const SUMMHAY: Format<SummHayHaystack> = {
  schema: summHaySchema,
  load({ topic_id, topic, topic_metadata, subtopics, documents }) {
    const domain = (topic_metadata?.participants ?? []).length > 0 ? 'conversation' : 'news';
    let insightsWithoutDocument = 0;
    const cases = subtopics.map(({ subtopic_id, query, insights }): BenchmarkCase => {
      const placed = insights.map(({ insight_id, insight }) => {
        const telling = documents.filter(({ insights_included }) => insights_included.includes(insight_id));
        insightsWithoutDocument += Number(telling.length === 0);
        const ids = telling.map(({ document_id }) => document_id);
        return { id: insight_id, text: insight, ...(ids.length > 0 && { documents: ids }) };
      });
      // The paper retrieves by query and subtopic together; a reader asks the query.
      return { id: `${topic_id}/${subtopic_id}`, collection: topic_id, intent: query, domain, insights: placed };
    });
    return {
      collection: {
        id: topic_id,
        ...(topic && { topic }),
        documents: documents.map(({ document_id, document_text }) => ({ id: document_id, text: document_text })),
      },
      cases,
      counts: { insightsWithoutDocument },
    };
  },
};

/** Bullets with markers that cite document ids: "… [a][b]". */
interface SystemOutput {
  readonly system: string;
  readonly case: string;
  readonly bullets: readonly string[];
}

/**
 * Summaries by other systems in a SummHay file. They cite the number shown to the model (`populate_summaries.py` of the
 * repository): `idx` plus one, by default the place in the file. Numbers without a document stay and cite nothing.
 * First lines such as "Here are the insights:" stay, as in the paper's evaluation.
 */
export function outputsOf({ topic_id, subtopics, documents }: SummHayHaystack): SystemOutput[] {
  const shown = new Map(documents.map(({ document_id, idx }, at) => [String((idx ?? at) + 1), document_id]));
  const withIds = (bullet: string): string => {
    let [read, from] = ['', 0];
    for (const marker of findMarkers(bullet, new Set())) {
      const ids = citedDocuments([marker]).map((number) => `[${shown.get(number) ?? number}]`);
      read += bullet.slice(from, marker.start) + ids.join('');
      from = marker.end;
    }
    return read + bullet.slice(from);
  };
  return subtopics.flatMap(({ subtopic_id, summaries }) =>
    Object.entries(summaries ?? {}).flatMap(([key, bullets]) => {
      const system = key.replace(/^summary_subtopic_/, '');
      return bullets === null ? [] : [{ system, case: `${topic_id}/${subtopic_id}`, bullets: bullets.map(withIds) }];
    }),
  );
}
