import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { DIGEST } from '../../../src/contract/index.ts';
import { readAggregates } from '../../../src/server/experiments/aggregates.ts';
import { recordExposure } from '../../../src/server/experiments/assignment.ts';
import { stopExperiment } from '../../../src/server/experiments/definition.ts';
import { automaticValues, digestOutcomes } from '../../../src/server/experiments/digest-outcomes.ts';
import { AUTOMATIC_METRICS } from '../../../src/server/experiments/experiment.ts';
import { meanSupport } from '../../../src/server/index.ts';
import { laboratory, namedSums, running, START } from './laboratory.ts';

function sentence(support: number | null, framing = false) {
  return { text: '', framing, keyPoints: [], citations: [], support };
}

const METRICS = {
  documentCoverage: 0.5,
  citedDocuments: 0.75,
  redundancy: 0.25,
  relevance: 0.6,
  compression: 0.1,
  words: 40,
  wordsPerSentence: 20,
};

function given(
  id: string,
  { subject = 's', acceptedAt = START, milliseconds = 1500 } = {},
): Parameters<typeof digestOutcomes>[0] {
  const sentences = [sentence(1), sentence(0.5), sentence(null, true), sentence(null), sentence(0, true)];
  const usage = {
    requests: 2,
    promptTokens: 100,
    completionTokens: 20,
    cost: 0.03,
    stages: {},
    reusedExtractions: 0,
    reusedEncodings: 0,
  };
  const digest = { ...DIGEST, id, metrics: METRICS, summary: { text: '', sentences }, usage };
  const experiment = { key: 'exp', version: 1, variant: 'control', overridden: false, subject };
  return { digest, milliseconds, experiment, acceptedAt };
}

test('what a digest tells of itself', () => {
  const values = automaticValues(given('dig_1'));
  expect(values).toEqual({
    'digest.documentCoverage': 0.5,
    'digest.redundancy': 0.25,
    'digest.relevance': 0.6,
    'digest.compression': 0.1,
    'digest.support': 0.75,
    'digest.latency': 1500,
    'digest.tokens': 120,
    'digest.cost': 0.03,
  });
  expect(Object.keys(values)).toEqual(Object.keys(AUTOMATIC_METRICS));
});

test('a digest counts once, by the subject’s digests, and only where the guard holds', async () => {
  const { database, clock } = laboratory();
  const experiment = await running(database);
  const { variant } = await recordExposure(database, experiment, 's');
  const latency = async () => {
    const { sums } = await readAggregates(database, experiment);
    return namedSums(experiment, sums).find((sum) => sum.metric === 'digest.latency' && sum.variant === variant);
  };
  await database.commit(await digestOutcomes(given('dig_1'), database, sql`1 = 2`));
  expect(await latency()).toBeUndefined();
  await database.commit(await digestOutcomes(given('dig_1'), database, sql`1 = 1`));
  await database.commit(await digestOutcomes(given('dig_1'), database, sql`true`));
  await database.commit(await digestOutcomes(given('dig_2', { milliseconds: 500 }), database, sql`true`));
  await database.commit(await digestOutcomes(given('dig_3', { subject: 'unknown' }), database, sql`true`));
  const expected = { x: 2000, xx: 2000 ** 2, y: 2, yy: 4, xy: 4000, events: 2 };
  expect(await latency()).toMatchObject(expected);
  clock.time = START + 10;
  await stopExperiment(database, 'exp');
  await database.commit(await digestOutcomes(given('dig_4', { acceptedAt: START + 11 }), database, sql`true`));
  expect(await latency()).toMatchObject(expected);
  await database.commit(await digestOutcomes(given('dig_5', { acceptedAt: START + 9 }), database, sql`true`));
  expect(await latency()).toMatchObject({ x: 3500, y: 3 });
});

test('support is the share of the sentences that were held, where they say so', () => {
  const sentence = (verification: 'judged' | 'verbatim' | 'unverified' | null) => ({
    text: 'A.',
    framing: verification === null,
    keyPoints: [],
    citations: [],
    support: null,
    verification,
  });
  const sentences = [sentence('judged'), sentence('verbatim'), sentence('unverified'), sentence(null)];
  expect(meanSupport({ sentences })).toBeCloseTo(2 / 3);
  expect(meanSupport({ sentences: [sentence(null)] })).toBeNull();
});
