import { expect, test } from 'vitest';
import { splitRecords } from '../../src/lab/check-records.ts';
import { type EvaluationRecord, repeatedRecords } from '../../src/lab/results/evaluations.ts';
import { BULLETS } from './results/scored-records.ts';

test.each([
  ['an array', '[{"id":1},\n {"id":2}]', ['x record 0', 'x record 1']],
  ['lines, with blank ones', '\n{"id":1}\r\n\r\n{"id":2}\n', ['x line 2', 'x line 4']],
  ['lines behind a byte order mark', '\uFEFF{"id":1}\n{"id":2}', ['x line 1', 'x line 2']],
])('a file may hold %s', (_, text, where) => {
  expect(splitRecords('x', text)).toEqual({
    placed: where.map((each, place) => ({ where: each, record: { id: place + 1 } })),
    problems: [],
  });
});

test('one object over many lines is one record', () => {
  expect(splitRecords('x', '{\n  "id": 1\n}\n').placed).toEqual([{ where: 'x record 0', record: { id: 1 } }]);
});

test('lines that are no JSON are told, all of them, and nothing of what they hold', () => {
  const { placed, problems } = splitRecords('x', '{"id":1}\nsecret\n{"id":2}\n{"id":\n');
  expect(placed).toHaveLength(2);
  expect(problems).toEqual([
    { where: 'x line 2', pointer: '', detail: 'is not valid JSON' },
    { where: 'x line 4', pointer: '', detail: 'is not valid JSON' },
  ]);
});

test.each([
  ['nothing', ' \n', 'holds no records'],
  ['an empty array', '[]', 'holds no records'],
  ['a broken array', '[{"id":1},', 'is not valid JSON'],
  ['an object that was cut', '{\n"id":1,\n', 'is not valid JSON'],
])('a file that holds %s is told', (_, text, detail) => {
  expect(splitRecords('x', text)).toEqual({ placed: [], problems: [{ where: 'x', pointer: '', detail }] });
});

test('records that would count twice are told; another system, order or metric is another record', () => {
  const placed = (where: string, about: Partial<EvaluationRecord>) => ({
    where,
    record: { id: 'a', evaluation: BULLETS, ...about },
  });
  const answer = { metric: 'key-point-recall', answer: 'x', keyPoints: ['y'] } as const;
  const others = [
    placed('1', {}),
    placed('2', { system: 's' }),
    placed('3', { order: 'top' }),
    placed('4', { id: 'b' }),
    placed('5', { evaluation: answer }),
  ];
  expect(repeatedRecords(others)).toEqual([]);
  expect(repeatedRecords([...others, placed('6', { order: 'top', domain: 'x' })])).toEqual([
    { where: '6', pointer: '/id', detail: 'has the id, system, order and metric of 3' },
  ]);
});
