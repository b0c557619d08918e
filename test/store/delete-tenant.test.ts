import { getTableName, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deleteInChunks } from '../../src/store/deletion.ts';
import {
  countTenantRows,
  createKey,
  deleteTenant,
  findKey,
  hasKeys,
  listKeys,
  revokeKey,
} from '../../src/store/index.ts';
import * as schema from '../../src/store/schema.ts';
import { fillTables, tenantRows } from './filled-tables.ts';
import { onBothStores, TABLES } from './stores.ts';

onBothStores(({ open }) => {
  test('nothing is left of a tenant, and everything of another', async () => {
    const database = await open();
    await fillTables(database, 'gone', 45);
    await fillTables(database, 'kept', 45);
    const before = await tenantRows(database, 'kept');
    for (const rows of Object.values(before)) expect(rows.length).toBeGreaterThan(0);
    const counts = await countTenantRows(database, 'gone');
    expect(counts).toEqual(new Map(TABLES.map((table) => [getTableName(table), table === schema.tenants ? 1 : 45])));
    await deleteTenant(database, 'gone');
    for (const [table, rows] of Object.entries(await tenantRows(database, 'gone')))
      expect([table, rows]).toEqual([table, []]);
    expect(await tenantRows(database, 'kept')).toEqual(before);
    expect(await countTenantRows(database, 'gone')).toEqual(new Map());
    for (const table of TABLES) expect(JSON.stringify(await database.query.select().from(table))).not.toContain('gone');
    for (const tenant of ['gone', 'nobody']) await deleteTenant(database, tenant);
    expect(await tenantRows(database, 'kept')).toEqual(before);
  });

  test('more rows than go at a time, counted', async () => {
    const { query, commit, write, now } = await open();
    const hashes = Array.from({ length: 160 }, (_, row) => `${row}`.padStart(3, '0'));
    await commit(
      hashes.map((hash) => query.insert(schema.documents).values({ tenant: 't', hash, text: '', createdAt: 0 })),
    );
    expect(await deleteInChunks({ query, commit, write, now }, schema.documents, sql`hash < '110'`)).toBe(110);
    expect(await deleteInChunks({ query, commit, write, now }, schema.documents, sql`1`)).toBe(50);
    expect(await query.select().from(schema.documents)).toEqual([]);
  });

  test('it stays known that there were keys, but not whose; no key opens by it', async () => {
    const database = await open();
    const { key } = await createKey(database, { tenant: 'gone', name: 'secret name', scopes: ['admin'] });
    await createKey(database, { tenant: 'gone', name: 'another', scopes: ['admin'] });
    await deleteTenant(database, 'gone');
    expect(await hasKeys(database)).toBe(true);
    expect(await listKeys(database)).toEqual([]);
    expect(await findKey(database, key)).toBeUndefined();
    const rows = await database.query.select().from(schema.apiKeys);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ tenant: '', name: '', shown: '', scopes: '[]', revokedAt: expect.any(Number) });
    expect(await revokeKey(database, rows[0].id)).toBe(false);
    // The next tenant's end adds no second row, and other keys make none necessary.
    await createKey(database, { tenant: 'next', name: 'n', scopes: ['admin'] });
    await deleteTenant(database, 'next');
    expect(await database.query.select().from(schema.apiKeys)).toEqual(rows);
  });

  test('where no key was ever made the service stays open', async () => {
    const database = await open();
    await database.query.insert(schema.documents).values({ tenant: 'default', hash: 'h', text: 't', createdAt: 0 });
    await deleteTenant(database, 'default');
    expect(await hasKeys(database)).toBe(false);
  });
});
