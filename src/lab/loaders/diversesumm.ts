import { z } from 'zod';
import type { SourceDocument } from '../../text/index.ts';
import type { BenchmarkQuestion } from '../benchmark-set.ts';
import { id, MAX_TEXT, statement, text, title } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { issueReporter, reportDuplicates } from './report-issue.ts';

/** An event of DiverseSumm (Huang et al. 2024, github.com/salesforce/DiverseSumm). */
export const diverseSummSchema = z
  .object({
    eid: id,
    articles: z
      .array(
        z.object({
          aid: id,
          title: title.nullish(),
          url: z.string().nullish(),
          content: text(MAX_TEXT).nullish(),
        }),
      )
      .min(1),
    question_answers: z.array(
      z.object({
        question: statement,
        answer_groups: z.array(z.array(z.object({ aid: id, answer: text(4_000) }))),
      }),
    ),
  })
  .superRefine(({ articles, question_answers: asked }, context) => {
    const report = issueReporter(context);
    reportDuplicates(
      articles.map(({ aid }) => aid),
      (index) => ['articles', index, 'aid'],
      report,
    );
    if (!articles.some(hasContent)) report(['articles'], 'hold no text, none of them');
    const known = new Set(articles.map(({ aid }) => aid));
    asked.forEach(({ answer_groups: groups }, index) => {
      groups.forEach((group, number) => {
        group.forEach(({ aid }, nth) => {
          if (known.has(aid)) return;
          const at = ['question_answers', index, 'answer_groups', number, nth, 'aid'];
          report(at, 'is not the id of one of the articles');
        });
      });
    });
  });

type DiverseSummEvent = z.output<typeof diverseSummSchema>;
type Article = DiverseSummEvent['articles'][number];
type Answer = DiverseSummEvent['question_answers'][number]['answer_groups'][number][number];

const usableUrl = z.url().max(2000);

/**
 * One case without an intent. Its questions are those of the event, once for every article that answers, with the first
 * answer of that article; its nuggets are the same questions with an answer for each group of articles that agree, in
 * the words of the first. Articles without text are left out with their answers, and so are answers without words, groups
 * and questions that then have none, and addresses that are none.
 */
export function loadDiverseSumm({ eid, articles, question_answers: asked }: DiverseSummEvent): Loaded {
  const kept = articles.filter(hasContent);
  const documents = kept.map(documentOf);
  const places = new Map(documents.map((document, place) => [document.id, place]));
  const usable = ({ aid, answer }: Answer) => places.has(aid) && answer.trim() !== '';
  const questions = asked.map(({ question, answer_groups: groups }) => ({
    question,
    groups: groups.map((group) => group.filter(usable)).filter((group) => group.length > 0),
  }));
  const answered = questions.filter(({ groups }) => groups.length > 0);
  const answers = asked.flatMap(({ answer_groups: groups }) => groups.flat());
  return {
    collection: { id: eid, documents },
    cases: [
      {
        id: eid,
        collection: eid,
        questions: answered.flatMap(({ question, groups }) => sourceQuestions(question, groups.flat(), places)),
        nuggets: answered.map(({ question, groups }, index) => ({
          id: `q${index + 1}`,
          question,
          answers: groups.map((group) => ({
            text: group[0].answer,
            documents: [...new Set(group.map(({ aid }) => aid))],
          })),
        })),
      },
    ],
    counts: {
      emptyDocuments: articles.length - kept.length,
      answersOfEmptyDocuments: answers.filter(({ aid }) => !places.has(aid)).length,
      emptyAnswers: answers.filter(({ aid, answer }) => places.has(aid) && answer.trim() === '').length,
      questionsWithoutAnswer: questions.length - answered.length,
      unusableUrls: kept.filter(({ url }, place) => url && documents[place].url === undefined).length,
    },
  };
}

function hasContent({ content }: Article): boolean {
  return (content ?? '').trim() !== '';
}

function documentOf({ aid, title, url, content }: Article): SourceDocument {
  return {
    id: aid,
    ...(title && { title }),
    ...(url && usableUrl.safeParse(url).success && { url }),
    text: content ?? '',
  };
}

function sourceQuestions(
  question: string,
  answers: readonly Answer[],
  places: ReadonlyMap<string, number>,
): BenchmarkQuestion[] {
  const first = new Map<string, string>();
  for (const { aid, answer } of answers) if (!first.has(aid)) first.set(aid, answer);
  return [...first].map(([document, answer]) => ({ question, answer, document, position: places.get(document) ?? 0 }));
}
