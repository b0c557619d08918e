import { expect, test } from 'vitest';
import { extractionRecall } from '../../../src/cli/benchmark/key-points.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import {
  askedCases,
  type CaseKeyPoints,
  extractPoints,
  keyPointsProtocol,
  weighPoints,
} from '../../../src/lab/key-points/make-key-points.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';
import { askedModel, dataOf, ofPrompt } from './asked.ts';

const unreadable = new ModelCallError('malformed', 'no');
const DOCUMENTS = [
  { id: 'z', text: 'The island has one shop. The ferry does not run in winter. Bread is dear.' },
  { id: 'a', text: 'A ticket costs 12 crowns. In winter the ferry does not run.' },
];
const QUESTION = 'When can one get to the island?';
const quoted = (text: string, ...quotes: string[]) => ({ text, quotes });

test('points come in order of the documents and places, with the words that state them', async () => {
  const { model, questions } = askedModel(({ prompt, values }) => {
    if (prompt.id !== 'extract-for-question') return { keyPoints: [] };
    return values.document.includes('shop')
      ? {
          keyPoints: [
            quoted('Bread is dear.', 'Bread is dear.', 'one shop'),
            quoted('The ferry rests in winter.', 'The ferry does not run in winter.'),
            quoted('Whales pass by.', 'Whales are seen.'),
          ],
        }
      : { keyPoints: [quoted('A ticket costs 12 crowns.', 'A ticket costs 12 crowns.')] };
  });
  const { points, unverified, unread } = await extractPoints(QUESTION, DOCUMENTS, 3, model);
  const [first, second] = DOCUMENTS.map(({ text }) => text);
  expect(
    points.map(({ text, spans }) => [
      text,
      spans.map(({ document, start, end }) => `${document}: ${(document === 'z' ? first : second).slice(start, end)}`),
    ]),
  ).toEqual([
    ['Bread is dear.', ['z: one shop', 'z: Bread is dear.']],
    ['The ferry rests in winter.', ['z: The ferry does not run in winter.']],
    ['A ticket costs 12 crowns.', ['a: A ticket costs 12 crowns.']],
  ]);
  expect([unverified, unread]).toEqual([1, 0]);
  for (const { values } of questions) expect(dataOf(values.question)).toBe(QUESTION);
});

test('--rounds is the most readings of a part', async () => {
  const { model, questions } = askedModel((_, call) => ({
    keyPoints: ['The island has one shop.', 'Bread is dear.', 'The ferry does not run in winter.'].map((text) =>
      quoted(`${text.slice(0, -1)} (${call}).`, text),
    ),
  }));
  await extractPoints(QUESTION, [DOCUMENTS[0]], 1, model);
  expect(questions).toHaveLength(1);
});

test('a part that cannot be read is counted; a server that fails ends the making', async () => {
  const { model } = askedModel(({ values }) =>
    values.document.includes('shop') ? unreadable : { keyPoints: ['In winter the ferry does not run.'] },
  );
  expect(await extractPoints(QUESTION, DOCUMENTS, 1, model)).toMatchObject({
    points: [{ spans: [{ document: 'a' }] }],
    unread: 1,
  });
  const refused = askedModel(() => new ModelCallError('refused', 'too long', undefined, { isFatal: false }));
  expect(await extractPoints(QUESTION, DOCUMENTS, 1, refused.model)).toEqual({ points: [], unverified: 0, unread: 2 });
  for (const failure of ['unreachable', 'timeout', 'quota', 'cancelled'] as const) {
    const failing = askedModel(() => new ModelCallError(failure, `It failed: ${failure}`));
    await expect(extractPoints(QUESTION, DOCUMENTS, 1, failing.model)).rejects.toThrow(`It failed: ${failure}`);
  }
});

test('without probabilities YES is 1 and NO is 0; what cannot be read is nothing', async () => {
  const points = ['yes', 'no', 'perhaps'].map((text, start) => ({
    text,
    spans: [{ document: 'z', start, end: start + 1 }],
  }));
  const { model } = askedModel(({ values }) => dataOf(values.point));
  const weighed = await weighPoints(QUESTION, points, model);
  expect(weighed.map(({ usefulness, isWeighed }) => [usefulness, isWeighed])).toEqual([
    [1, false],
    [0, false],
    [null, false],
  ]);
  expect(weighed.map(({ spans }) => spans)).toEqual(points.map(({ spans }) => spans));
});

const SET: BenchmarkSet = {
  name: 'island',
  collections: [{ id: 'c', documents: DOCUMENTS }],
  cases: [
    { id: 'none', collection: 'c' },
    { id: 'asked', collection: 'c', intent: QUESTION },
  ],
  made: [],
};

