import { z } from 'zod';
import { text } from '../../contract/index.ts';
import type { Span } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkQuestion, Collection } from '../benchmark-set.ts';

export interface Loaded {
  readonly collection: Collection;
  readonly cases: readonly BenchmarkCase[];
  readonly counts: Readonly<Record<string, number>>;
}

/** A layout of published files; the loaded set is validated afterwards. */
export interface Format<Item> {
  readonly schema: z.ZodType<Item>;
  load(item: Item, name: string): Loaded;
}

const words = (most: number) => text(most).regex(/\S/, 'holds no text');
export const id = text(200).min(1);
const title = text(1000);
export const intent = words(10_000);
export const statement = words(4_000);
const reference = words(200_000);
export const documentText = words(2_000_000);
export const place = z.int().min(0);

const diverseSummSchema = z.object({
  eid: id,
  articles: z
    .array(z.object({ aid: id, title: title.nullish(), url: z.string().nullish(), content: text(2_000_000).nullish() }))
    .min(1),
  question_answers: z.array(
    z.object({
      question: statement,
      answer_groups: z.array(z.array(z.object({ aid: id, answer: text(4_000) }))),
    }),
  ),
});
const usableUrl = z.url().max(2000);

/**
 * An event of DiverseSumm (Huang et al. 2024, github.com/salesforce/DiverseSumm): one case without an intent. A
 * question is repeated for every article that answers it, with that article's first answer; as a nugget it has an
 * answer for each group of articles that agree, in the words of the first. Empty articles, empty answers, questions
 * left without one, and unusable addresses are dropped.
 */
export const DIVERSESUMM: Format<z.output<typeof diverseSummSchema>> = {
  schema: diverseSummSchema,
  load({ eid, articles, question_answers: asked }) {
    const kept = articles.filter(({ content }) => (content ?? '').trim() !== '');
    const documents = kept.map(({ aid, title: heading, url, content }) => ({
      id: aid,
      ...(heading && { title: heading }),
      ...(url && usableUrl.safeParse(url).success && { url }),
      text: content ?? '',
    }));
    const places = new Map(documents.map((document, at) => [document.id, at]));
    const counts = { answersOfEmptyDocuments: 0, emptyAnswers: 0 };
    const questions = asked.map(({ question, answer_groups: groups }) => ({
      question,
      groups: groups
        .map((group) =>
          group.filter(({ aid, answer }) => {
            const fault = !places.has(aid) ? 'answersOfEmptyDocuments' : answer.trim() === '' ? 'emptyAnswers' : null;
            if (fault !== null) counts[fault]++;
            return fault === null;
          }),
        )
        .filter((group) => group.length > 0),
    }));
    const answered = questions.filter(({ groups }) => groups.length > 0);
    const sourceQuestions = answered.flatMap(({ question, groups }): BenchmarkQuestion[] => {
      const first = new Map(
        groups
          .flat()
          .toReversed()
          .map(({ aid, answer }) => [aid, answer]),
      );
      const ids = new Set(groups.flat().map(({ aid }) => aid));
      return [...ids].map((document) => ({
        ...{ question, answer: first.get(document) ?? '', document, position: places.get(document) ?? 0 },
      }));
    });
    const nuggets = answered.map(({ question, groups }, index) => ({
      id: `q${index + 1}`,
      question,
      answers: groups.map((group) => ({
        text: group[0].answer,
        documents: [...new Set(group.map(({ aid }) => aid))],
      })),
    }));
    return {
      collection: { id: eid, documents },
      cases: [{ id: eid, collection: eid, questions: sourceQuestions, nuggets }],
      counts: {
        emptyDocuments: articles.length - kept.length,
        ...counts,
        questionsWithoutAnswer: questions.length - answered.length,
        unusableUrls: kept.filter(({ url }, at) => url && documents[at].url === undefined).length,
      },
    };
  },
};

function firstOf<Item>(...lists: readonly (readonly Item[] | undefined)[]): readonly Item[] {
  return lists.find((list) => list !== undefined) ?? [];
}

