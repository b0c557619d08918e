import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged } from './judging.ts';

const coverage = (insights: readonly string[], bullets: readonly string[]) =>
  judged((judge) => judge.coverage(insights, bullets));

const level = async (insight: string, bullet: string) => (await coverage([insight], [bullet]))[0].level;

const SUBJECTS = ['The council', 'Siemens', 'A court in Berlin', 'Most drivers', 'The trams of Zurich', 'Farmers'];
const VERBS = ['approved', 'rejected', 'did not mention', 'measured', 'paid for', 'forgot'];
const OBJECTS = ['the congestion charge', '12% of the harvest', '300 new jobs', 'copper rings', 'a bridge in 2019', ''];
/** Sentences that share words, numbers and names; and some that are hardly any. */
const sentence = fc.oneof(
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...SUBJECTS), fc.constantFrom(...VERBS), fc.constantFrom(...OBJECTS))
      .map(([subject, verb, object]) => `${subject} ${verb} ${object}.`),
    weight: 9,
  },
  {
    arbitrary: fc.constantFrom('', ' ', '👍', '…', '12%', '__proto__', 'constructor toString', '市议会批准了。'),
    weight: 1,
  },
);
const texts = fc.array(sentence, { minLength: 1, maxLength: 6 });

describe('coverage', () => {
  test.each([
    ['Its shifts became harder, because returns did not become fewer.', 100],
    ['Its shifts did not become harder, because returns became fewer.', 0],
  ])('a denial counts in the clause of the insight: %s', async (bullet, expected) => {
    expect(await level('Its shifts became harder.', bullet)).toBe(expected);
  });

  test('does not change by a bit with the order of insights and bullets, or between databases', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.nat(), async (insights, bullets, turn) => {
        const found = await coverage(insights, bullets);
        const moved = [...bullets.slice(turn % bullets.length), ...bullets.slice(0, turn % bullets.length)].reverse();
        const again = (await coverage(insights.toReversed(), moved)).reverse();
        const said = (verdicts: typeof found, of: readonly string[]) =>
          verdicts.map(({ bullet, ...rest }) => ({ ...rest, text: bullet === null ? null : of[bullet] }));
        expect(said(again, moved)).toEqual(said(found, bullets));
      }),
      { numRuns: 8, seed: 5 },
    );
  });

  test('an insight that is a bullet is covered by that bullet, whatever else is there; scores are in [0, 1]', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, async (insights, others) => {
        const bullets = [...others, ...insights];
        const found = await coverage(insights, bullets);
        found.forEach(({ level, score, bullet }, i) => {
          expect(score >= 0 && score <= 1).toBe(true);
          expect(level).toBe(score >= 0.65 ? 100 : score >= 0.35 ? 50 : 0);
          const isTold = /[\p{L}\p{N}]/u.test(insights[i]);
          expect(level).toBe(isTold ? 100 : 0);
          if (isTold) expect(bullet === null ? null : bullets[bullet]).toBe(insights[i]);
        });
      }),
      { numRuns: 10, seed: 5 },
    );
  });

  test('nothing covers nothing', async () => {
    const none = { level: 0, score: 0 };
    expect(await coverage(['Trams are free.'], [])).toEqual([{ ...none, bullet: null }]);
    expect(await coverage([], ['Trams are free.'])).toEqual([]);
    expect(await coverage(['', ' ', '👍🎉'], [''])).toEqual(Array(3).fill({ ...none, bullet: 0 }));
    expect((await coverage(['Trams are free.'], ['', ' \n', '…']))[0]).toMatchObject(none);
  });

  test('numbers, dates, names and negation that differ count', async () => {
    const insight = 'Revenue of Siemens rose 12% in 2020.';
    expect(await level(insight, 'Revenue of Siemens rose 12 percent in 2020.')).toBe(100);
    expect(await level(insight, 'In 2020 revenue of Siemens rose twelve percent, while costs fell 3%.')).toBe(100);
    expect(await level(insight, 'Revenue of Siemens rose 12.5% in 2020.')).toBe(50);
    expect(await level(insight, 'Revenue of Siemens rose 12% in 2021.')).toBe(50);
    expect(await level(insight, 'Revenue of Siemens did not rise 12% in 2020.')).toBe(0);
    expect(await level('The vaccine prevents infection.', 'The vaccine does not prevent infection.')).toBe(0);
    const [[same], [other]] = await Promise.all([
      coverage([insight], [insight]),
      coverage([insight], ['Revenue of Bosch rose 12% in 2020.']),
    ]);
    expect(other.score).toBeLessThan(0.8 * same.score);
  });

  test('the bullet that states the fact wins over one that differs in it, wherever they stand', async () => {
    const insight = 'Revenue of Siemens rose 12% in 2020.';
    const told = 'Siemens: revenue rose 12% in 2020, the firm wrote.';
    const bullets = ['Revenue of Siemens rose 14% in 2020.', 'Revenue of Siemens did not rise 12% in 2020.', told];
    expect((await coverage([insight], bullets))[0]).toMatchObject({ level: 100, bullet: 2 });
    expect((await coverage([insight], bullets.toReversed()))[0]).toMatchObject({ level: 100, bullet: 0 });
  });

  test('the best of many bullets is found behind many copies that say the opposite', async () => {
    const insight = 'The council approved the congestion charge for cars.';
    const told = 'Today the council approved the congestion charge for all cars';
    const copies = Array.from({ length: 80 }, () => 'The council never approved the congestion charge for cars.');
    const others = Array.from({ length: 200 }, (_, i) => `Bakery number ${i} sells bread and cars`);
    for (const bullets of [
      [...copies, ...others, told],
      [told, ...others, ...copies],
    ]) {
      const [{ level, bullet }] = await coverage([insight], bullets);
      expect([level, bullet === null ? null : bullets[bullet]]).toEqual([100, told]);
    }
  });

  test('the same words are found in any language', async () => {
    const insight = '市议会批准了对进入老城区的汽车征收拥堵费。';
    const verdicts = await judged((judge) => judge.coverage([insight, insight], ['蜗牛避开铜环。', insight]));
    expect(verdicts).toMatchObject(Array(2).fill({ level: 100, bullet: 1 }));
  });
});
