import { expect, test } from 'vitest';
import { isQuoted } from '../../../src/summary/verify/hold-points.ts';

const ana = { quotes: [{ text: 'Costs are up.' }], speaker: 'Ana' };
const bob = { quotes: [{ text: 'We will close the plant. Soon.' }], speaker: 'Bob' };

test('a wording is that of passages only where each of them has it, under its own speaker', () => {
  expect(isQuoted('Bob: We will close the plant.', [bob])).toBe(true);
  expect(isQuoted('We will close the plant.', [bob])).toBe(true);
  expect(isQuoted('Ana: We will close the plant.', [bob])).toBe(false);
  expect(isQuoted('Ana: We will close the plant.', [ana, bob])).toBe(false);
  expect(isQuoted('We will close the plant.', [ana, bob])).toBe(false);
  expect(isQuoted('We will close', [bob])).toBe(false);
});
