import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import {
  deleteTenantCommand,
  deleteTenantSql,
  listTenantsCommand,
  TenantNotDeletedError,
} from '../../src/cli/tenants.node.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import {
  countTenantRows,
  createKey,
  type Database,
  digests,
  findKey,
  forTenant,
  hasKeys,
  revokeKey,
  saveDocuments,
} from '../../src/store/index.ts';
import { fillTables, tenantRows } from '../store/filled-tables.ts';
import { onBothStores, TABLES } from '../store/stores.ts';
import { callCli } from '../support/call-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../support/test-deps.ts';

const TEXT = 'the text of a tenant that goes ';

async function fill(database: OpenDatabase) {
  const key = await createKey(database, { tenant: 'acme', name: 'n', scopes: ['digests'] });
  await createKey(database, { tenant: 'acme', name: 'n', scopes: ['digests'] });
  await createKey(database, { tenant: 'keys-only', name: 'n', scopes: ['digests'] });
  await revokeKey(database, key.id);
  const texts = Array.from({ length: 40 }, (_, i) => ({ hash: `${i}`, text: TEXT.repeat(50) }));
  await saveDocuments(forTenant(database, 'acme'), texts);
  await saveDocuments(forTenant(database, 'default'), [{ hash: '0', text: 'a text that stays' }]);
  await database.query.insert(digests).values({ id: 'dig_1', tenant: 'acme', status: 'completed', createdAt: 0 });
}

test('"tenants list" counts what each has', async () => {
  const database = memoryDatabase();
  expect(await listTenantsCommand(database)).toBe('There are no tenants.');
  await fill(database);
  expect(await listTenantsCommand(database)).toBe(
    [
      'tenant      keys   digests   documents',
      'acme           1         1          40',
      'default        0         0           1',
      'keys-only      1         0           0',
    ].join('\n'),
  );
});

test('"tenants delete" without --yes says what would go, and deletes nothing', async () => {
  const database = memoryDatabase();
  await fill(database);
  const before = await countTenantRows(database, 'acme');
  const refused = deleteTenantCommand(database, 'acme', false);
  await expect(refused).rejects.toThrow(TenantNotDeletedError);
  await expect(refused).rejects.toThrow(/2 api keys, 1 digest, 40 documents, 1 tenant\. Say --yes/);
  expect(await countTenantRows(database, 'acme')).toEqual(before);
});

test('with --yes nothing is left of it, not even in the free space of the file', async () => {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  await fill(database);
  const bytes = () => readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1');
  expect(bytes()).toContain(TEXT);
  expect(await deleteTenantCommand(database, 'acme', true)).toContain('40 documents');
  expect(bytes()).not.toContain(TEXT);
  expect(bytes()).toContain('a text that stays');
  expect(await listTenantsCommand(database)).not.toContain('acme');
});

test.each(['nobody', ''])('there is no tenant %j', async (name) => {
  const database = memoryDatabase();
  await fill(database);
  for (const left of ['acme', 'keys-only']) await deleteTenantCommand(database, left, true);
  await expect(deleteTenantCommand(database, name, true)).rejects.toThrow(`There is no tenant "${name}".`);
});

test('rows that work under way writes meanwhile are told', async () => {
  const database = memoryDatabase();
  await fill(database);
  const late: OpenDatabase = {
    ...database,
    compact: () =>
      void database.query.insert(digests).values({ id: 'late', tenant: 'acme', status: 'queued', createdAt: 0 }).then(),
  };
  await expect(deleteTenantCommand(late, 'acme', true)).rejects.toThrow(/since: 1 digest\. Delete it again/);
});

test('a file that cannot be compacted is told; the rows are gone', async () => {
  const database = memoryDatabase();
  await fill(database);
  const busy: OpenDatabase = {
    ...database,
    compact() {
      throw new Error('database is locked');
    },
  };
  const text = await deleteTenantCommand(busy, 'acme', true);
  expect(text).toMatch(/^Tenant "acme" is deleted: .*\n.*not be compacted: database is locked\.\n$/);
  expect((await countTenantRows(database, 'acme')).size).toBe(0);
});

/** Runs SQL as `wrangler d1 execute --file` does: statement by statement. */
async function run({ query }: Database, text: string): Promise<void> {
  for (const line of text.trimEnd().split('\n')) await query.run(sql.raw(line));
}

onBothStores(({ open }) => {
  test('what is printed leaves nothing of a tenant in any table, and everything of another', async () => {
    const database = await open();
    await fillTables(database, 'gone', 5);
    await fillTables(database, 'kept', 5);
    const before = await tenantRows(database, 'kept');
    expect((await countTenantRows(database, 'gone')).size).toBe(TABLES.length);
    const text = await deleteTenantSql('gone');
    for (const table of TABLES) expect(text).toContain(`delete from "${getTableName(table)}" where`);
    await run(database, text);
    for (const [table, rows] of Object.entries(await tenantRows(database, 'gone')))
      expect([table, rows]).toEqual([table, []]);
    expect(await tenantRows(database, 'kept')).toEqual(before);
    await run(database, text);
    expect(await tenantRows(database, 'kept')).toEqual(before);
  });

  test('where it had the only keys, none of them opens anything, and the service does not become open', async () => {
    const database = await open();
    const { key } = await createKey(database, { tenant: 'gone', name: 'secret name', scopes: ['admin'] });
    await run(database, await deleteTenantSql('gone'));
    expect(await findKey(database, key)).toBeUndefined();
    expect(await hasKeys(database)).toBe(true);
    expect(JSON.stringify(await database.query.select().from(TABLES[0]))).not.toContain('gone');
  });

  test('a name is a value, whatever stands in it', async () => {
    const database = await open();
    await fillTables(database, 'kept', 2);
    const before = await tenantRows(database, 'kept');
    for (const name of ["' or 1 = 1 --", "x'; delete from documents; --", 'a"b', "kept'"]) {
      await run(database, await deleteTenantSql(name));
    }
    expect(await tenantRows(database, 'kept')).toEqual(before);
  });
});

test('a name is needed', async () => {
  await expect(deleteTenantSql('')).rejects.toThrow(TenantNotDeletedError);
});

test('the command prints the SQL, and opens no database', async () => {
  const folder = temporaryFolder();
  const settings = { TESSERA_DB: `${folder}/none.sqlite` };
  const { code, stdout, stderr } = await callCli(['tenants', 'delete', 'acme', '--sql'], folder, settings);
  expect([code, stderr, readdirSync(folder)]).toEqual([0, '', []]);
  expect(stdout.split('\n')).toHaveLength(TABLES.length + 2);
  const both = await callCli(['tenants', 'delete', 'acme', '--sql', '--yes'], folder, settings);
  expect([both.code, both.stdout]).toEqual([2, '']);
});