const point = z
  .object({ point: statement.optional(), key_point: statement.optional(), text: statement.optional() })
  .transform((given) => given.point ?? given.key_point ?? given.text)
  .pipe(z.string('lacks point, key_point or text'));
const keyPoint = z.union([statement, point]);
const keyPoints = z
  .array(z.union([keyPoint, z.array(keyPoint)]))
  .transform((given) => given.flat())
  .optional();
const retrieved = z
  .array(
    z.union([
      documentText.transform((given) => ({ text: given })),
      z
        .object({
          ...{ id: id.optional(), title: title.nullish(), content: documentText.optional() },
          ...{ text: documentText.optional(), key_points: keyPoints },
        })
        .transform((given) => ({ ...given, text: given.content ?? given.text }))
        .refine((given) => given.text !== undefined, 'lacks content or text'),
    ]),
  )
  .min(1)
  .optional();
const scalar = z.union([id, z.int()]).transform(String).optional();
const label = text(500).nullish();

const long2ragSchema = z
  .object({
    ...{ question_id: scalar, id: scalar, question: intent, domain: label, category: label, type: label },
    ...{ documents: retrieved, docs: retrieved, references: retrieved },
    ...{ key_points: keyPoints, keypoints: keyPoints, points: keyPoints },
  })
  .transform((record) => {
    const documents = firstOf(record.documents, record.docs, record.references);
    const own = firstOf(record.key_points, record.keypoints, record.points);
    const ofDocuments = documents.flatMap((each) => ('key_points' in each ? (each.key_points ?? []) : []));
    return {
      id: record.question_id ?? record.id,
      ...{ question: record.question, domain: record.domain, kind: record.category || record.type },
      documents: documents.map((each, index) => ({
        id: ('id' in each ? each.id : undefined) ?? `d${index + 1}`,
        ...('title' in each && each.title && { title: each.title }),
        text: each.text ?? '',
      })),
      keyPoints: [...own, ...ofDocuments],
    };
  })
  .refine(({ documents }) => documents.length > 0, {
    path: ['documents'],
    error: 'are needed; docs or references are read too',
  })
  .refine((given) => given.keyPoints.length > 0, {
    path: ['key_points'],
    error: 'are needed; keypoints or points, and key_points of the documents, are read too',
  });

/**
 * A question of Long2RAG (Qi et al. 2024), with its own documents.
 * | The files (github.com/QZH-777/longrag) could not be consulted; the schema accepts likely names for the fields in
 * the paper. The first name present counts.
 */
export const LONG2RAG: Format<z.output<typeof long2ragSchema>> = {
  schema: long2ragSchema,
  load({ id: own, question, domain, kind, documents, keyPoints: all }, name) {
    const collection = own ?? name;
    const points = [...new Set(all)];
    const labels = { ...(domain && { domain }), ...(kind && { questionKind: kind }) };
    return {
      collection: { id: collection, documents },
      cases: [
        {
          ...{ id: collection, collection, intent: question, ...labels },
          keyPoints: points.map((told) => ({ text: told })),
        },
      ],
      counts: { repeatedKeyPoints: all.length - points.length },
    };
  },
};

/** Published as a string: "10". */
const turn = z.union([
  place,
  z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, 'must be the number of a turn')
    .transform(Number),
]);
const stretch = z.tuple([turn, turn]).readonly();
type Stretch = z.output<typeof stretch>;

function passagesOf(stretches: readonly Stretch[], turns: readonly Span[], document: string) {
  const passages = stretches.flatMap(([from, to]) =>
    from <= to && to < turns.length ? [{ document, start: turns[from].start, end: turns[to].end }] : [],
  );
  return { passages, impossibleStretches: stretches.length - passages.length };
}

const answered = { query: intent, answer: reference };
const qmsumSchema = z.object({
  general_query_list: z.array(z.object(answered)),
  specific_query_list: z.array(z.object({ ...answered, relevant_text_span: z.array(stretch) })),
  meeting_transcripts: z.array(z.object({ speaker: text(1000), content: text(2_000_000) })).min(1),
});

