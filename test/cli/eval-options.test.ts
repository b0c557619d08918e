import { expect, test } from 'vitest';
import { dimensionsOf, judgeRequest, limitOf } from '../../src/cli/eval-options.ts';
import { countingLine } from '../../src/cli/with-progress.ts';
import { number } from '../../src/evaluation/index.ts';
import { printEstimate, textTable } from '../../src/lab/report/report.ts';

test('the embedded judge is the default; each judge has its own options', () => {
  expect(judgeRequest({})).toEqual({ judge: 'embedded', engine: {} });
  expect(judgeRequest({ encoder: 'mine' })).toEqual({ judge: 'embedded', engine: { encoder: 'mine' } });
  expect(judgeRequest({ judge: 'llm', model: 'm' })).toEqual({ judge: 'llm', engine: { model: 'm' } });
  for (const flags of [{ judge: 'oracle' }, { model: 'm' }, { judge: 'llm', encoder: 'mine' }]) {
    expect(() => judgeRequest(flags)).toThrow(expect.objectContaining({ code: 'usage' }));
  }
});

test('what to break down by', () => {
  expect(dimensionsOf()).toEqual([]);
  expect(dimensionsOf(['system, domain,outputWords,domain'])).toEqual(['domain', 'outputWords']);
  expect(dimensionsOf(['domain', 'order,domain'])).toEqual(['domain', 'order']);
  expect(() => dimensionsOf(['domain,weather'])).toThrow('not "weather"');
});

test('how many records', () => {
  expect([limitOf(undefined), limitOf('12')]).toEqual([Number.POSITIVE_INFINITY, 12]);
  for (const wrong of ['0', '-1', '1.5', 'ten', '']) expect(() => limitOf(wrong)).toThrow('whole number');
});

test('figures with their intervals, and no minus before zero', () => {
  expect(printEstimate({ value: 54.64, low: 50.05, high: 59, n: 3 }, 1)).toBe('54.6 [50.0, 59.0]');
  expect(printEstimate({ value: 54.64, low: null, high: null, n: 1 }, 1, 3)).toBe('54.6 n=1');
  expect(printEstimate({ value: null, low: null, high: null, n: 0 }, 1, 3)).toBe('–');
  expect([number(-0.04), number(-0.06), number(0, 2)]).toEqual(['0.0', '-0.1', '0.00']);
});

test('columns of names begin together, columns of figures end together', () => {
  expect(
    textTable(
      ['system', 'n'],
      [
        ['ours', '10'],
        ['wörld', '9'],
      ],
    ),
  ).toBe('system    n\nours     10\nwörld     9');
  expect(textTable(['a', 'b', 'c'], [['x', 'long', '1']], 2)).toBe('a   b      c\nx   long   1');
});

test('progress: one line that changes on a terminal, about ten lines elsewhere', () => {
  const written = (isTTY: boolean) => {
    const pieces: string[] = [];
    const line = countingLine({ isTTY, write: (piece: string) => pieces.push(piece) > 0 }, 'scoring');
    for (let done = 0; done <= 200; done++) line.notify(done, 200, done > 150 ? '1 failed' : '');
    line.end();
    line.end();
    return pieces;
  };
  const terminal = written(true);
  expect(terminal).toHaveLength(202);
  expect(terminal.slice(0, -1).every((piece) => piece.startsWith('\r') && !piece.includes('\n'))).toBe(true);
  expect(terminal.at(-1)).toBe('\n');
  const plain = written(false);
  expect(plain).toHaveLength(11);
  expect([plain[0], plain.at(-1)]).toEqual(['scoring 0/200\n', 'scoring 200/200, 1 failed\n']);
});
