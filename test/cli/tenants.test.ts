import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deleteTenantCommand, listTenantsCommand, TenantNotDeletedError } from '../../src/cli/tenants.node.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/index.node.ts';
import { countTenantRows, createKey, digests, forTenant, revokeKey, saveDocuments } from '../../src/store/index.ts';
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
  expect(await listTenantsCommand(database)).toBe('There are no tenants.\n');
  await fill(database);
  expect(await listTenantsCommand(database)).toBe(
    [
      'tenant     keys  digests  documents',
      'acme       1     1        40',
      'default    0     0        1',
      'keys-only  1     0        0',
      '',
    ].join('\n'),
  );
});

test('"tenants delete" without --yes says what would go, and deletes nothing', async () => {
  const database = memoryDatabase();
  await fill(database);
  const before = await countTenantRows(database, 'acme');
  for (const values of [undefined, {}, { yes: false }]) {
    const refused = deleteTenantCommand(database, 'acme', values);
    await expect(refused).rejects.toThrow(TenantNotDeletedError);
    await expect(refused).rejects.toThrow(/2 api keys, 1 digests, 40 documents, 1 tenants\. Say --yes/);
  }
  expect(await countTenantRows(database, 'acme')).toEqual(before);
});

test('with --yes nothing is left of it, not even in the free space of the file', async () => {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const database = openDatabase(file);
  onTestFinished(() => database.close());
  await fill(database);
  const bytes = () => readFileSync(file, 'latin1') + readFileSync(`${file}-wal`, 'latin1');
  expect(bytes()).toContain(TEXT);
  expect(await deleteTenantCommand(database, 'acme', { yes: true })).toContain('40 documents');
  expect(bytes()).not.toContain(TEXT);
  expect(bytes()).toContain('a text that stays');
  expect(await listTenantsCommand(database)).not.toContain('acme');
});

test.each(['nobody', ''])('there is no tenant %j', async (name) => {
  const database = memoryDatabase();
  await fill(database);
  for (const left of ['acme', 'keys-only']) await deleteTenantCommand(database, left, { yes: true });
  await expect(deleteTenantCommand(database, name, { yes: true })).rejects.toThrow(`There is no tenant "${name}".`);
});

test('rows that work under way writes meanwhile are told', async () => {
  const database = memoryDatabase();
  await fill(database);
  const late: OpenDatabase = {
    ...database,
    compact: () =>
      void database.query.insert(digests).values({ id: 'late', tenant: 'acme', status: 'queued', createdAt: 0 }).then(),
  };
  await expect(deleteTenantCommand(late, 'acme', { yes: true })).rejects.toThrow(/since: 1 digests\. Delete it again/);
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
  const text = await deleteTenantCommand(busy, 'acme', { yes: true });
  expect(text).toMatch(/^Tenant "acme" is deleted: .*\n.*not be compacted: database is locked\.\n$/);
  expect((await countTenantRows(database, 'acme')).size).toBe(0);
});
