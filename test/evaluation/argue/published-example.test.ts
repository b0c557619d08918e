import { expect, test } from 'vitest';
import type { Nugget } from '../../../src/evaluation/index.ts';
import type { SentenceKind } from '../../../src/evaluation/judge.ts';
import { scoreReport } from '../../../src/evaluation/metrics/argue.ts';
import type { ArgueRequest } from '../../../src/evaluation/metrics/argue-shapes.ts';
import { evaluationResults, type ScoredRecord } from '../../../src/lab/results/evaluations.ts';
import { JUDGED } from '../../lab/results/scored-records.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';

interface Row {
  readonly text: string;
  readonly cites?: string;
  readonly kind?: SentenceKind;
  readonly reports?: string;
  readonly outcome: number;
}

/**
 * The worked example of Mayfield et al. 2024 (figures 3 and 4), in our words: 16 sentences and 5 nuggets about two films.
 * As there, sentences 1, 4, 9, 13 and 16 introduce, 5 is redundant as only later ones state it, 7 and 10 report the third
 * and the fifth nugget, five sentences are rewarded, and two nuggets are nowhere; which other sentences are rewarded is
 * ours. The judge is a script: this holds the rules and the arithmetic, not a judge.
 */
const REPORT: readonly Row[] = [
  { text: 'Two films have led the box office in turn.', kind: 'neither', outcome: 4 },
  { text: 'Endgame took the lead in July 2019.', cites: 'A', reports: 'endgame', outcome: 3 },
  { text: 'Endgame closed a run of 22 films.', cites: 'A', outcome: 2 },
  { text: 'Its rival came from the same studio.', kind: 'neither', outcome: 4 },
  { text: 'Avatar won the lead back.', outcome: 6 },
  { text: 'Avatar was shot for three dimensions.', cites: 'B', outcome: 2 },
  { text: 'Avatar regained the lead in March 2021.', cites: 'B', reports: 'avatar-again', outcome: 3 },
  { text: 'Its director had led with Titanic.', cites: 'B', outcome: 2 },
  { text: 'How did they come by so much?', kind: 'neither', outcome: 4 },
  { text: 'Avatar was shown again in China.', cites: 'C', reports: 'avatar-means', outcome: 3 },
  { text: 'Cinemas in China had just opened again.', cites: 'C', outcome: 2 },
  { text: 'In March 2021 the lead went to Avatar again.', cites: 'C', reports: 'avatar-again', outcome: 3 },
  { text: 'The other studio was not idle.', kind: 'neither', outcome: 4 },
  { text: 'Endgame led from July 2019 on.', cites: 'A', reports: 'endgame', outcome: 3 },
  { text: 'Its makers thanked the audience.', cites: 'A', outcome: 2 },
  { text: 'So the lead changed hands twice.', kind: 'neither', outcome: 4 },
];

const NUGGETS: readonly Nugget[] = [
  { id: 'endgame', question: 'When did Endgame lead?', answers: [{ text: 'July 2019', documents: ['A'] }] },
  { id: 'avatar', question: 'When did Avatar first lead?', answers: [{ text: '2010', documents: ['B'] }] },
  { id: 'avatar-again', question: 'And again?', answers: [{ text: 'March 2021', documents: ['B', 'C'] }] },
  { id: 'endgame-means', question: 'How was Endgame pushed?', answers: [{ text: 'new scenes', documents: ['A'] }] },
  { id: 'avatar-means', question: 'How was Avatar pushed?', answers: [{ text: 'shown in China', documents: ['C'] }] },
];

/** What sentence 5 says is part of what 7 says. */
const IMPLIED = new Map([[REPORT[4].text, REPORT[6].text]]);

/** @param unsupported sentences that no document says */
async function scored(report: readonly Row[], unsupported: readonly string[] = []) {
  const rowOf = (text: string) => report.find((row) => row.text === text);
  const documents = ['A', 'B', 'C'].map((id) => ({
    id,
    text: report.flatMap(({ text, cites }) => (cites === id && !unsupported.includes(text) ? text : [])).join('\n'),
  }));
  const judge = scriptedJudge({
    kinds: (text) => rowOf(text)?.kind ?? 'claim',
    reported: (text, { id }) => rowOf(text)?.reports === id,
    entailment: (claim, texts) =>
      texts.some((text) => text.includes(claim) || text.includes(IMPLIED.get(claim) ?? claim)),
  });
  const sentences = report.map(({ text, cites }) => ({ text, citations: cites === undefined ? [] : [cites] }));
  const request: ArgueRequest = { metric: 'argue', report: { sentences }, nuggets: NUGGETS, documents };
  return { request, answer: await scoreReport(request, judge) };
}

test('the example of the paper: precision 5 of 5, recall 3 of 5', async () => {
  const { answer } = await scored(REPORT);
  expect(answer.sentences.map(({ outcome }) => outcome)).toEqual(REPORT.map(({ outcome }) => outcome));
  expect(answer).toMatchObject({ precision: 100, recall: 60, f1: 75, citationSupport: 100 });
  expect(answer.nuggets).toEqual([
    { id: 'endgame', reported: true, sentences: [1, 13] },
    { id: 'avatar', reported: false, sentences: [] },
    { id: 'avatar-again', reported: true, sentences: [6, 11] },
    { id: 'endgame-means', reported: false, sentences: [] },
    { id: 'avatar-means', reported: true, sentences: [9] },
  ]);
});

/**
 * Four of the sentences, one of them cited to a document that does not say it: rewarded 1 (7) of 2 (1 penalised, 6 supported), one nugget
 * of five, two citations of three.
 */
const SHORT: readonly Row[] = [
  { text: 'Two films have led the box office in turn.', kind: 'neither', outcome: 4 },
  { text: 'Avatar was shot for three dimensions.', cites: 'B', outcome: 2 },
  { text: 'Avatar regained the lead in March 2021.', cites: 'B', reports: 'avatar-again', outcome: 3 },
  { text: 'Avatar sank.', cites: 'C', outcome: 1 },
];

test('over two reports: the mean of both', async () => {
  const whole = await scored(REPORT);
  const short = await scored(SHORT, ['Avatar sank.']);
  expect(short.answer.sentences.map(({ outcome }) => outcome)).toEqual(SHORT.map(({ outcome }) => outcome));
  expect(short.answer).toMatchObject({ precision: 50, recall: 20 });
  expect(short.answer.citationSupport).toBeCloseTo(200 / 3, 12);
  const { arms } = evaluationResults([recordOf('1', whole), recordOf('2', short)])[0];
  // Means of 100 and 50, of 60 and 20, of 100 and 66.67.
  expect(arms[0].figures['argue.precision'].value).toBeCloseTo(75, 12);
  expect(arms[0].figures['argue.recall'].value).toBeCloseTo(40, 12);
  expect(arms[0].figures['argue.citationSupport'].value).toBeCloseTo((100 + 200 / 3) / 2, 12);
});

function recordOf(id: string, { request, answer }: Awaited<ReturnType<typeof scored>>): ScoredRecord {
  return { item: { id, evaluation: request }, result: { ...answer, ...JUDGED }, known: false };
}
