import { expect, test } from 'vitest';
import { callCli } from '../support/call-cli.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each(['--version', '--help', 'serve --help', 'benchmark run --help', 'digset', 'work --jobs 3', 'tenants delete'])(
  'tessera %s: the built command answers as its source does',
  async (line) => {
    const outcome = await runCli(line.split(' '), temporaryFolder());
    expect(outcome).toEqual(await callCli(line.split(' '), temporaryFolder()));
    expect(`${outcome.stdout}${outcome.stderr}`).not.toBe('');
  },
);
