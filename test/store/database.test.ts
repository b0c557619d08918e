import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import * as schema from '../../src/store/schema.ts';
import { onBothStores, TABLES } from './stores.ts';

onBothStores(({ open }) => {
  test('a commit writes all statements or none', async () => {
    const { query, commit } = await open();
    const { documents } = schema;
    const insert = (hash: string) => query.insert(documents).values({ tenant: 't', hash, text: hash, createdAt: 1 });
    await expect(commit([insert('a'), insert('b'), insert('a')])).rejects.toThrow(/UNIQUE/);
    expect(await query.select().from(documents)).toEqual([]);
    await commit([insert('a'), insert('b')]);
    expect((await query.select().from(documents)).map(({ hash }) => hash)).toEqual(['a', 'b']);
    await expect(commit([])).resolves.toBeUndefined();
  });

  test('foreign keys hold, and what was made of a document goes with it', async () => {
    const { query, commit } = await open();
    const { documents, extractions } = schema;
    const made = { tenant: 't', extractor: 'x', language: 'eng', words: 1, keyPoints: '[]', createdAt: 1 };
    await expect(commit([query.insert(extractions).values({ documentHash: 'h', ...made })])).rejects.toThrow(
      /FOREIGN KEY/,
    );
    await commit([
      query.insert(documents).values({ tenant: 't', hash: 'h', text: 't', createdAt: 1 }),
      query.insert(extractions).values({ documentHash: 'h', ...made }),
    ]);
    await commit([query.delete(documents)]);
    expect(await query.select().from(extractions)).toEqual([]);
  });

  test('the schema in code is the schema of the migrations', async () => {
    const { query } = await open();
    const tables = await query.all<{ name: string }>(
      sql`select name from sqlite_master where type = 'table' and name not like 'sqlite|_%' escape '|' and name not like '|_cf|_%' escape '|'`,
    );
    const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('_'));
    expect(names.sort()).toEqual(TABLES.map(getTableName).sort());
    expect(names.length).toBeGreaterThan(20);
    for (const table of TABLES) {
      expect(table.tenant.notNull).toBe(true);
      expect(await query.select().from(table)).toEqual([]);
      // What it selects by name is all there is.
      const columns = await query.all<{ name: string }>(
        sql`select name from pragma_table_info(${getTableName(table)})`,
      );
      const inTable = Object.values(getTableColumns(table)).map(({ name }) => name);
      expect(columns.map(({ name }) => name).sort()).toEqual(inTable.sort());
    }
  });
});
