import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { citedDocuments, findMarkers, groupBy, type Span } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';

export interface Loaded {
  readonly collection: Collection;
  readonly cases: readonly BenchmarkCase[];
  readonly counts: Readonly<Record<string, number>>;
}

/** A layout of published files, read to a function of the record's name; the loaded set is validated afterwards. */
type Format = z.ZodType<(name: string) => Loaded>;

const words = (most: number) => text(most).regex(/\S/, 'holds no text');
const id = text(200).min(1);
const title = text(1000);
const intent = words(10_000);
const statement = words(4_000);
const reference = words(200_000);
const documentText = words(2_000_000);
const place = z.int().min(0);

/** An insight without documents has no citation to score. */
function withHolders(insight: { readonly id: string; readonly text: string }, documents: readonly string[]) {
  return { id: insight.id, text: insight.text, ...(documents.length > 0 && { documents: [...documents] }) };
}

/** A haystack of SummHay (Laban et al. 2024, github.com/salesforce/summary-of-a-haystack). */
export const summHaySchema = z.object({
  topic_id: id,
  topic: words(20_000).nullish(),
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
});
type SummHay = z.output<typeof summHaySchema>;

/** One case per subtopic. */
const summhay: Format = summHaySchema.transform(({ topic_id, topic, topic_metadata, subtopics, documents }) => () => {
  const domain = (topic_metadata?.participants ?? []).length > 0 ? 'conversation' : 'news';
  const cases = subtopics.map(({ subtopic_id, query, insights }) => ({
    // The paper retrieves by query and subtopic together; a reader asks the query.
    ...{ id: `${topic_id}/${subtopic_id}`, collection: topic_id, intent: query, domain },
    insights: insights.map(({ insight_id, insight }) => {
      const telling = documents.filter(({ insights_included }) => insights_included.includes(insight_id));
      const ids = telling.map(({ document_id }) => document_id);
      return withHolders({ id: insight_id, text: insight }, ids);
    }),
  }));
  const texts = documents.map(({ document_id, document_text }) => ({ id: document_id, text: document_text }));
  return { collection: { id: topic_id, ...(topic && { topic }), documents: texts }, cases, counts: untold(cases) };
});

function untold(cases: readonly BenchmarkCase[]) {
  const insights = cases.flatMap((each) => each.insights ?? []);
  return { insightsWithoutDocument: insights.filter(({ documents }) => documents === undefined).length };
}

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
    articles: z
      .array(
        z.object({ aid: id, title: title.nullish(), url: z.string().nullish(), content: text(2_000_000).nullish() }),
      )
      .min(1),
    question_answers: z.array(
      z.object({
        question: statement,
        answer_groups: z.array(z.array(z.object({ aid: id, answer: text(4_000) }))),
      }),
    ),
  })
  .transform(({ eid, articles, question_answers: asked }) => () => {
    const kept = articles.filter(({ content }) => (content ?? '').trim() !== '');
    const documents = kept.map(({ aid, title: heading, url, content }) => ({
      id: aid,
      ...(heading && { title: heading }),
      ...(url && usableUrl.safeParse(url).success && { url }),
      text: content ?? '',
    }));
    const places = new Map(documents.map((document, at) => [document.id, at]));
    const counts = { answersOfEmptyDocuments: 0, emptyAnswers: 0 };
    const isUsable = ({ aid, answer }: { readonly aid: string; readonly answer: string }) => {
      const fault = !places.has(aid) ? 'answersOfEmptyDocuments' : answer.trim() === '' ? 'emptyAnswers' : null;
      if (fault !== null) counts[fault]++;
      return fault === null;
    };
    const answered = asked.flatMap(({ question, answer_groups: given }) => {
      const groups = given.map((group) => group.filter(isUsable)).filter((group) => group.length > 0);
      return groups.length === 0 ? [] : [{ question, groups }];
    });
    const questions = answered.flatMap(({ question, groups }) =>
      [...groupBy(groups.flat(), ({ aid }) => aid)].map(([document, [{ answer }]]) => ({
        ...{ question, answer, document, position: places.get(document) ?? 0 },
      })),
    );
    const nuggets = answered.map(({ question, groups }, index) => ({
      ...{ id: `q${index + 1}`, question },
      answers: groups.map((group) => ({ text: group[0].answer, documents: [...new Set(group.map(({ aid }) => aid))] })),
    }));
    return {
      collection: { id: eid, documents },
      cases: [{ id: eid, collection: eid, questions, nuggets }],
      counts: {
        ...{ emptyDocuments: articles.length - kept.length, ...counts },
        questionsWithoutAnswer: asked.length - answered.length,
        unusableUrls: kept.filter(({ url }, at) => url && documents[at].url === undefined).length,
      },
    };
  });

const label = text(500).nullish();

/**
 * A question of Long2RAG (Qi et al. 2024), with its own documents. The files (github.com/QZH-777/longrag) could not be
 * consulted; the names are those of the paper.
 */
