import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryBudget } from '../../../src/server/jobs/edge-work.ts';

/** A room of ten, whose time is told. */
function ten(longest = 1000) {
  const clock = { now: 0 };
  return { clock, enter: memoryBudget({ most: 10, longest, now: () => clock.now }).enter };
}

test('who was cut off does not take room for ever', () => {
  const { clock, enter } = ten(50);
  enter(10);
  clock.now = 49;
  expect(enter(1)).toBeNull();
  clock.now = 50;
  expect(enter(10)).not.toBeNull();
});

test('never holds more than it has room for', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.boolean()), { maxLength: 40 }), (visits) => {
      const { enter } = ten(Number.POSITIVE_INFINITY);
      const inside: { size: number; leave: () => void }[] = [];
      for (const [size, isLeaving] of visits) {
        if (isLeaving) inside.pop()?.leave();
        const held = inside.reduce((sum, visit) => sum + visit.size, 0);
        const leave = enter(size);
        expect(leave === null).toBe(held + size > 10);
        if (leave !== null) inside.push({ size, leave });
      }
    }),
  );
});