/**
 * A meeting of QMSum (Zhong et al. 2021, github.com/Yale-LILY/QMSum, `data/ALL`): a case for every query, specific ones
 * with the turns that people marked, general ones with a summary. Marked stretches that do not exist
 * (`train/education_3.json` has one from turn 107 to 105) are left out and counted.
 */
export const QMSUM: Format<z.output<typeof qmsumSchema>> = {
  schema: qmsumSchema,
  load({ general_query_list: general, specific_query_list: specific, meeting_transcripts: turns }, name) {
    const spans: Span[] = [];
    let transcript = '';
    for (const { speaker, content } of turns) {
      const line = `${speaker}: ${content}`;
      spans.push({ start: transcript.length, end: transcript.length + line.length });
      transcript += `${line}\n`;
    }
    let impossible = 0;
    const cases = [
      ...general.map(({ query, answer }, index): BenchmarkCase => {
        const ids = { id: `${name}/general-${index + 1}`, collection: name };
        return { ...ids, intent: query, questionKind: 'general', reference: answer };
      }),
      ...specific.map(({ query, answer, relevant_text_span: marked }, index): BenchmarkCase => {
        const { passages, impossibleStretches } = passagesOf(marked, spans, name);
        impossible += impossibleStretches;
        const ids = { id: `${name}/specific-${index + 1}`, collection: name };
        const own = passages.length > 0 ? { passages } : {};
        return { ...ids, intent: query, questionKind: 'specific', ...own, reference: answer };
      }),
    ];
    const collection = { id: name, documents: [{ id: name, text: transcript }] };
    return { collection, cases, counts: { impossibleStretches: impossible } };
  },
};

const meetingSchema = z.object({
  id,
  text: documentText,
  turns: z.array(z.tuple([place, place]).readonly()).min(1),
  queries: z.array(z.object({ intent, reference: reference.optional(), relevantTurns: z.array(stretch) })),
});

export const MEETINGS: Format<z.output<typeof meetingSchema>> = {
  schema: meetingSchema,
  load({ id: own, text: transcript, turns, queries }) {
    const spans = turns.map(([start, end]) => ({ start, end }));
    let impossible = 0;
    const cases = queries.map((query, index): BenchmarkCase => {
      const { passages, impossibleStretches } = passagesOf(query.relevantTurns, spans, own);
      impossible += impossibleStretches;
      const summary = query.reference === undefined ? {} : { reference: query.reference };
      return { id: `${own}/${index + 1}`, collection: own, intent: query.intent, passages, ...summary };
    });
    const collection = { id: own, documents: [{ id: own, text: transcript }] };
    return { collection, cases, counts: { impossibleStretches: impossible } };
  },
};

const haystackSchema = z.object({
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
});

/**
 * A haystack with arguments labelled by key point. Each query becomes a case with its key points (`insights`); passages
 * are the arguments labelled with them.
 */
export const HAYSTACK: Format<z.output<typeof haystackSchema>> = {
  schema: haystackSchema,
  load({ documents, queries }, name) {
    const cases = queries.map((query, index): BenchmarkCase => {
      const wanted = new Set(query.insights.map((insight) => insight.id));
      const passages = documents.flatMap((document) =>
        document.arguments.flatMap(({ start, end, keyPoints: told }) => {
          const insights = told.filter((each) => wanted.has(each));
          return insights.length === 0 ? [] : [{ document: document.id, start, end, insights }];
        }),
      );
      // An insight without documents has no citation to score.
      const insights = query.insights.map(({ documents: holders, ...insight }) =>
        holders.length === 0 ? insight : { ...insight, documents: holders },
      );
      return { id: `${name}/${index + 1}`, collection: name, intent: query.intent, insights, passages };
    });
    const untold = queries.flatMap(({ insights }) => insights).filter((insight) => insight.documents.length === 0);
    return {
      collection: { id: name, documents: documents.map(({ arguments: _, ...document }) => document) },
      cases,
      counts: { insightsWithoutDocument: untold.length },
    };
  },
};