const long2rag: Format = z
  .object({
    ...{ question_id: z.union([id, z.int()]).transform(String).optional(), question: intent },
    ...{ domain: label, category: label, key_points: z.array(statement).min(1) },
    documents: z
      .array(
        z.union([
          documentText.transform((given) => ({ text: given, title: null })),
          z.object({ text: documentText, title: title.nullish() }),
        ]),
      )
      .min(1),
  })
  .transform(({ question_id: own, question, domain, category, documents, key_points: given }) => (name) => {
    const ids = { id: own ?? name, collection: own ?? name };
    const labels = { ...(domain && { domain }), ...(category && { questionKind: category }) };
    const keyPoints = [...new Set(given)].map((told) => ({ text: told }));
    const texts = documents.map((each, index) => ({
      ...{ id: `d${index + 1}`, ...(each.title && { title: each.title }), text: each.text },
    }));
    return {
      collection: { id: own ?? name, documents: texts },
      cases: [{ ...ids, intent: question, ...labels, keyPoints }],
      counts: { repeatedKeyPoints: given.length - keyPoints.length },
    };
  });

/** Published as a string: "10". */
const turn = z.union([
  place,
  z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, 'must be the number of a turn')
    .transform(Number),
]);
const stretches = z.array(z.tuple([turn, turn]));

interface Query {
  readonly id: string;
  readonly intent: string;
  readonly kind?: string;
  readonly reference?: string | undefined;
  /** First and last turns. */
  readonly marked?: readonly (readonly [number, number])[];
}

/**
 * A case for every query, with the turns that people marked. Marked stretches that do not exist
 * (`train/education_3.json` of QMSum has one from turn 107 to 105) are left out and counted.
 */
function loadedMeeting(name: string, transcript: string, turns: readonly Span[], queries: readonly Query[]): Loaded {
  const exists = ([from, to]: readonly [number, number]) => from <= to && to < turns.length;
  const cases = queries.map(({ id: own, intent: asked, kind, reference: summary, marked = [] }) => {
    const passages = marked.filter(exists).map(([from, to]) => ({
      ...{ document: name, start: turns[from].start, end: turns[to].end },
    }));
    return {
      ...{ id: `${name}/${own}`, collection: name, intent: asked },
      ...(kind !== undefined && { questionKind: kind }),
      ...(passages.length > 0 && { passages }),
      ...(summary !== undefined && { reference: summary }),
    };
  });
  const impossibleStretches = queries.flatMap(({ marked = [] }) => marked).filter((each) => !exists(each)).length;
  const collection = { id: name, documents: [{ id: name, text: transcript }] };
  return { collection, cases, counts: { impossibleStretches } };
}

const answered = { query: intent, answer: reference };

/** A meeting of QMSum (Zhong et al. 2021, github.com/Yale-LILY/QMSum, `data/ALL`); general queries have a summary alone. */
const qmsum: Format = z
  .object({
    general_query_list: z.array(z.object(answered)),
    specific_query_list: z.array(z.object({ ...answered, relevant_text_span: stretches })),
    meeting_transcripts: z.array(z.object({ speaker: text(1000), content: text(2_000_000) })).min(1),
  })
  .transform(({ general_query_list: general, specific_query_list: specific, meeting_transcripts: said }) => (name) => {
    const turns: Span[] = [];
    let transcript = '';
    for (const { speaker, content } of said) {
      const line = `${speaker}: ${content}`;
      turns.push({ start: transcript.length, end: transcript.length + line.length });
      transcript += `${line}\n`;
    }
    return loadedMeeting(name, transcript, turns, [
      ...general.map(({ query, answer }, index) => ({
        ...{ id: `general-${index + 1}`, intent: query, kind: 'general', reference: answer },
      })),
      ...specific.map(({ query, answer, relevant_text_span: marked }, index) => ({
        ...{ id: `specific-${index + 1}`, intent: query, kind: 'specific', reference: answer, marked },
      })),
    ]);
  });

const meetings: Format = z
  .object({
    ...{ id, text: documentText, turns: z.array(z.tuple([place, place])).min(1) },
    queries: z.array(z.object({ intent, reference: reference.optional(), relevantTurns: stretches })),
  })
  .transform(({ id: own, text: transcript, turns, queries }) => () => {
    const spans = turns.map(([start, end]) => ({ start, end }));
    const asked = queries.map(({ relevantTurns: marked, ...query }, index) => ({
      ...{ ...query, id: String(index + 1), marked },
    }));
    return loadedMeeting(own, transcript, spans, asked);
  });

/**
 * A haystack with arguments labelled by key point. Each query becomes a case with its key points (`insights`); passages
 * are the arguments labelled with them.
 */
const haystack: Format = z
  .object({
    documents: z
      .array(
        z.object({
          ...{ id, title: title.optional(), text: documentText },
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
  .transform(({ documents, queries }) => (name) => {
    const cases = queries.map(({ intent: asked, insights }, index) => {
      const wanted = new Set(insights.map((insight) => insight.id));
      const passages = documents.flatMap((document) =>
        document.arguments.flatMap(({ start, end, keyPoints: told }) => {
          const own = told.filter((each) => wanted.has(each));
          return own.length === 0 ? [] : [{ document: document.id, start, end, insights: own }];
        }),
      );
      const placed = insights.map((insight) => withHolders(insight, insight.documents));
      return { id: `${name}/${index + 1}`, collection: name, intent: asked, insights: placed, passages };
    });
    const texts = documents.map(({ arguments: _, ...document }) => document);
    return { collection: { id: name, documents: texts }, cases, counts: untold(cases) };
  });

export const PUBLISHED = { summhay, diversesumm, qmsum, long2rag, haystack, meetings };
