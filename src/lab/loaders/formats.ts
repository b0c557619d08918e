import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { citedDocuments, findMarkers, groupBy } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';

export interface Loaded {
  readonly collection: Collection;
  readonly cases: readonly BenchmarkCase[];
}

/**
 * A layout of published files, read to a function of the record's name, which counts what it leaves out. The loaded set
 * is validated afterwards.
 */
type Format = z.ZodType<(name: string, count: (what: string, by?: number) => void) => Loaded>;

const id = z.string();
const place = z.int().min(0);
const label = z.string().nullish();
const filled = text(2_000_000).regex(/\S/, 'holds no text');

/** An insight without documents has no citation to score. */
function withHolders(insight: { readonly id: string; readonly text: string }, documents: readonly string[]) {
  return { id: insight.id, text: insight.text, ...(documents.length > 0 && { documents: [...documents] }) };
}

/** A haystack of SummHay (Laban et al. 2024, github.com/salesforce/summary-of-a-haystack). */
export const summHaySchema = z.object({
  topic_id: id,
  topic: filled.nullish(),
  topic_metadata: z.object({ participants: z.array(z.unknown()).nullish() }).nullish(),
  subtopics: z.array(
    z.object({
      subtopic_id: id,
      query: filled,
      insights: z.array(z.object({ insight_id: id, insight: filled })).min(1),
      /** By system; the tables of Hugging Face use null for missing ones. */
      summaries: z.record(z.string(), z.array(text(20_000)).nullable()).nullish(),
    }),
  ),
  documents: z.array(
    z.object({ document_id: id, document_text: filled, insights_included: z.array(id), idx: place.nullish() }),
  ),
});
type SummHay = z.output<typeof summHaySchema>;

/** One case per subtopic. */
const summhay: Format = summHaySchema.transform(({ topic_id, topic, topic_metadata, subtopics, documents }) => () => ({
  collection: {
    ...{ id: topic_id, ...(topic && { topic }) },
    documents: documents.map(({ document_id, document_text }) => ({ id: document_id, text: document_text })),
  },
  cases: subtopics.map(({ subtopic_id, query, insights }) => ({
    // The paper retrieves by query and subtopic together; a reader asks the query.
    ...{ id: `${topic_id}/${subtopic_id}`, collection: topic_id, intent: query },
    domain: (topic_metadata?.participants ?? []).length > 0 ? 'conversation' : 'news',
    insights: insights.map(({ insight_id, insight }) => {
      const telling = documents.filter(({ insights_included }) => insights_included.includes(insight_id));
      const ids = telling.map(({ document_id }) => document_id);
      return withHolders({ id: insight_id, text: insight }, ids);
    }),
  })),
}));

/**
 * Summaries by other systems in a SummHay file, as bullets with markers that cite document ids: "… [a][b]". They cite
 * the number shown to the model (`populate_summaries.py` of the repository): `idx` plus one, by default the place in
 * the file. Numbers without a document stay and cite nothing. First lines such as "Here are the insights:" stay, as in
 * the paper's evaluation.
 */
