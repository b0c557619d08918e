import { expect, test } from 'vitest';
import { hashPlace } from '../../../src/server/experiments/assignment.ts';

/**
 * ("","a") and ("exp-1","user-1") are GrowthBook's figures for its hash version 2. The others are what this Python answers:
 *
 *     def fnv(units):
 *         h = 0x811c9dc5
 *         for unit in units: h = ((h ^ unit) * 0x01000193) & 0xffffffff
 *         return h
 *     def units(t):
 *         b = t.encode('utf-16-le', 'surrogatepass')
 *         return [b[i] | b[i + 1] << 8 for i in range(0, len(b), 2)]
 *     def place(seed, value): return fnv(units(str(fnv(units(seed + value))))) % 10000 / 10000
 */
test.each([
  ['', 'a', 0.0216],
  ['exp-1', 'user-1', 0.5069],
  ['', '', 0.2305],
  ['a', 'b', 0.6912],
  ['ab', '', 0.6912],
  ['größe', 'ü', 0.1432],
  ['s', '用户😀', 0.0845],
  ['exp', 'x'.repeat(200), 0.2183],
])('the place of ("%s", "%s") is %d', (seed, value, place) => {
  expect(hashPlace(seed, value)).toBe(place);
});
