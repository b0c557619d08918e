import { expect, test } from 'vitest';
import type { StoredJudgement } from '../../src/models/index.ts';
import { type Database, forTenant, readJudgements, saveJudgements } from '../../src/store/index.ts';
import { judgements } from '../../src/store/schema.ts';
import { onBothStores } from './stores.ts';

const DAY = 86_400_000;
const row = (key: string, verdict = `"${key}"`): StoredJudgement => ({ key, kind: 'k', verdict });

/** The rows of a tenant, on a day. */
function on(database: Database, tenant: string, day: number): Database {
  return { ...forTenant(database, tenant), now: () => day * DAY + 5 };
}

onBothStores(({ open }) => {
  test('verdicts come back by key, missing ones are absent, the first of two stays', async () => {
    const database = await open();
    await saveJudgements(database, [row('a'), row('b', '{"level":"FULL"}')]);
    await saveJudgements(database, [row('a', '"other"'), row('c')]);
    expect(await readJudgements(database, ['a', 'b', 'missing'])).toEqual(
      new Map([
        ['a', '"a"'],
        ['b', '{"level":"FULL"}'],
      ]),
    );
    expect(await readJudgements(database, [])).toEqual(new Map());
  });

  test('every tenant has its own', async () => {
    const database = await open();
    await saveJudgements(on(database, 't', 1), [row('a', '1')]);
    await saveJudgements(on(database, 'u', 1), [row('a', '2')]);
    expect(await readJudgements(on(database, 't', 1), ['a'])).toEqual(new Map([['a', '1']]));
    expect(await readJudgements(on(database, 'u', 1), ['a'])).toEqual(new Map([['a', '2']]));
    expect(await readJudgements(on(database, 'v', 1), ['a'])).toEqual(new Map());
  });

  test('hundreds at once, more than are read in one go', async () => {
    const database = await open();
    const rows = Array.from({ length: 650 }, (_, i) => row(`k${i}`));
    await saveJudgements(database, rows);
    expect(await readJudgements(database, ['none', ...rows.map(({ key }) => key)])).toEqual(
      new Map(rows.map(({ key, verdict }) => [key, verdict])),
    );
  });

  test('reading notes the day, of what was read alone', async () => {
    const database = await open();
    await saveJudgements(on(database, 't', 10), [row('read'), row('left')]);
    await saveJudgements(on(database, 'u', 10), [row('read')]);
    await readJudgements(on(database, 't', 12), ['read']);
    await readJudgements(on(database, 't', 11), ['read']);
    const rows = await database.query.select().from(judgements);
    const days = Object.fromEntries(rows.map(({ tenant, key, usedOn }) => [`${tenant}/${key}`, usedOn]));
    expect(days).toEqual({ 't/read': 12, 't/left': 10, 'u/read': 10 });
    expect(new Set(rows.map(({ createdAt, kind }) => `${createdAt} ${kind}`))).toEqual(new Set([`${10 * DAY + 5} k`]));
  });
});
