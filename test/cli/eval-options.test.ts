import { expect, test } from 'vitest';
import { wholeNumber } from '../../src/cli/benchmark/protocol-flags.node.ts';
import { dimensionsOf, judgeRequest } from '../../src/cli/eval-options.ts';

test('the embedded judge is the default; each judge has its own options', () => {
  expect(judgeRequest({})).toEqual({ judge: 'embedded', engine: {} });
  expect(judgeRequest({ encoder: 'mine' })).toEqual({ judge: 'embedded', engine: { encoder: 'mine' } });
  expect(judgeRequest({ judge: 'llm', model: 'm' })).toEqual({ judge: 'llm', engine: { model: 'm' } });
  for (const flags of [{ judge: 'oracle' }, { model: 'm' }, { judge: 'llm', encoder: 'mine' }]) {
    expect(() => judgeRequest(flags)).toThrow(expect.objectContaining({ code: 'usage' }));
  }
});

test('what to break down by, and how many records', () => {
  expect(dimensionsOf()).toEqual([]);
  expect(dimensionsOf(['system, domain,order,domain', 'order,domain'])).toEqual(['domain', 'order']);
  expect(() => dimensionsOf(['domain,weather'])).toThrow('not "weather"');
  expect([wholeNumber('--limit', undefined, 7), wholeNumber('--limit', '12', 7)]).toEqual([7, 12]);
  for (const wrong of ['0', '-1', '1.5', 'ten', '']) {
    expect(() => wholeNumber('--limit', wrong, 7)).toThrow('whole number');
  }
});
