import { expect, test } from 'vitest';
import { boundedMemory, NO_MEMORY } from '../../../src/selection/index.ts';
import { scoped } from '../../../src/selection/kernel/memory.ts';

/** Makes 1, 2, 3, … */
function counter() {
  let made = 0;
  return async (): Promise<number> => ++made;
}

test('a value is made once, of each name the last variant', async () => {
  const memory = boundedMemory(100);
  const make = counter();
  const of = (name: string, variant: string) => memory.keep(name, variant, 10, make);
  expect(await of('a', 'x')).toBe(1);
  expect(await of('a', 'x')).toBe(1);
  expect(await of('b', 'x')).toBe(2);
  expect(await of('a', 'y')).toBe(3);
  expect(memory.bytes).toBe(20);
  expect(await of('a', 'x')).toBe(4);
  expect(await scoped(memory, 'here').keep('a', 'x', 10, make)).toBe(5);
  expect(await scoped(memory, 'here').keep('a', 'x', 10, make)).toBe(5);
  expect(await of('a', 'x')).toBe(4);
});

test('what does not fit is made every time, and so is everything where nothing is kept', async () => {
  const memory = boundedMemory(100);
  const make = counter();
  await memory.keep('a', '', 95, make);
  for (const expected of [2, 3]) expect(await memory.keep('b', '', 6, make)).toBe(expected);
  expect(memory.bytes).toBe(95);
  for (const expected of [4, 5]) expect(await NO_MEMORY.keep('a', '', 0, make)).toBe(expected);
});

test('two that ask at once share; where the one who makes it is called off, the other makes it', async () => {
  const memory = boundedMemory(100);
  const make = counter();
  expect(await Promise.all([memory.keep('a', '', 1, make), memory.keep('a', '', 1, make)])).toEqual([1, 1]);
  let callOff = (_: Error): void => {};
  const work = new Promise<number>((_, reject) => {
    callOff = reject;
  });
  const first = memory.keep('b', '', 1, () => work);
  const second = memory.keep('b', '', 1, make);
  callOff(new Error('called off'));
  await expect(first).rejects.toThrow('called off');
  expect(await second).toBe(2);
  expect(await memory.keep('b', '', 1, make)).toBe(2);
  expect(memory.bytes).toBe(2);
});
