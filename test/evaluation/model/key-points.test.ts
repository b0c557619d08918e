import { expect, test } from 'vitest';
import { judging } from './judging.ts';

const ANSWER = 'The dam was mended in June. It cost 3 million.';

test('key points of an answer are extracted by a prompt of their own, once, and points that it does not hold are dropped', async () => {
  const { judge, calls, database } = judging(() => ({
    keyPoints: [
      { evidence: 'The dam was mended in June.', text: 'The dam was mended in June.' },
      { evidence: 'It cost 3 million.', text: 'The dam cost 3 million.' },
      { evidence: 'It cost 4 million.', text: 'The dam cost 4 million.' },
      { evidence: 'It cost 3 million.', text: ' ' },
    ],
  }));
  const first = judge();
  const points = ['The dam was mended in June.', 'The dam cost 3 million.'];
  expect(await first.keyPoints?.(ANSWER)).toEqual(points);
  expect(calls.map(({ prompt, data }) => [prompt, data.answer])).toEqual([['judge-key-points', ANSWER]]);
  expect(first.warnings()).toEqual([expect.stringContaining('One verdict')]);
  const again = judging(() => expect.fail('asked again'), { database });
  expect(await again.judge().keyPoints?.(ANSWER)).toEqual(points);
});

test('a long answer is read in parts, and a point that two parts give counts once', async () => {
  const { judge, calls } = judging(({ data }) => ({
    keyPoints: [
      { evidence: data.answer.slice(0, 20), text: 'It rained.' },
      { evidence: data.answer.slice(-20), text: `It ended with ${data.answer.slice(-20)}` },
    ],
  }));
  const long = Array.from({ length: 200 }, (_, n) => `On day ${n} it rained in the town of Alvik.`).join(' ');
  const points = await judge().keyPoints?.(long);
  expect(calls.length).toBeGreaterThan(1);
  expect(points?.filter((point) => point === 'It rained.')).toHaveLength(1);
});
