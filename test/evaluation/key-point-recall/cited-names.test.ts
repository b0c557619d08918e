import { expect, test } from 'vitest';
import { citedNames } from '../../../src/evaluation/marked-text.ts';

test.each([
  ['Traffic fell [d1].', ['d1']],
  ['Traffic fell [Smith 2020; Jones, p. 4]. Fares rose [council].', ['Smith 2020', 'Jones', 'p. 4', 'council']],
  ['Traffic fell [d1][d2] (again).', ['d1', 'd2']],
  ['Traffic fell [d1]', ['d1']],
  ['He said he was "shure [sic]".', []],
  ['They clapped [applause].', []],
  ['The [new] tram and the [old] bus run.', []],
  ['Nothing [].', []],
])('the names that a text cites: %s', (text, expected) => {
  expect([...citedNames(text)]).toEqual(expected);
});
