import { expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { keyPointsMaker } from '../../../src/lab/makers/key-points.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import type { FakeAnswer } from '../../support/asked-stage-model.ts';
import { dataOf, madeBy, ofPrompt } from './asked.ts';

const unreadable = new ModelCallError('malformed', 'no');
const [SHOP, TICKET] = [
  'The island has one shop. The ferry does not run in winter. Bread is dear.',
  'A ticket costs 12 crowns. In winter the ferry does not run.',
];
const QUESTION = 'When can one get to the island?';
const SET: BenchmarkSet = {
  name: 'island',
  collections: [
    {
      id: 'c',
      documents: [
        { id: 'z', text: SHOP },
        { id: 'a', text: TICKET },
      ],
    },
  ],
  cases: [
    { id: 'none', collection: 'c' },
    { id: 'asked', collection: 'c', intent: QUESTION },
  ],
  made: [],
};

const made = (answer: FakeAnswer, rounds = 3) => madeBy(keyPointsMaker(SET, { rounds, threshold: 0.7 }), answer);
const quoted = (text: string, ...quotes: string[]) => ({ text, quotes });

test('points come in the order of documents and places, with the words that state them, and what they are worth', async () => {
  const { set, counts, questions } = await made(({ prompt, values }) => {
    if (prompt.id === 'benchmark-aggregate') return { groups: [] };
    if (prompt.id === 'benchmark-useful') {
      return values.point.includes('Bread') ? 'NO' : values.point.includes('ticket') ? 'Well.' : 'YES';
    }
    if (prompt.id !== 'extract-for-question') return { keyPoints: [] };
    return values.document.includes('shop')
      ? {
          keyPoints: [
            quoted('Bread is dear.', 'Bread is dear.'),
            quoted('The ferry rests in winter.', 'The ferry does not run in winter.', 'one shop'),
            quoted('Whales pass by.', 'Whales are seen.'),
          ],
        }
      : { keyPoints: [quoted('A ticket costs 12 crowns.', 'A ticket costs 12 crowns.')] };
  });
  const spansOf = (spans: readonly { document: string; start: number; end: number }[] = []) =>
    spans.map(({ document, start, end }) => `${document}: ${(document === 'z' ? SHOP : TICKET).slice(start, end)}`);
  expect(set?.cases[1].keyPoints?.map(({ text, spans, usefulness }) => [text, spansOf(spans), usefulness])).toEqual([
    ['The ferry rests in winter.', ['z: one shop', 'z: The ferry does not run in winter.'], 1],
  ]);
  expect(set?.cases[0].keyPoints).toBeUndefined();
  expect(counts).toEqual({
    ...{ extracted: 3, unverified: 1, filtered: 2, unweighed: 2, kept: 1 },
  });
  expect(dataOf(questions[0].values.question)).toBe(QUESTION);
  expect(ofPrompt(questions, 'benchmark-useful')).toHaveLength(3);
});

test('--rounds is the most readings of a part', async () => {
  const answer: FakeAnswer = ({ prompt }, call) =>
    prompt.id.startsWith('extract') ? { keyPoints: [quoted(`Bread is dear (${call}).`, 'Bread is dear.')] } : 'NO';
  const { questions } = await made(answer, 1);
  expect(questions.filter(({ prompt }) => prompt.id.startsWith('extract'))).toHaveLength(2);
});

test('parts that cannot be read are counted, and nothing is made of nothing; a server that fails ends the making', async () => {
  for (const failure of [unreadable, new ModelCallError('refused', 'too long', undefined, { isFatal: false })]) {
    const { set, counts, questions } = await made(() => failure);
    expect([set, counts, questions.length]).toEqual([null, { emptyCases: 1 }, 2]);
  }
  for (const failure of ['unreachable', 'timeout', 'quota', 'cancelled'] as const) {
    await expect(made(() => new ModelCallError(failure, `It failed: ${failure}`))).rejects.toThrow(failure);
  }
});

test('more parts in a small context, and more points than one question holds, are more calls', () => {
  const text = 'The island has one shop. '.repeat(1000);
  const callsIn = (contextTokens: number, documents: number) => {
    const all = Array.from({ length: documents }, (_, n) => ({ id: `d${n}`, text }));
    const set = { ...SET, collections: [{ id: 'c', documents: all }] };
    return keyPointsMaker(set, { rounds: 2, threshold: 0.7 })
      .expected(contextTokens)
      .reduce((sum, [calls]) => sum + calls, 0);
  };
  // 25,000 bytes in 2 parts: 4 readings, 21 points to weigh, and one list to merge.
  expect(callsIn(32_768, 1)).toBe(4 + 21 + 1);
  expect(callsIn(32_768, 10)).toBe(10 * 4 + 209 + 6);
  expect(callsIn(3000, 1)).toBeGreaterThan(14 + 21);
});
