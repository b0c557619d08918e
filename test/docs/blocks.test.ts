import { expect, test } from 'vitest';
import { blocksOf, differences, isText } from './blocks.ts';

test('finds every block with its line, language and excuse', () => {
  const text = 'A\n\n```sh\nls\n```\n\n<!-- not run: it deploys -->\n```sh\nnpm run deploy\n```\n\n```\nplain\n```\n';
  expect(blocksOf('a.md', text)).toEqual([
    { place: 'a.md:3', language: 'sh', text: 'ls\n', excuse: null },
    { place: 'a.md:8', language: 'sh', text: 'npm run deploy\n', excuse: 'it deploys' },
    { place: 'a.md:12', language: '', text: 'plain\n', excuse: null },
  ]);
});

test.each([
  ['It costs (4) euros.', 'It costs (4) euros.\n', true],
  ['dig_… is made', 'dig_1f is made', true],
  ['one\n…\nfour', 'one\ntwo\nthree\nfour', true],
  ['It costs (4) euros.', 'It costs (5) euros.', false],
  ['a.c', 'abc', false],
  ['one', 'one\ntwo', false],
  ['dig_…', 'col_1', false],
])('holds %j against %j: %s', (printed, actual, is) => {
  expect(isText(printed, actual)).toBe(is);
});

test('tells where an answer is another than the printed one', () => {
  const actual = { id: 'dig_1', scores: [33.33, 1], more: { deep: null }, list: [1, 2, 3] };
  const same = (printed: unknown) => differences(printed, actual);
  expect(same({ id: 'dig_…', scores: [33.3, 1], list: [1, '…'] })).toEqual([]);
  expect(same({ id: 'dig_2', scores: [34, 1], more: { deep: false } })).toEqual(['/id', '/scores/0', '/more/deep']);
  expect(same({ scores: [33.3], list: [2, '…'], gone: 1 })).toEqual(['/scores', '/list/0', '/gone']);
  expect(same({ list: { 0: 1 } })).toEqual(['/list']);
  expect(same([])).toEqual(['']);
});
