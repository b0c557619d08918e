import { expect, test } from 'vitest';
import { REASONS } from '../../src/contract/digest.ts';
import type { Standing } from '../../src/page/map/map-point.ts';
import { amount, count, duration, percent } from '../../src/page/map/numbers.ts';
import { statusSentence, statusWord } from '../../src/page/map/status-sentence.ts';

const STANDING: Standing = {
  relevance: 0.5,
  salience: null,
  selected: false,
  rank: null,
  gain: null,
  supports: null,
  nearest: null,
  marginal: null,
  reason: null,
};
const rankOf = (id: string): number | null => (id === 'kp_2' ? 2 : null);

test.each<[Partial<Standing>, string]>([
  [{ selected: true, rank: 3 }, 'Selected as no. 3.'],
  [{ selected: true }, 'Selected.'],
  [{ reason: 'supports', supports: 'kp_2' }, 'Cited with no. 2: the service found that it says the same.'],
  [{ reason: 'supports', supports: 'kp_9' }, 'Cited with a selected one: the service found that it says the same.'],
  [
    { reason: 'supports', supports: 'kp_2', nearest: { id: 'kp_2', similarity: 0.49 } },
    'Cited with no. 2: the service found that it says the same (49% similar).',
  ],
  [{ reason: 'gate' }, 'Not selected: not relevant enough to the question.'],
  [{ reason: 'known' }, 'Left out: the reader already knows it.'],
  [{ reason: 'rank' }, 'Not selected: it adds nothing new.'],
  [{ reason: 'size', gain: 0.1234 }, 'Not selected: enough key points came first. It would add 0.12.'],
  [{ reason: 'size' }, 'Not selected: enough key points came first.'],
  [{ reason: 'words', gain: -2.5 }, 'Not selected: the answer had no room left. It would add −2.5.'],
  [{ reason: 'notDrawn', marginal: 0.124 }, 'Not drawn. 12% of all draws hold it.'],
  [{ reason: 'notDrawn' }, 'Not drawn.'],
  [{ reason: 'unverified' }, 'Left out: its quote is not in the document.'],
])('%j is told as “%s”', (part, sentence) => {
  expect(statusSentence({ ...STANDING, ...part }, rankOf)).toBe(sentence);
});

test('every reason has a sentence and a word of its own', () => {
  const standings = REASONS.map((reason) => ({ ...STANDING, reason }));
  expect(new Set(standings.map((standing) => statusSentence(standing, rankOf))).size).toBe(REASONS.length);
  for (const standing of standings) expect(statusWord(standing, rankOf)).toMatch(/^[a-z ]+$/);
  expect(statusWord({ ...STANDING, supports: 'kp_2', reason: 'supports' }, rankOf)).toBe('cited with no. 2');
  expect(statusWord({ ...STANDING, selected: true, rank: 1 }, rankOf)).toBe('no. 1');
});

test('numbers are as people read them', () => {
  expect([0, 0.1234, 3.489, 12.345, 1234.5, 0.00123, -0.5].map(amount)).toEqual([
    '0',
    '0.12',
    '3.49',
    '12.3',
    '1,235',
    '0.001',
    '−0.5',
  ]);
  expect([0, 0.004, 0.124, 1].map(percent)).toEqual(['0%', 'Under 1%', '12%', '100%']);
  expect([count(1, 'key point'), count(1600, 'key point')]).toEqual(['1 key point', '1,600 key points']);
  expect([duration(141.7), duration(2345)]).toEqual(['142 ms', '2.3 s']);
});
