import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/cli/command.node.ts';
import {
  createKeyCommand,
  createKeySql,
  listKeysCommand,
  revokeKeyCommand,
  sqlConnection,
  UnknownKeyError,
} from '../../src/cli/keys.node.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { createKey, findKey, forTenant, listKeys, webhookSecrets } from '../../src/store/index.ts';
import { callCli } from '../support/call-cli.ts';
import { keyedService } from '../support/keyed-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../support/test-deps.ts';

const at = (database: ReturnType<typeof memoryDatabase>, time: string) => ({
  ...database,
  now: () => Date.parse(time),
});

test('"keys create" prints the key alone, and beside it what it is', async () => {
  const database = memoryDatabase();
  const { out, note } = await createKeyCommand(database, { name: 'ci' });
  const key = await findKey(database, out.trimEnd());
  expect(out).toMatch(/^tsr_\w+\n$/);
  expect(key).toMatchObject({ tenant: 'default', name: 'ci', scopes: ['digests', 'experiments'] });
  expect(note).toBe(
    `Key ${key?.id} of tenant default for digests, experiments. It is shown this once; only a hash of it is kept.\n`,
  );
  expect(note).not.toContain('tsr_');
});

test('for another tenant, with other scopes', async () => {
  const database = memoryDatabase();
  await createKeyCommand(database, { name: 'ops', tenant: 'acme', scopes: 'admin, digests' });
  expect(await listKeys(database)).toMatchObject([{ tenant: 'acme', name: 'ops', scopes: ['digests', 'admin'] }]);
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'n', tenant: '' }, 'tenant'],
  [{ name: 'n', scopes: '' }, 'scope'],
  [{ name: 'n', scopes: 'digests,root' }, '"root"'],
])('%j makes no key', async (values, named) => {
  const database = memoryDatabase();
  const made = createKeyCommand(database, values);
  await expect(made).rejects.toThrow(UsageError);
  await expect(made).rejects.toThrow(named);
  expect(await listKeys(database)).toEqual([]);
});

test('"keys list" shows all but the keys', async () => {
  const database = memoryDatabase();
  expect(await listKeysCommand(database)).toBe('There are no keys.');
  const one = await createKey(at(database, '2026-03-04T05:06:07Z'), {
    tenant: 'acme',
    name: 'of the ci',
    scopes: ['digests'],
  });
  const two = await createKey(at(database, '2026-03-05T00:00:00Z'), {
    tenant: 'b',
    name: 'x',
    scopes: ['digests', 'admin'],
  });
  await revokeKeyCommand(at(database, '2026-03-06T00:00:00Z'), two.id);
  const pad = (text: string, width: number) => text.padEnd(width);
  const line = (...cells: string[]) =>
    cells
      .map((cell, i) => pad(cell, [36, 6, 9, 13, 13, 17, 9, 0][i]))
      .join('   ')
      .trimEnd();
  const all = [
    line('id', 'tenant', 'name', 'key', 'scopes', 'created', 'last used', 'revoked'),
    line(one.id, 'acme', 'of the ci', `${one.key.slice(0, 12)}…`, 'digests', '2026-03-04T05:06Z', '-', '-'),
    line(two.id, 'b', 'x', `${two.key.slice(0, 12)}…`, 'digests,admin', '2026-03-05T00:00Z', '-', '2026-03-06T00:00Z'),
  ];
  expect(await listKeysCommand(database)).toBe(all.join('\n'));
  const ofB = await listKeysCommand(database, 'b');
  expect(ofB).toContain(two.id);
  expect(ofB).not.toContain(one.id);
});

test('"keys revoke" says so, also of one that is revoked, and names an id that is unknown', async () => {
  const database = memoryDatabase();
  const { id, key } = await createKey(database, { tenant: 'acme', name: 'n', scopes: ['digests'] });
  const text = await revokeKeyCommand(database, id);
  expect(text).toContain(`${id} is revoked`);
  expect(await findKey(database, key)).toBeUndefined();
  expect(await revokeKeyCommand(database, id)).toBe(text);
  await expect(revokeKeyCommand(database, 'key_x')).rejects.toThrow(UnknownKeyError);
});

/** A database that another process has open too: `run` runs SQL on it, as `wrangler d1 execute` would. */
function remote(): { readonly database: OpenDatabase; run(sql: string): void } {
  const file = `${temporaryFolder()}/there.sqlite`;
  const database = openDatabase(file);
  const other = new BetterSqlite3(file);
  onTestFinished(() => {
    other.close();
    database.close();
  });
  return { database, run: (sql) => other.exec(sql) };
}

