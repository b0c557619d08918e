import { readdirSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createKeySql, sqlConnection } from '../../src/cli/keys.node.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { findKey, forTenant, InvalidApiKeyError, listKeys, webhookSecrets } from '../../src/store/index.ts';
import { runCli } from '../support/cli.ts';
import { keyedService } from '../support/keyed-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  await expect(made).rejects.toThrow(InvalidApiKeyError);
  await expect(made).rejects.toThrow(named);
});

test('nothing can be read of a database that is elsewhere', async () => {
  await expect(listKeys(sqlConnection())).rejects.toThrow();
});

test('the command opens no database, and keeps the key out of the SQL', async () => {
  const folder = temporaryFolder();
  const args = ['keys', 'create', '--name', 'of the edge', '--sql'];
  const { code, stdout, stderr } = await runCli(args, folder, { TESSERA_DB: `${folder}/none.sqlite` });
  expect([code, readdirSync(folder)]).toEqual([0, []]);
  const { database, run } = remote();
  run(stdout);
  expect(await findKey(database, keyIn(stderr))).toMatchObject({ name: 'of the edge' });
  expect(stdout).not.toContain(keyIn(stderr));
});
