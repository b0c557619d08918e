import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../src/store/index.node.ts';
import { type Connection, insertWebhook } from '../../../src/store/index.ts';
import { webhooks } from '../../../src/store/schema.ts';
import type { NewWebhook } from '../../../src/store/webhooks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A clock that stands until a test moves it. */
export interface Clock {
  now: number;
}

/** The same database by another clock. */
function withClock(database: OpenDatabase, clock: Clock): OpenDatabase {
  return { ...database, now: () => clock.now };
}

/** A new database in memory that goes by this clock, and is closed when the test ends. */
export function databaseAt(clock: Clock = { now: 0 }): OpenDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return withClock(database, clock);
}

/** Two connections to one file, as two processes have them. */
export function twoConnections(clock: Clock = { now: 0 }): [OpenDatabase, OpenDatabase] {
  const file = join(temporaryFolder(), 'tessera.sqlite');
  const [one, two] = [openDatabase(file), openDatabase(file)];
  onTestFinished(() => {
    one.close();
    two.close();
  });
  return [withClock(one, clock), withClock(two, clock)];
}

/** Keeps a message about a digest, to be sent at once. */
export async function keepWebhook(
  connection: Connection,
  digestId: string,
  changes: Partial<NewWebhook> = {},
): Promise<void> {
  const webhook = { tenant: 'default', digestId, url: 'https://hooks.example/in', payload: `{"of":"${digestId}"}` };
  await connection.commit([insertWebhook(connection, { ...webhook, ...changes })]);
}

/** All rows, as they are. */
export async function rowsOf(connection: Connection): Promise<(typeof webhooks.$inferSelect)[]> {
  return connection.query.select().from(webhooks).orderBy(webhooks.id);
}
