import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { consoleLog } from '../../../src/server/index.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
let written: [method: string, line: unknown][] = [];

beforeEach(() => {
  written = [];
  for (const method of LEVELS) {
    vi.spyOn(console, method).mockImplementation(
      (...line) => void written.push([method, ...line] as [string, unknown]),
    );
  }
});
afterEach(() => vi.restoreAllMocks());

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
] as const)('at level %s there is %j, each by its own method', (level, expected) => {
  const log = consoleLog(level);
  for (const each of LEVELS) log(each, { n: 1 }, 'message');
  expect(written).toEqual(expected.map((each) => [each, JSON.stringify({ level: each, n: 1, msg: 'message' })]));
});

test('a line is one object of JSON, whatever stands in it', () => {
  consoleLog('info')('info', { text: 'two\nlines', err: new TypeError('wrong\nhere'), none: undefined }, 'so\nit is');
  expect(written).toHaveLength(1);
  const line = String(written[0][1]);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    level: 'info',
    text: 'two\nlines',
    msg: 'so\nit is',
    err: { type: 'TypeError', message: 'wrong\nhere', stack: expect.stringContaining('    at ') },
  });
});
