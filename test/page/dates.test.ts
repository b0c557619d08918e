import { expect, test } from 'vitest';
import { day, moment, timeOfDay } from '../../src/page/parts/dates.ts';

test('dates have one form: the day a document was given, and moments by the reader’s clock', () => {
  expect(['2025-03-04', '2025-03-04T23:30:00Z', 'spring'].map(day)).toEqual(['4 Mar 2025', '4 Mar 2025', 'spring']);
  const at = new Date(2026, 10, 22, 3, 20, 14);
  expect(moment(at.toISOString())).toBe('22 Nov 2026, 03:20');
  expect(moment('spring')).toBe('spring');
  expect(timeOfDay(at)).toBe('03:20:14');
});
