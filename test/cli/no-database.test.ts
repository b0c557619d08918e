import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each(['keys list', 'keys revoke key_1', 'tenants list', 'tenants delete acme --yes', 'backup copy.sqlite'])(
  '"%s" over a database that is not there: exit 1, says so, and makes none',
  async (command) => {
    const folder = temporaryFolder();
    const file = join(folder, 'data', 'misspelt.sqlite');
    const { code, stdout, stderr } = await runCli(command.split(' '), folder, { TESSERA_DB: file });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`TESSERA_DB names "${file}", and there is no such file.\n`);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('"keys create" makes it with its folder, and the others go on from there', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'data', 'tessera.sqlite');
  const settings = { TESSERA_DB: file };
  const made = await runCli(['keys', 'create', '--name', 'of the ci'], folder, settings);
  expect([made.code, existsSync(file)]).toEqual([0, true]);
  const listed = await runCli(['keys', 'list'], folder, settings);
  expect([listed.code, listed.stderr]).toEqual([0, '']);
  expect(listed.stdout).toContain('of the ci');
});
