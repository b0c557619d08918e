import { expect, test } from 'vitest';
import { parseFlags } from '../../../src/lab/cli/parse-flags.node.ts';

const OPTIONS = { by: { type: 'string' }, name: { type: 'string', multiple: true }, yes: { type: 'boolean' } } as const;

test('a value that a second one would replace is refused; lists and switches are not', () => {
  expect(() => parseFlags(['--by', 'domain', '--by=order'], OPTIONS)).toThrow('--by is given twice');
  const { values, positionals } = parseFlags(['--yes', '--name', 'a', '--yes', '--name=b', 'x'], OPTIONS);
  expect([values.name, values.yes, positionals]).toEqual([['a', 'b'], true, ['x']]);
  // What stands behind -- is no option, and a value may look like one.
  expect(parseFlags(['--by', 'domain', '--', '--by'], OPTIONS).positionals).toEqual(['--by']);
  expect(parseFlags(['--by=--by'], OPTIONS).values.by).toBe('--by');
  expect(() => parseFlags(['--bye', 'x'], OPTIONS)).toThrow('did you mean --by?');
});
