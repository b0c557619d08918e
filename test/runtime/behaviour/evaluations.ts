import { expect } from 'vitest';
import type { EvaluationAnswer } from '../../../src/evaluation/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { pointers, type Service, type Suite, told } from '../service.ts';

const CHARGE = 'The council approved a congestion charge of 4 euros for cars in the old town.';
const AIR = 'Air pollution near schools would fall by 9 percent, according to the model of the institute.';
const UNTOLD = 'Bakers in Vienna demand higher wages for the night shift.';
const insights = [
  { id: 'charge', text: CHARGE, documents: ['council'] },
  { id: 'air', text: AIR, documents: ['university'] },
  { id: 'wages', text: UNTOLD, documents: ['garden'] },
];
const bullets = [
  'For cars in the old town the council approved a congestion charge of 4 euros. [council]',
  'Near schools air pollution would fall by 9 percent. [university]',
];
const documents = CITY.map(({ id, text }) => ({ id, text }));
const nuggets = [
  { id: 'charge', question: 'What did the council approve?', answers: [{ text: CHARGE, documents: ['council'] }] },
  { id: 'parking', question: 'What will parking in the old town cost?', answers: [] },
];
const questions = [
  {
    question: 'What did the council approve in the old town?',
    answer: 'A congestion charge of 4 euros',
    document: 'council',
  },
  { question: 'What do bakers in Vienna demand?', answer: 'Higher wages', document: 'garden' },
];

const GIVEN = {
  summhay: { bullets, insights },
  'key-point-recall': { answer: CHARGE, keyPoints: [CHARGE], documents: documents.map(({ text }) => text) },
  argue: { report: { sentences: [{ text: CHARGE, citations: ['council'] }] }, nuggets, documents },
  'source-coverage': { summary: CHARGE, documents: documents.map(({ id }) => id), questions },
} as const;

type Metric = keyof typeof GIVEN;
type Answer<M extends Metric> = Extract<EvaluationAnswer, { readonly metric: M }>;

/** What a metric says of a text, by the judge that is there without being asked for. */
async function scored<M extends Metric>({ post }: Service, metric: M, given: object): Promise<Answer<M>> {
  const answer = await told<Answer<M>>(post('/v1/evaluations', { metric, ...given }));
  expect(answer).toMatchObject({ metric, judge: { name: 'embedded', version: 'embedded-vectors/3' }, warnings: [] });
  return answer;
}

/** Published measures, by the embedded judge over sentence vectors. */
export const evaluations: Suite = (holds) => {
  holds('summhay: what is told scores above what is not, in whatever order', async (service) => {
    const { insights: found, coverage, citation } = await scored(service, 'summhay', { bullets, insights });
    expect(found.map(({ coverage }) => coverage)).toEqual([100, 100, 0]);
    expect(found.slice(0, 2).map(({ bullet }) => bullet)).toEqual([0, 1]);
    expect(found[1].score).toBeGreaterThan(10 * found[2].score);
    expect([coverage, citation]).toEqual([expect.closeTo(66.67, 1), 100]);

    const turned = { bullets: bullets.toReversed(), insights: insights.toReversed() };
    const again = await scored(service, 'summhay', turned);
    expect(again.insights.toReversed().map(({ score }) => score)).toEqual(found.map(({ score }) => score));
    expect([again.coverage, again.citation, again.joint]).toEqual([coverage, citation, expect.closeTo(coverage, 9)]);
  });

  holds(
    'key-point-recall: a point that the answer tells, with the sentence that does, and one that it does not',
    async (service) => {
      const answer = `${bullets[0].replace(' [council]', '')} ${UNTOLD}`;
      const given = { ...GIVEN['key-point-recall'], answer, keyPoints: [CHARGE, CHARGE.replace('4', '7')] };
      const found = await scored(service, 'key-point-recall', given);
      expect(found.keyPoints.map(({ entailed }) => entailed)).toEqual([true, false]);
      expect(answer).toContain(found.keyPoints[0].evidence);
      expect(found.answerKeyPoints?.map(({ present }) => present)).toEqual([true, false]);
      expect([found.recall, found.precision]).toEqual([50, 50]);
    },
  );

  holds('argue: a supported answer, the same with a wrong citation, and an absence that is wanted', async (service) => {
    const absence = 'The documents do not say what parking in the old town will cost.';
    const sentences = [
      { text: CHARGE, citations: ['council'] },
      { text: CHARGE, citations: ['garden'] },
      { text: absence, citations: [] },
      { text: 'The documents do not say who feeds the slugs.', citations: [] },
    ];
    const found = await scored(service, 'argue', { ...GIVEN.argue, report: { sentences } });
    expect(found.sentences.map(({ outcome }) => outcome)).toEqual([3, 1, 8, 7]);
    expect(found.sentences[2].nuggets).toEqual(['parking']);
    expect([found.recall, found.citationSupport]).toEqual([100, 50]);
  });

  holds('source-coverage: a question that is answered, one that is not, and what the intent asks', async (service) => {
    const given = { ...GIVEN['source-coverage'], intent: CITY_INTENT };
    const found = await scored(service, 'source-coverage', given);
    expect(found.questions.map(({ covered }) => covered)).toEqual([true, false]);
    expect(found.questions[0].evidence).toBe(CHARGE);
    expect(found.documents.find(({ id }) => id === 'council')?.coverage).toBe(100);
  });

  for (const [metric, given] of Object.entries(GIVEN)) {
    holds(`${metric}: a language model that is not there is told`, async ({ post }) => {
      expect(await pointers(post('/v1/evaluations', { metric, judge: 'llm', ...given }))).toEqual(['/judge']);
    });
  }
};
