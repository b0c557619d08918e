import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { followUpIntent } from '../../src/page/reading/intent.tsx';
import { suggestionsFor } from '../../src/page/reading/suggestions.ts';

type KeyPoint = Digest['keyPoints'][number];

const point = (document: string, text: string): KeyPoint => ({
  ...DIGEST.keyPoints[0],
  document,
  text,
  quote: { text, start: 0, end: text.length, status: 'exact' },
});
const POINTS = [
  point('a', 'The tram line runs along the ring road from the harbour to the town.'),
  point('a', 'Ring road traffic fell after the tram line opened, and nobody was sorry.'),
  point('b', 'The mayor says that the ring road is quiet, but Mill Bridge is not.'),
  point('c', 'Mill Bridge was closed in the spring, which the shops did not like at all.'),
];
const asked = (keyPoints: readonly KeyPoint[], question: string, facets: readonly [string, boolean][] = []) =>
  suggestionsFor(
    {
      keyPoints: [...keyPoints],
      intent: { answered: 'partly', facets: facets.map(([text, answered]) => ({ text, answered })), nearest: [] },
    },
    question,
  );

test('what several documents speak of is suggested, unless it was asked', () => {
  expect(asked(POINTS, 'What about noise?')).toEqual([
    'What do the documents say about the ring road?',
    'What do the documents say about Mill Bridge?',
  ]);
  expect(asked(POINTS, 'Are there bridges?')).toEqual(['What do the documents say about the ring road?']);
  expect(asked(POINTS.slice(0, 2), 'What about noise?')).toEqual([]);
});

test('the answered parts of a question come last, and none that was not answered or asks nothing by itself', () => {
  const parts = [
    ['did the trams reduce noise', true],
    ['what did they cost?', false],
    ['what for?', true],
  ] as const;
  const suggested = asked(
    POINTS,
    'Did the trams reduce noise, and what did they cost?',
    parts.map(([...part]) => part),
  );
  expect(suggested.at(-1)).toBe('Did the trams reduce noise?');
  expect(suggested.join()).not.toMatch(/for\?/i);
  expect(suggested.join()).not.toMatch(/cost/);
  // One part is the question itself.
  expect(asked(POINTS, 'Why?', [['Why?', true]]).join()).not.toMatch(/Why/);
});

test('nothing is suggested of other languages, of quotes that no document holds, or of nothing', () => {
  const german = 'Die Ringstraße ist ruhig, aber die Mühlenbrücke war im Frühling gesperrt.';
  expect(asked([point('a', german), point('b', german)], 'Was?')).toEqual([]);
  expect(asked([], 'What?')).toEqual([]);
  const unverified: KeyPoint[] = POINTS.map((each) => ({
    ...each,
    quote: { text: each.text, start: null, end: null, status: 'unverified' },
  }));
  expect(asked(unverified, 'What about noise?')).toEqual([]);
});

test('whatever is suggested stands in the key points of two documents at least, and shares no word with another', () => {
  const word = fc.constantFrom(
    'tram',
    'Mill',
    'Bridge',
    'the',
    'of',
    'is',
    'ring',
    'road',
    'was',
    'closed',
    'mayor',
    'noise',
    'that',
  );
  const text = fc.array(word, { minLength: 4, maxLength: 14 }).map((words) => `${words.join(' ')}.`);
  const points = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), text), { maxLength: 8 });
  fc.assert(
    fc.property(points, word, (pairs, question) => {
      const suggested = asked(
        pairs.map(([document, each]) => point(document, each)),
        question,
      );
      const terms = suggested.map((each) => /about (.+)\?$/.exec(each)?.[1].toLowerCase().replace(/^the /, '') ?? '');
      for (const term of terms) {
        const documents = pairs.filter(([, each]) => each.toLowerCase().includes(term)).map(([document]) => document);
        expect(new Set(documents).size).toBeGreaterThanOrEqual(2);
        expect(term.split(' ')).not.toContain(question.toLowerCase());
      }
      const words = terms.flatMap((term) => [...new Set(term.split(' '))]);
      expect(new Set(words).size).toBe(words.length);
      expect(suggested.length).toBeLessThanOrEqual(3);
    }),
  );
});

test('another question keeps who asks and the dates, and not what was new once', () => {
  expect(followUpIntent(null, 'Why?')).toBe('Why?');
  expect(followUpIntent('What?', 'Why?')).toBe('Why?');
  expect(followUpIntent({ problem: 'What?', background: { digest: 'dig_1' } }, 'Why?')).toBe('Why?');
  expect(
    followUpIntent(
      { problem: 'What?', userStory: 'I plan.', background: 'Much.', publishedAfter: '2026-01-01' },
      'Why?',
    ),
  ).toEqual({ problem: 'Why?', userStory: 'I plan.', publishedAfter: '2026-01-01' });
});
