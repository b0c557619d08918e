import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SummHayRequest, scoreBullets } from '../../../src/evaluation/metrics/summhay.ts';
import type { CoverageLevel } from '../../../src/evaluation/shapes.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';

const LEVELS: readonly CoverageLevel[] = [0, 50, 100];
const ID = fc.integer({ min: 1, max: 6 }).map(String);
const TEXT = fc.constantFrom('fares', 'trams', 'buses', 'cars', 'bikes', 'ferries');

const bullet = fc
  .tuple(TEXT, fc.array(ID, { maxLength: 4 }))
  .map(([text, cited]) => `${text} ${cited.map((id) => `[${id}]`).join('')}`);
const insights = fc.uniqueArray(
  fc.record({ id: TEXT, text: TEXT, documents: fc.option(fc.array(ID, { maxLength: 4 }), { nil: undefined }) }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
);
const request: fc.Arbitrary<SummHayRequest> = fc.record({
  metric: fc.constant('summhay'),
  bullets: fc.array(bullet, { maxLength: 6 }),
  insights,
});

/** Decides by the texts alone: a hash of the pair, the larger text among equals. */
const judge = () =>
  scriptedJudge({
    coverage: (insight, bullets) => {
      const [best = ''] = bullets.toSorted((a, b) => hash(insight, b) - hash(insight, a) || (a < b ? 1 : -1));
      const level = LEVELS[hash(insight, best) % 3] ?? 0;
      return { level, score: level / 100, bullet: bullets.indexOf(best) };
    },
  });

function hash(...texts: readonly string[]): number {
  return [...texts.join('/')].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 997, 7);
}

test('scores do not depend on the order of bullets and insights, nor on that of markers', async () => {
  await fc.assert(
    fc.asyncProperty(request, fc.infiniteStream(fc.nat()), async (given, seeds) => {
      const shuffled = <Item>(items: readonly Item[]) =>
        items
          .map((item) => ({ item, key: seeds.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const turned = given.bullets.map((each) => String(each).replace(/(\w+) (.*)/, '$1 $2$2'));
      const other = { ...given, bullets: shuffled(turned), insights: shuffled(given.insights) };
      const [one, two] = [await scoreBullets(given, judge()), await scoreBullets(other, judge())];
      const totals = { insights: [], bulletTexts: [] };
      expect({ ...two, ...totals }).toEqual({ ...one, ...totals });
      expect(two.bulletTexts.toSorted()).toEqual(one.bulletTexts.toSorted());
      const scores = ({ insights }: typeof one) =>
        new Map(insights.map(({ id, bullet: _, ...each }) => [id, each] as const));
      expect(scores(two)).toEqual(scores(one));
    }),
  );
});
