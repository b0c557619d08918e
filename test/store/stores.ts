import { join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/index.node.ts';
import type { Database } from '../../src/store/index.ts';
import { openD1 } from '../../src/store/index.worker.ts';
import * as schema from '../../src/store/schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { memoryDatabase } from '../support/test-deps.ts';
import { type D1Counts, d1InWorkerd, migrateD1 } from './d1-in-workerd.ts';

/** A kind of database that everything in `src/store` must run on. */
interface Store {
  readonly name: 'better-sqlite3' | 'D1';
  /** A new database, gone when the test ends. */
  open(): Promise<Database>;
  /** The same database twice, as two processes have it. */
  openTwo(): Promise<[Database, Database]>;
}

/** D1, which counts. */
interface D1Store extends Store {
  openCounted(): Promise<{ readonly database: Database; readonly counts: D1Counts }>;
}

/** All tables, whatever is added to the schema. */
export const TABLES = Object.values(schema).filter((value): value is typeof value & SQLiteTable =>
  is(value, SQLiteTable),
);

/** Runs tests on better-sqlite3 and on D1 in workerd, which is started once for all of them. */
export function onBothStores(tests: (store: Store) => void): void {
  describe('better-sqlite3', () => tests(betterSqlite3));
  onD1(tests);
}

/** Runs tests on D1 alone. */
export function onD1(tests: (store: D1Store) => void): void {
  describe('D1', () => {
    let workerd: Awaited<ReturnType<typeof d1InWorkerd>> | undefined;
    const free: string[] = [];
    const migrated = new Set<string>();
    beforeAll(async () => {
      workerd = await d1InWorkerd(70);
      free.push(...workerd.names);
    });
    afterAll(() => workerd?.dispose());

    async function take() {
      const name = free.pop();
      if (workerd === undefined || name === undefined) throw new Error('no database is left');
      const { binding, counts } = workerd.database(name);
      if (!migrated.has(name)) await migrateD1(binding);
      migrated.add(name);
      onTestFinished(async () => {
        const clear = [
          'pragma defer_foreign_keys = on',
          ...TABLES.map((table) => `delete from ${getTableName(table)}`),
        ];
        await binding.batch(clear.map((statement) => binding.prepare(statement)));
        free.push(name);
      });
      counts.statements = 0;
      counts.largest = 0;
      return { binding, counts };
    }

    tests({
      name: 'D1',
      open: async () => openD1((await take()).binding),
      async openTwo() {
        const { binding } = await take();
        return [openD1(binding), openD1(binding)];
      },
      async openCounted() {
        const { binding, counts } = await take();
        return { database: openD1(binding), counts };
      },
    });
  });
}

const betterSqlite3: Store = {
  name: 'better-sqlite3',
  open: async () => memoryDatabase(),
  async openTwo() {
    const file = join(temporaryFolder(), 'tessera.sqlite');
    const [one, two] = [openDatabase(file), openDatabase(file)];
    onTestFinished(() => {
      one.close();
      two.close();
    });
    return [one, two];
  },
};