export function outputsOf({ topic_id, subtopics, documents }: SummHay) {
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

const usableUrl = z.url().max(2000);

/**
 * An event of DiverseSumm (Huang et al. 2024, github.com/salesforce/DiverseSumm): one case without an intent. A
 * question is repeated for every article that answers it, with that article's first answer; as a nugget it has an
 * answer for each group of articles that agree, in the words of the first. Empty articles, empty answers, questions
 * left without one, and unusable addresses are dropped.
 */
const diversesumm: Format = z
  .object({
    eid: id,
    articles: z.array(z.object({ aid: id, title: label, url: label, content: label })),
    question_answers: z.array(
      z.object({ question: filled, answer_groups: z.array(z.array(z.object({ aid: id, answer: z.string() }))) }),
    ),
  })
  .transform(({ eid, articles, question_answers: asked }) => (_, count) => {
    const kept = articles.filter(({ content }) => (content ?? '').trim() !== '');
    const documents = kept.map(({ aid, title, url, content }) => ({
      id: aid,
      ...(title && { title }),
      ...(url && usableUrl.safeParse(url).success && { url }),
      text: content ?? '',
    }));
    const places = new Map(documents.map((document, at) => [document.id, at]));
    const answered = asked.flatMap(({ question, answer_groups: given }) => {
      const usable = given.map((group) => group.filter(({ aid, answer }) => places.has(aid) && answer.trim() !== ''));
      const groups = usable.filter((group) => group.length > 0);
      count('unusableAnswers', given.flat().length - groups.flat().length);
      return groups.length === 0 ? [] : [{ question, groups }];
    });
    count('emptyDocuments', articles.length - kept.length);
    count('questionsWithoutAnswer', asked.length - answered.length);
    count('unusableUrls', kept.filter(({ url }, at) => url && documents[at].url === undefined).length);
    const questions = answered.flatMap(({ question, groups }) =>
      [...groupBy(groups.flat(), ({ aid }) => aid)].map(([document, [{ answer }]]) => ({
        ...{ question, answer, document, position: places.get(document) ?? 0 },
      })),
    );
    const nuggets = answered.map(({ question, groups }, index) => ({
      ...{ id: `q${index + 1}`, question },
      answers: groups.map((group) => ({ text: group[0].answer, documents: [...new Set(group.map(({ aid }) => aid))] })),
    }));
    return { collection: { id: eid, documents }, cases: [{ id: eid, collection: eid, questions, nuggets }] };
  });

const turns = z.array(z.tuple([place, place]));

/**
 * A meeting with the stretch of each turn, and a case for every query with the turns that people marked. Marked stretches
 * that do not exist are left out and counted.
 */
const meetings: Format = z
  .object({
    ...{ id, text: filled, turns: turns.min(1) },
    queries: z.array(z.object({ intent: filled, reference: filled.optional(), relevantTurns: turns })),
  })
  .transform(({ id: own, text: transcript, turns: spans, queries }) => (_, count) => {
    const cases = queries.map(({ intent, reference, relevantTurns: marked }, index) => {
      const known = marked.filter(([from, to]) => from <= to && to < spans.length);
      count('impossibleStretches', marked.length - known.length);
      return {
        ...{ id: `${own}/${index + 1}`, collection: own, intent },
        passages: known.map(([from, to]) => ({ document: own, start: spans[from][0], end: spans[to][1] })),
        ...(reference !== undefined && { reference }),
      };
    });
    return { collection: { id: own, documents: [{ id: own, text: transcript }] }, cases };
  });

/**
 * A haystack with arguments labelled by key point. Each query becomes a case with its key points (`insights`); passages
 * are the arguments labelled with them.
 */
const haystack: Format = z
  .object({
    documents: z.array(
      z.object({
        ...{ id, title: z.string().optional(), text: filled },
        arguments: z.array(z.object({ start: place, end: place, keyPoints: z.array(id) })),
      }),
    ),
    queries: z.array(
      z.object({ intent: filled, insights: z.array(z.object({ id, text: filled, documents: z.array(id) })).min(1) }),
    ),
  })
  .transform(({ documents, queries }) => (name) => {
    const cases = queries.map(({ intent, insights }, index) => {
      const wanted = new Set(insights.map((insight) => insight.id));
      const passages = documents.flatMap((document) =>
        document.arguments.flatMap(({ start, end, keyPoints: told }) => {
          const own = told.filter((each) => wanted.has(each));
          return own.length === 0 ? [] : [{ document: document.id, start, end, insights: own }];
        }),
      );
      const placed = insights.map((insight) => withHolders(insight, insight.documents));
      return { id: `${name}/${index + 1}`, collection: name, intent, insights: placed, passages };
    });
    const texts = documents.map(({ arguments: _, ...document }) => document);
    return { collection: { id: name, documents: texts }, cases };
  });

export const PUBLISHED = { summhay, diversesumm, haystack, meetings };