const keyIn = (note: string): string => note.slice(0, note.indexOf('\n'));

test('"keys create --sql" prints what makes the key good where it is run', async () => {
  const { database, run } = remote();
  const { out, note } = await createKeySql({ name: 'app', tenant: 'acme', scopes: 'admin, digests' });
  const key = keyIn(note);
  expect(key).toMatch(/^tsr_\w+$/);
  expect(out).not.toContain(key);
  expect(out).toMatch(/^(?:insert into [^\n]*;\n){2}$/);
  const service = keyedService({ database });
  expect((await service.ask(key, 'GET', '/v1/digests')).status).toBe(401);
  run(out);
  const made = await findKey(database, key);
  expect(made).toMatchObject({ tenant: 'acme', name: 'app', scopes: ['digests', 'admin'], revokedAt: null });
  expect(note).toContain(`\nKey ${made?.id} of tenant acme for digests, admin.`);
  expect(note).toContain('\nIt is good when the SQL has run.\n');
  expect((await keyedService({ database }).ask(key, 'GET', '/v1/digests')).status).toBe(200);
});

test('a tenant that is there keeps its webhook secret, and one that is not gets one', async () => {
  const { database, run } = remote();
  const { out } = await createKeySql({ name: 'first' });
  run(out);
  const secrets = await webhookSecrets(forTenant(database, 'default'));
  expect(secrets).toHaveLength(1);
  expect(out).toContain(`'${secrets[0]}'`);
  run((await createKeySql({ name: 'second' })).out);
  expect(await webhookSecrets(forTenant(database, 'default'))).toEqual(secrets);
  expect((await listKeys(database)).map(({ name }) => name).sort()).toEqual(['first', 'second']);
});

test('any name that a key may have comes out as it went in, and runs nothing', async () => {
  const { database, run } = remote();
  const piece = fc.oneof(
    fc.constantFrom("'", "''", '"', ';', '--', '?', '\\', '/*', "'); drop table api_keys; --"),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  const named = fc
    .array(piece, { minLength: 1, maxLength: 6 })
    .map((pieces) => pieces.join(''))
    .filter((name) => /^\P{C}{1,100}$/u.test(name) && name.trim() !== '');
  await fc.assert(
    fc.asyncProperty(named, async (name) => {
      const { out, note } = await createKeySql({ name });
      run(out);
      expect((await findKey(database, keyIn(note)))?.name).toBe(name);
    }),
    { numRuns: 50 },
  );
});

test.each([
  [{ name: 'n', tenant: "a'b" }, 'tenant'],
  [{ name: 'n', scopes: 'root' }, '"root"'],
])('%j makes no SQL', async (flags, named) => {
  const made = createKeySql(flags);
  await expect(made).rejects.toThrow(UsageError);
  await expect(made).rejects.toThrow(named);
});

test('nothing can be read of a database that is elsewhere', async () => {
  await expect(listKeys(sqlConnection())).rejects.toThrow();
});

test('the command opens no database, and keeps the key out of the SQL', async () => {
  const folder = temporaryFolder();
  const args = ['keys', 'create', '--name', 'of the edge', '--sql'];
  const { code, stdout, stderr } = await callCli(args, folder, { TESSERA_DB: `${folder}/none.sqlite` });
  expect([code, readdirSync(folder)]).toEqual([0, []]);
  const { database, run } = remote();
  run(stdout);
  expect(await findKey(database, keyIn(stderr))).toMatchObject({ name: 'of the edge' });
  expect(stdout).not.toContain(keyIn(stderr));
});

test.each(['keys list', 'keys revoke key_1', 'tenants list', 'tenants delete acme --yes', 'backup copy.sqlite'])(
  '"%s" over a database that is not there: exit 1, says so, and makes none',
  async (command) => {
    const folder = temporaryFolder();
    const file = join(folder, 'data', 'misspelt.sqlite');
    const { code, stdout, stderr } = await callCli(command.split(' '), folder, { TESSERA_DB: file });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`TESSERA_DB names "${file}", and there is no such file.\n`);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('"keys create" makes it with its folder, and the others go on from there', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'data', 'tessera.sqlite');
  const settings = { TESSERA_DB: file };
  const made = await callCli(['keys', 'create', '--name', 'of the ci'], folder, settings);
  expect([made.code, existsSync(file)]).toEqual([0, true]);
  const listed = await callCli(['keys', 'list'], folder, settings);
  expect([listed.code, listed.stderr]).toEqual([0, '']);
  expect(listed.stdout).toContain('of the ci');
});
