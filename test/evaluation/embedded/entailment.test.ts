import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntailmentVerdict } from '../../../src/evaluation/judge.ts';
import { judged } from './judging.ts';

const entailment = (claims: readonly string[], texts: readonly string[]) =>
  judged((judge) => judge.entailment(claims.map((claim) => ({ claim, texts }))));

const holds = async (claim: string, ...texts: string[]) => (await entailment([claim], texts))[0].holds;

const SENTENCES = [
  'The council approved the congestion charge in May.',
  'The council did not approve the congestion charge in May.',
  'Revenue of Siemens rose 12% in 2020.',
  'Revenue of Siemens rose 14% in 2021.',
  'Slugs avoid copper rings.',
  'It is not known who paid.',
  'Note: the U.S. plant (built in 1999) closed.',
  'Is the tram free?',
];
const sentence = fc.constantFrom(...SENTENCES);
const text = fc.array(sentence, { maxLength: 5 }).map((each) => each.join(' '));
const texts = fc.array(text, { minLength: 1, maxLength: 4 });

function expectSound({ holds, score, evidence }: EntailmentVerdict, texts: readonly string[]): void {
  expect(score >= 0 && score <= 1).toBe(true);
  expect(score >= 0.65).toBe(holds);
  if (holds) expect(evidence).not.toBeNull();
  if (evidence !== null) expect(texts.some((text) => text.includes(evidence))).toBe(true);
}

describe('entailment', () => {
  test('does not change by a bit with the order of claims and texts; evidence stands in a text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 1, maxLength: 4 }), texts, async (claims, documents) => {
        const found = await entailment(claims, documents);
        expect((await entailment(claims.toReversed(), documents.toReversed())).reverse()).toEqual(found);
        expect(await entailment(claims, [...documents, '', ...documents])).toEqual(found);
        for (const verdict of found) expectSound(verdict, documents);
      }),
      { numRuns: 8, seed: 5 },
    );
  });

  test('any text is borne out by itself', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aB1 2.,-%$\'"éß五👍İ'), minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(letters, async (middle) => {
        const claim = `Trams ${middle.replace(/[.!?…\s]+/gu, ' ')} run`;
        const [verdict] = await entailment([claim], [claim]);
        expect(verdict.holds).toBe(true);
      }),
      { numRuns: 20, seed: 1761658529, examples: [["'2-1a"]] },
    );
  });

  test('numbers, names and negation decide', async () => {
    const claim = 'Revenue of Siemens rose 12% in 2020.';
    expect(await holds(claim, 'In 2020 the revenue of Siemens rose 12 percent. Bakers slept.')).toBe(true);
    for (const other of [
      'Revenue of Siemens rose 12.5% in 2020.',
      'Revenue of Siemens rose 12% in 2021.',
      'Revenue of Siemens rose in 2020.',
      'Revenue of Bosch rose 12% in 2020.',
      'Revenue of Siemens did not rise 12% in 2020.',
    ]) {
      expect(await holds(claim, other), other).toBe(false);
    }
    expect(await holds('The vaccine prevents infection.', 'The vaccine does not prevent infection.')).toBe(false);
  });

  test('a claim may draw on two sentences in a row, whose text is the evidence', async () => {
    const text = 'Bakers slept. The council met in Zurich.  It approved the congestion charge. Nobody spoke.';
    const [verdict] = await entailment(['The council approved the congestion charge in Zurich.'], [text]);
    expect(verdict.evidence).toBe('The council met in Zurich.  It approved the congestion charge.');
    expect(verdict.holds).toBe(true);
  });

  test('nothing entails nothing', async () => {
    const none = { holds: false, score: 0, evidence: null };
    expect(await entailment([], ['Trams.'])).toEqual([]);
    for (const claim of ['', ' ', '👍', '…']) {
      for (const documents of [[], [''], ['Trams are free.'], [claim]]) {
        expect(await entailment([claim], documents)).toEqual([none]);
      }
    }
    expect(await entailment(['Trams are free.'], [])).toEqual([none]);
    expect(await entailment(['Trams are free.'], ['', '👍'])).toEqual([none]);
  });

  test('of 5,000 sentences the one that holds a claim is found', async () => {
    const text = Array.from(
      { length: 5000 },
      (_, i) =>
        `The w${(i * 7) % 97}a meets w${(i * 31) % 211}b, w${i % 89}c and w${(i * 13) % 53}d in ward ${i % 700}.`,
    );
    const claims = Array.from({ length: 10 }, (_, i) => text[i * 497]);
    const found = await entailment(claims, [text.join(' ')]);
    expect(found.every(({ holds }) => holds)).toBe(true);
  });
});

describe('what is said of another', () => {
  const OFFICES = 'The Berlin office hired staff. The Munich office closed in 2019.';

  test.each([
    ['The Munich office closed in 2019.', true],
    ['The office in Berlin closed in 2019.', false],
  ])('two sentences side by side do not lend each other their subjects: %s', async (claim, expected) => {
    expect(await holds(claim, OFFICES)).toBe(expected);
  });

  test('the second of two sentences may leave the name to the first', async () => {
    expect(await holds('Anna Keller resigned in May.', 'Anna Keller joined in April. She resigned in May.')).toBe(true);
  });

  test.each([
    'Traffic in the centre did not fall by 18 percent.',
    'Traffic in the centre did not fall by 18 percent. The charge raised 40 million euros.',
    'The charge raised 40 million euros. Traffic in the centre did not fall by 18 percent.',
  ])('what else a text says does not make up for a denial: %s', async (text) => {
    expect(await holds('Traffic in the centre fell by 18 percent.', text)).toBe(false);
    expect(await holds('Traffic in the centre did not fall by 18 percent.', text)).toBe(true);
  });

  test.each([
    ['Pfizer sued Moderna over patents.', 'Moderna was sued by Pfizer over patents.', true],
    ['Unemployment fell in March.', 'Unemployment fell in August.', false],
  ])('%s, of: %s', async (claim, text, expected) => {
    expect(await holds(claim, text)).toBe(expected);
  });
});

test('copies of a passage that is nearly right hide none that is', async () => {
  const copies = Array.from({ length: 20 }, () => 'Revenue of the firm rose by many percent in 2020.');
  expect(
    await holds('Revenue of the firm rose by 10 percent in 2020.', ...copies, 'Revenue rose by 10 percent in 2020.'),
  ).toBe(true);
});
