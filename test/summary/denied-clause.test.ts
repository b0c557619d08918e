import { describe, expect, test } from 'vitest';
import { deniedClause } from '../../src/summary/outline.ts';

const OPPOSED: readonly (readonly [a: string, b: string, on: string])[] = [
  ['Congress should raise taxes.', 'Congress should not raise taxes.', 'whether Congress should raise taxes'],
  [
    'We should abandon marriage because it is outdated.',
    "We shouldn't abandon marriage, since it is a tradition.",
    'whether we should abandon marriage',
  ],
  [
    'The filter can be washed. It uses 2,200 watts.',
    'The filter cannot be washed, it melted.',
    'whether the filter can be washed',
  ],
  ['The treaty never entered into force.', 'The treaty entered into force.', 'whether the treaty entered into force'],
  ['Coffee isn’t bad for the heart.', 'Coffee is bad for the heart.', 'whether coffee is bad for the heart'],
  [
    'The law allows early dismissal.',
    'The law does not allow early dismissal.',
    'whether the law allows early dismissal',
  ],
  ['The AUREL 2 is not affected.', 'The AUREL 2 is affected, as well.', 'whether the AUREL 2 is affected'],
  ['US firms should not pay more.', 'US firms should pay more.', 'whether US firms should pay more'],
];

const COMPATIBLE: readonly (readonly [a: string, b: string])[] = [
  ['Women are not as strong as men.', 'Women are strong.'],
  ['Workers who do not commute are happier.', 'Workers who commute are happier.'],
  ['The drug is safe for adults.', 'The drug is not safe for children.'],
  ['It is safe to use.', 'It is not safe to use.'],
  ['We have hired twenty people.', 'We have not hired twenty people.'],
  ['If taxes do not rise, growth falls.', 'If taxes rise, growth falls.'],
  ['The company should raise wages.', 'The company did not raise wages.'],
  ['Is the filter washable at home?', 'The filter is not washable at home.'],
  ['Most firms did not grow.', 'Some firms grew.'],
  ['It was not denied that it never rained.', 'It was denied that it rained.'],
  ['Die Steuern sind nicht sicher.', 'Die Steuern sind sicher.'],
  ['Rents rose.', 'Rents never rose.'],
  ['Travel time does not count as working time.', 'Travel time counts as working time if you drive.'],
  ['The bridge has been closed since 2019.', 'The bridge has not been closed since 2021.'],
  ['', ''],
  ['Not.', '?!'],
];

describe('what one affirms and the other denies in the same words', () => {
  test.each(OPPOSED)('“%s” and “%s”: %s', (a, b, on) => {
    expect([deniedClause(a, b, new Set()), deniedClause(b, a, new Set())]).toEqual([on, on]);
  });

  test.each(COMPATIBLE)('not of “%s” and “%s”', (a, b) => {
    expect([deniedClause(a, b, new Set()), deniedClause(b, a, new Set())]).toEqual([null, null]);
  });

  test('not where it would take too many words to say', () => {
    const subject = `The ${'very '.repeat(20)}old tram`;
    expect(deniedClause(`${subject} is safe.`, `${subject} is not safe.`, new Set())).toBeNull();
  });

  test('knows from elsewhere what is not a name', () => {
    const [a, b] = ['Pangolins are safe here.', 'Pangolins are not safe here.'];
    expect(deniedClause(a, b, new Set())).toBe('whether Pangolins are safe here');
    expect(deniedClause(a, b, new Set(['pangolins']))).toBe('whether pangolins are safe here');
  });
});