test('cases without an intent are not asked', () => {
  expect(askedCases(SET)).toEqual([SET.cases[1]]);
});

test('a making that is answered nothing makes nothing, and counts what it asked', async () => {
  const { model, questions } = askedModel(() => unreadable);
  const protocol = keyPointsProtocol(SET, { rounds: 3, threshold: 0.7, contextTokens: 8192 });
  const { result, counts } = await protocol.make(model);
  expect(result).toEqual([{ id: 'asked', found: [], kept: [] }]);
  expect(counts).toMatchObject({ cases: 1, extracted: 0, unread: 2, kept: 0 });
  expect(questions).toHaveLength(2);
  expect(protocol).toMatchObject({ step: 'key-points', options: { rounds: 3, threshold: 0.7, context: 8192 } });
  // Two documents are read twice at most.
  const { calls, promptTokens, completionTokens } = protocol.expected();
  expect(calls).toBeGreaterThanOrEqual(4);
  expect(Math.min(promptTokens, completionTokens)).toBeGreaterThan(100);
});

test('more parts in a small context, and more points than one question holds, are more calls', () => {
  const text = 'The island has one shop. '.repeat(1000);
  const callsIn = (contextTokens: number, documents: number) => {
    const all = Array.from({ length: documents }, (_, n) => ({ id: `d${n}`, text }));
    const set = { ...SET, collections: [{ id: 'c', documents: all }] };
    return keyPointsProtocol(set, { rounds: 2, threshold: 0.7, contextTokens }).expected().calls;
  };
  // 25,000 bytes in 2 parts: 4 readings, 24 points to weigh, and one list to merge.
  expect(callsIn(32_768, 1)).toBe(4 + 24 + 1);
  // 240 points: six lists, and five of what is left.
  expect(callsIn(32_768, 10)).toBe(10 * (4 + 24) + 6 + 5);
  // Parts of 3,600 bytes are 7, of 42 points, two lists of 33 points and two again.
  expect(callsIn(3000, 1)).toBeGreaterThan(14 + 42);
});

test('a point without a readable verdict is dropped, and told from one that is not useful', async () => {
  const { model, questions } = askedModel(({ prompt, values }) => {
    if (prompt.id === 'extract-for-question')
      return {
        keyPoints: values.document.includes('shop')
          ? ['The island has one shop.', 'Bread is dear.']
          : ['In winter the ferry does not run.'],
      };
    if (prompt.id === 'benchmark-aggregate') return { groups: [{ points: [1] }, { points: [2] }, { points: [3] }] };
    if (prompt.id !== 'benchmark-useful') return { keyPoints: [] };
    return values.point.includes('ferry') ? 'YES' : values.point.includes('shop') ? 'NO' : 'Well.';
  });
  const { result, counts } = await keyPointsProtocol(SET, { rounds: 2, threshold: 0.7, contextTokens: 8192 }).make(
    model,
  );
  expect(result[0].kept.map(({ text, usefulness }) => [text, usefulness])).toEqual([
    ['In winter the ferry does not run.', 1],
  ]);
  expect(counts).toMatchObject({ extracted: 3, merged: 0, filtered: 1, unreadable: 1, unweighed: 2, kept: 1 });
  expect(ofPrompt(questions, 'benchmark-useful')).toHaveLength(3);
  expect(counts.extracted).toBe(counts.merged + counts.filtered + counts.unreadable + counts.kept);
});

test("people's points are covered where some made point entails them", async () => {
  const weighed = (text: string) => ({
    text,
    spans: [{ document: 'z', start: 0, end: 1 }],
    usefulness: 1,
    isWeighed: true,
  });
  const made: CaseKeyPoints[] = [
    { id: 'one', found: [weighed('a'), weighed('b')], kept: [weighed('b')] },
    { id: 'empty', found: [], kept: [] },
  ];
  const judge = scriptedJudge({ entailment: (claim, texts) => texts.some((text) => claim.includes(text)) });
  const people = [
    { case: 'one', keyPoints: ['a', 'ab', 'c'] },
    { case: 'empty', keyPoints: ['a'] },
  ];
  expect(await extractionRecall(made, people, judge)).toEqual([
    { case: 'one', points: 3, before: 2, after: 1 },
    { case: 'empty', points: 1, before: 0, after: 0 },
  ]);
  expect(judge.calls).toHaveLength(1);
  // Nothing to ask: a judge without a script throws where it is asked.
  expect(await extractionRecall(made, [people[1]], scriptedJudge({}))).toMatchObject([{ before: 0 }]);
});
