import { expect, test } from 'vitest';
import { dateText } from '../../../src/text/index.ts';

test('dates are the same in every runtime, and what is none stays as it is', () => {
  expect(dateText('2024-02-29')).toBe('Thursday 29 February 2024');
  expect(dateText('2024-02-29T23:30:00Z')).toBe('Thursday 29 February 2024');
  expect(dateText('spring')).toBe('spring');
});

test('a day is the one where the document was written', () => {
  expect(dateText('2024-02-29T23:30:00-05:00')).toBe('Thursday 29 February 2024');
  expect(dateText('2024-03-01T00:30:00+13:00')).toBe('Friday 1 March 2024');
});
