import { expect, test } from 'vitest';
import { type JudgedInsight, judgeAgreement, judgedInsights } from '../../../src/lab/people/judge-agreement.ts';
import { pearson } from '../../../src/lab/people/statistics.ts';
import { summHayAnswer } from '../results/scored-records.ts';

function judged(about: Partial<JudgedInsight>): JudgedInsight {
  return {
    summary: '0',
    system: null,
    topic: null,
    human: 0,
    humanBullet: null,
    level: 0,
    score: 0,
    bullet: 0,
    words: { bullet: 10, insight: 8, summary: 40 },
    models: {},
    ...about,
  };
}

const SIX: JudgedInsight[] = [
  judged({ summary: 'a', system: 's', human: 1, level: 1, score: 0.9, humanBullet: 0, bullet: 0, models: { m: 1 } }),
  judged({ summary: 'a', system: 's', human: 0.5, level: 0, score: 0.4, humanBullet: 1, bullet: 1, models: { m: 1 } }),
  judged({ summary: 'b', system: 's', human: 0, level: 0, score: 0.1, bullet: 2, models: { m: 0.5 } }),
  judged({ summary: 'b', system: 't', human: 1, level: 0.5, score: 0.6, humanBullet: 2, bullet: 0, models: { m: 1 } }),
  judged({ summary: 'c', system: 't', human: 0, level: 0.5, score: 0.5, bullet: 1 }),
  judged({ summary: 'c', system: 't', human: 0.5, level: 0.5, score: 0.5, humanBullet: null, bullet: 1 }),
];

test('counts what a person would count by hand', () => {
  const found = judgeAgreement(SIX);
  expect([found.summaries, found.insights]).toEqual([3, 6]);
  // Three insights that people found in a bullet; two of them linked as they did.
  expect(found.linked.value).toBeCloseTo(2 / 3, 12);
  expect(found.linked.n).toBe(3);
  expect(found.bias.value).toBeCloseTo((0 - 0.5 + 0 - 0.5 + 0.5 + 0) / 6, 12);
  expect(found.biasBySystem.map(({ name, bias }) => [name, bias.value, bias.n])).toEqual([
    ['s', -0.5 / 3, 3],
    ['t', 0, 3],
  ]);
  expect(found.biasByTopic).toEqual([]);
  expect(found.confusion).toEqual([
    [1, 1, 0],
    [1, 1, 0],
    [0, 1, 1],
  ]);
  expect(found.levels.pearson.value).toBe(
    pearson(
      SIX.map(({ level }) => level),
      SIX.map(({ human }) => human),
    ),
  );
  expect(found.models.map(({ name, pearson, bias }) => [name, pearson.n, bias.value])).toEqual([['m', 4, 0.25]]);
});

test('a judge who says what people say agrees in everything', () => {
  const levels = [0, 0.5, 1, 1, 0, 0.5] as const;
  const right = levels.map((human, index) =>
    judged({ summary: String(index % 3), human, level: human, score: human, humanBullet: 0, bullet: 0 }),
  );
  const { levels: byLevel, graded, linked, bias, confusion } = judgeAgreement(right);
  for (const { pearson, spearman } of [byLevel, graded]) {
    expect(pearson.value).toBeCloseTo(1, 12);
    expect(spearman.value).toBeCloseTo(1, 12);
    expect(pearson.low).toBeCloseTo(1, 12);
  }
  expect(linked).toEqual({ value: 1, low: 1, high: 1, n: 4 });
  expect(bias).toEqual({ value: 0, low: 0, high: 0, n: 6 });
  expect(confusion).toEqual([
    [2, 0, 0],
    [0, 2, 0],
    [0, 0, 2],
  ]);
});

test('a judge who gives long bullets more is found out', () => {
  const biased = Array.from({ length: 12 }, (_, index) =>
    judged({
      summary: String(index),
      human: index % 2 === 0 ? 0 : 1,
      level: index >= 6 ? 1 : 0,
      score: index / 12,
      words: { bullet: 5 + index, insight: index % 2 === 0 ? 7 : 9, summary: 40 },
    }),
  );
  const { length } = judgeAgreement(biased);
  const [bullet, insight, summary] = length;
  expect(length.map(({ of }) => of)).toEqual(['bullet', 'insight', 'summary']);
  expect(bullet.withScore.value).toBeCloseTo(1, 12);
  expect(bullet.withError.value).toBeGreaterThan(0.4);
  expect(insight.withError.value).toBeLessThan(-0.5);
  // All summaries are equally long.
  expect(summary.withScore).toMatchObject({ value: null, low: null, high: null });
});

test('an answer stands beside the labels of its summary', () => {
  const answer = summHayAnswer({
    insights: [
      { id: '0', coverage: 50, score: 0.6, bullet: 1, precision: null, recall: null, f1: null },
      { id: '1', coverage: 0, score: 0, bullet: null, precision: null, recall: null, f1: null },
    ],
  });
  if (answer.metric !== 'summhay') throw new Error('not SummHay');
  const summary = {
    topic: 'fares',
    bullets: ['One two three.', 'Four five.'],
    insights: [
      { text: 'A b c d.', human: 1, bullet: 0, models: { m: 0.5 } },
      { text: 'E.', human: 0, bullet: null },
    ],
  } as const;
  const about = { summary: '7', system: null, topic: 'fares' };
  expect(judgedInsights(summary, answer, '7')).toEqual([
    {
      ...{ ...about, human: 1, humanBullet: 0, level: 0.5, score: 0.6, bullet: 1, models: { m: 0.5 } },
      words: { bullet: 2, insight: 4, summary: 5 },
    },
    {
      ...{ ...about, human: 0, humanBullet: null, level: 0, score: 0, bullet: null, models: {} },
      words: { bullet: 0, insight: 1, summary: 5 },
    },
  ]);
});
