import { expect, test } from 'vitest';
import {
  count,
  day,
  duration,
  moment,
  number,
  percent,
  shortened,
  signed,
  timeOfDay,
} from '../../src/page/parts/words.ts';

test('numbers have three digits that matter, whole ones all', () => {
  expect([0, 0.12345, 12.345, 12_345.678, 12_345, -0.000123].map(number)).toEqual([
    ...['0', '0.123', '12.3', '12,300', '12,345', '−0.000123'],
  ]);
  expect([0.12345, 0, 1].map(percent)).toEqual(['12.3%', '0%', '100%']);
  expect([0.5, -0.5, 0].map((value) => signed(value, percent))).toEqual(['+50%', '−50%', '0%']);
  expect([count(1, 'reader'), count(2000, 'reader')]).toEqual(['1 reader', '2,000 readers']);
  expect([340.4, 1234].map(duration)).toEqual(['340 ms', '1.23 s']);
});

test('texts are cut between words, and never within a character', () => {
  expect([shortened('one two three', 9), shortened('short', 9), shortened('😀😀😀', 3)]).toEqual([
    ...['one two…', 'short', '😀…'],
  ]);
});

test('documents have a day, events a moment by the reader’s clock', () => {
  expect(['2025-03-04', '2025-03-04T23:30:00Z', 'spring'].map(day)).toEqual(['4 Mar 2025', '4 Mar 2025', 'spring']);
  const at = new Date(2026, 10, 22, 3, 20, 14);
  expect([moment(at.toISOString()), moment('spring')]).toEqual(['22 Nov 2026, 03:20', 'spring']);
  expect(timeOfDay(at)).toBe('03:20:14');
});
