import { beforeAll, expect, test } from 'vitest';
import { transformersEncoder } from '../../../src/models/index.node.ts';
import type { Encoder } from '../../../src/models/index.ts';
import { judged } from './judging.ts';

let encoder: Encoder;
beforeAll(async () => {
  encoder = await transformersEncoder();
});

const BULLETS = [
  'Drivers must now pay a fee of 8 euros to take their car into the historic centre, the city council decided.',
  'Slugs stay away from tomato beds that are ringed with copper.',
  'Siemens reported that its revenue grew by 12 percent in 2020, helped by orders from China.',
  'The new vaccine does not prevent infection, though it makes severe illness rarer.',
  'Hospitals in Lyon are short of nurses.',
];

const INSIGHTS: [string, number, number][] = [
  ['The city council decided that drivers must pay 8 euros to take a car into the historic centre.', 100, 0],
  ['Siemens reported revenue growth of 12% in 2020.', 100, 2],
  ['Copper rings keep slugs away from tomato beds.', 100, 1],
  ['The new vaccine prevents infection.', 0, 3],
  ['Astronomers found water on a distant planet.', 0, -1],
  ['Bakers in Vienna demand higher wages.', 0, -1],
];

test('a real encoder tells what is covered, and where', async () => {
  const found = await judged(
    (judge) =>
      judge.coverage(
        INSIGHTS.map(([text]) => text),
        BULLETS,
      ),
    encoder,
  );
  expect(found.map(({ level }) => level)).toEqual(INSIGHTS.map(([, level]) => level));
  found.forEach(({ bullet, level }, i) => {
    if (level > 0) expect(bullet).toBe(INSIGHTS[i][2]);
  });
});

test('a real encoder judges the same in any order, to the last bit', async () => {
  const texts = INSIGHTS.map(([text]) => text);
  const found = await judged((judge) => judge.coverage(texts, BULLETS), encoder);
  const turned = await judged((judge) => judge.coverage(texts.toReversed(), BULLETS.toReversed()), encoder);
  expect(turned.reverse().map(({ score, level }) => ({ score, level }))).toEqual(
    found.map(({ score, level }) => ({ score, level })),
  );
});
