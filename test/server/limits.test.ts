import { expect, test } from 'vitest';
import { checkLimits } from '../../src/server/limits.ts';
import { TEST_LIMITS } from '../support/test-deps.ts';

const limits = { ...TEST_LIMITS, documents: 2, documentCharacters: 10, characters: 15, keyPoints: 5 };
const texts = (...sizes: number[]) => sizes.map((size, i) => ({ id: `d${i}`, text: 'x'.repeat(size) }));

test.each([
  ['too many documents', { documents: texts(1, 1, 1) }, '/documents'],
  ['a long document', { documents: texts(1, 11) }, '/documents/1/text'],
  ['long documents together', { documents: texts(8, 8) }, '/documents'],
  ['too many key points', { selection: { size: { keyPoints: 6 } } }, '/selection/size/keyPoints'],
] as const)('%s: refused with a pointer', (_, request, pointer) => {
  expect(() => checkLimits(request, limits)).toThrow(expect.objectContaining({ code: 'limit-exceeded', pointer }));
});

test('requests at the limits pass', () => {
  checkLimits({ documents: texts(10, 5), selection: { size: { keyPoints: 5 } } }, limits);
  checkLimits({ selection: { size: 'auto' } }, limits);
});
