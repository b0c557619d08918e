import { readdirSync } from 'node:fs';
import { getTableName, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deleteTenantSql, TenantNotDeletedError } from '../../src/cli/tenants.node.ts';
import { countTenantRows, createKey, type Database, findKey, hasKeys } from '../../src/store/index.ts';
import { fillTables, TABLES, tenantRows } from '../store/filled-tables.ts';
import { onBothStores } from '../store/stores.ts';
import { runCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  const { code, stdout, stderr } = await runCli(['tenants', 'delete', 'acme', '--sql'], folder, settings);
  expect([code, stderr, readdirSync(folder)]).toEqual([0, '', []]);
  expect(stdout.split('\n')).toHaveLength(TABLES.length + 2);
  const both = await runCli(['tenants', 'delete', 'acme', '--sql', '--yes'], folder, settings);
  expect([both.code, both.stdout]).toEqual([2, '']);
});
