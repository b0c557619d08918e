import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { mergeStatements, type QuotedStatement } from '../../../src/digest/extract/extract-with-model.ts';

const exact = (start: number, end: number) => ({ start, end, status: 'exact' as const });
const repaired = (start: number, end: number) => ({ start, end, status: 'repaired' as const });
const statement = (text: string, ...spans: QuotedStatement['spans']): QuotedStatement => ({ text, spans });

describe('statements that are one', () => {
  it.each([
    ['the same words', 'Rents rose by 8%.', 'rents rose by 8%'],
    ['marks around them', 'Rents “rose” by 8%.', '"Rents rose by 8%"'],
    ['apostrophes', 'The mayor’s plan won.', "The mayor's plan won"],
  ])('%s, wherever they stand', (_, first, second) => {
    const merged = mergeStatements([statement(first, exact(500, 520)), statement(second, exact(0, 20))]);
    expect(merged).toEqual([statement(first, exact(0, 20), exact(500, 520))]);
  });
});

describe('statements that are two', () => {
  const here = exact(0, 80);
  it.each([
    ['figures', 'The plan created 2 million jobs.', 'The plan created 3 million jobs.'],
    ['currencies', 'The tunnel cost the city $5.', 'The tunnel cost the city €5.'],
    ['signs', 'It was -5 degrees.', 'It was 5 degrees.'],
    ['denials', 'The trams do run at night.', "The trams don't run at night."],
    ['words', 'Rents rose in the old town.', 'Rents rose in the new town.'],
  ])('other %s of one sentence', (_, first, second) => {
    expect(mergeStatements([statement(first, here), statement(second, here)])).toHaveLength(2);
  });
});

describe('spans', () => {
  it('are in order, without those that others hold', () => {
    const merged = mergeStatements([
      statement('A b.', exact(50, 60), exact(10, 30), exact(12, 20)),
      statement('a b', exact(5, 12), exact(50, 70), exact(10, 30)),
    ]);
    expect(merged).toEqual([statement('A b.', exact(5, 12), exact(10, 30), exact(50, 70))]);
  });
});

test('one statement given with very many quotes is merged in a few looks at each', () => {
  let looks = 0;
  const counted = (start: number) => ({
    start,
    get end() {
      looks++;
      return start + 5;
    },
    status: 'exact' as const,
  });
  const merged = mergeStatements(Array.from({ length: 300 }, (_, n) => statement('A b.', counted(10 * n))));
  expect(merged[0].spans).toHaveLength(300);
  expect(looks).toBeLessThan(20 * 300);
});

const span = fc
  .tuple(fc.nat(2000), fc.integer({ min: 1, max: 700 }), fc.boolean())
  .map(([start, length, isExact]) => (isExact ? exact(start, start + length) : repaired(start, start + length)));
const some = fc.array(
  fc.record({
    text: fc.oneof(
      fc.constantFrom(
        'Rents rose.',
        'rents rose',
        'Rents rose by 8%.',
        'Rents rose by 9%.',
        'Trams run at night.',
        'Trams run at night now.',
      ),
      fc.string(),
    ),
    spans: fc.array(span, { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 20, size: 'max' },
);

describe('any statements', () => {
  it('lose no place, and come in reading order with texts that were given', () => {
    fc.assert(
      fc.property(some, (statements) => {
        const merged = mergeStatements(statements);
        const all = merged.flatMap(({ spans }) => spans);
        for (const { start, end } of statements.flatMap(({ spans }) => spans)) {
          expect(all.some((each) => each.start <= start && end <= each.end)).toBe(true);
        }
        for (const { text, spans } of merged) {
          expect(statements.some((each) => each.text === text)).toBe(true);
          spans.forEach((each, index) => {
            if (index === 0) return;
            expect(each.start).toBeGreaterThan(spans[index - 1].start);
            expect(each.end).toBeGreaterThan(spans[index - 1].end);
          });
        }
        const starts = merged.map(({ spans: [first] }) => first.start);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        const spelt = merged.map(({ text }) => text);
        expect(new Set(spelt).size).toBe(spelt.length);
      }),
      { numRuns: 100 },
    );
  });
});
