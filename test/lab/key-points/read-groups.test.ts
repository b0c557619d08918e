import { describe, expect, test } from 'vitest';
import {
  describeProblems,
  GROUPS,
  groupProblems,
  problemCount,
  repairGroups,
} from '../../../src/lab/key-points/read-groups.ts';
import fc from '../../support/seeded-fast-check.ts';

const group = (points: number[], text = '') => ({ points, text });

test.each([
  ['as asked', { groups: [group([1, 2], 'A.'), group([3])] }, [group([1, 2], 'A.'), group([3])]],
  ['a list alone', [group([1])], [group([1])]],
  ['numbers as text', { groups: [{ points: ['1', 'Point 2'], text: 'A.' }] }, [group([1, 2], 'A.')]],
  ['one number', { groups: [{ points: 4, text: 'A.' }] }, [group([4], 'A.')]],
  ['no text', { groups: [{ points: [1] }, { points: [2], text: null }] }, [group([1]), group([2])]],
  ['what is none', { groups: ['x', { points: [1.5, null, 'b', 2] }, null] }, [group([2])]],
])('reads groups: %s', (_, answer, groups) => {
  expect(GROUPS.schema.parse(answer)).toEqual(groups);
});

test.each(['text', 3, { points: [1] }, null])('%j holds no groups', (answer) => {
  expect(GROUPS.schema.safeParse(answer).success).toBe(false);
});

test('names what is missing, doubled and unknown', () => {
  const problems = groupProblems([group([1, 1, 5]), group([5, 9, 0]), group([3, 9])], 6);
  expect(problems).toEqual({ missing: [2, 4, 6], doubled: [5], unknown: [0, 9] });
  expect(problemCount(problems)).toBe(6);
  expect(describeProblems(problems)).toBe(
    '- In no group: 2, 4, 6.\n- In more than one group: 5.\n- Not the number of a point: 0, 9.',
  );
  expect(problemCount(groupProblems([group([2]), group([1, 3, 3])], 3))).toBe(0);
});

test('a doubled point stays in its first group, a missing one gets its own, an unknown one goes', () => {
  expect(repairGroups([group([3, 3, 9], 'a'), group([3, 1], 'b'), group([3, 0], 'c')], 4)).toEqual([
    { places: [2], text: 'a' },
    { places: [0], text: 'b' },
    { places: [1], text: '' },
    { places: [3], text: '' },
  ]);
});

describe('repaired groups', () => {
  const groups = fc.array(fc.record({ points: fc.array(fc.integer({ min: -2, max: 14 })), text: fc.string() }));
  test('hold every point exactly once, and right ones stay as they are', () => {
    fc.assert(
      fc.property(groups, fc.integer({ min: 0, max: 12 }), (given, count) => {
        const repaired = repairGroups(given, count);
        expect(repaired.flatMap(({ places }) => places).sort((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, place) => place),
        );
        const right = repaired.map(({ places, text }) =>
          group(
            places.map((place) => place + 1),
            text,
          ),
        );
        expect(problemCount(groupProblems(right, count))).toBe(0);
        expect(repairGroups(right, count)).toEqual(repaired);
      }),
    );
  });
});
