import { expect, test } from 'vitest';
import { transformersEncoder } from '../../../src/models/index.node.ts';
import { judged } from './judging.ts';

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
];

test('a real encoder tells what is covered, and where, the same in any order to the last bit', async () => {
  const encoder = await transformersEncoder();
  const texts = INSIGHTS.map(([text]) => text);
  const found = await judged((judge) => judge.coverage(texts, BULLETS), encoder);
  expect(found.map(({ level }) => level)).toEqual(INSIGHTS.map(([, level]) => level));
  for (const [i, { bullet, level }] of found.entries()) if (level > 0) expect(bullet).toBe(INSIGHTS[i][2]);
  const turned = await judged((judge) => judge.coverage(texts.toReversed(), BULLETS.toReversed()), encoder);
  expect(turned.reverse().map(({ score }) => score)).toEqual(found.map(({ score }) => score));
});
