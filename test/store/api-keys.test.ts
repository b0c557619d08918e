import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { API_KEY_PATTERN, hashApiKey, isApiKey, makeApiKey } from '../../src/store/api-keys.ts';
import {
  apiKeys,
  type Connection,
  createKey,
  findKey,
  hasKeys,
  InvalidApiKeyError,
  listKeys,
  type NewApiKey,
  noteKeyUse,
  revokeKey,
  tenants,
} from '../../src/store/index.ts';
import { onBothStores } from './stores.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const one: NewApiKey = { tenant: 'acme', name: 'ci', scopes: ['digests'] };

/** What a base-62 number is worth, by Horner's rule. */
const worth = (digits: string) => [...digits].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

describe('the form of a key', () => {
  test('its digits are the bytes, and its checksum is zlib’s CRC-32 of what precedes it', () => {
    fc.assert(
      fc.property(secret, (bytes) => {
        const key = makeApiKey(bytes);
        expect(key).toMatch(API_KEY_PATTERN);
        expect(key).toHaveLength(54);
        expect(worth(key.slice(4, 47))).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
        expect(worth(key.slice(48))).toBe(BigInt(crc32(key.slice(0, 48))));
        expect(isApiKey(key)).toBe(true);
        expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
      }),
    );
  });

  test('any one wrong character, two swapped, one missing or one more make it no key', () => {
    const at = fc.nat(53);
    fc.assert(
      fc.property(secret, at, fc.constantFrom(...DIGITS, '_', '-', ' ', 'ä', '\0'), (bytes, place, other) => {
        const key = makeApiKey(bytes);
        const [before, own, after] = [key.slice(0, place), key[place], key.slice(place + 1)];
        expect(isApiKey(before + other + after)).toBe(other === own);
        expect(isApiKey(before + after)).toBe(false);
        expect(isApiKey(before + other + own + after)).toBe(false);
        const swapped = before + after.slice(0, 1) + own + after.slice(1);
        expect(isApiKey(swapped)).toBe(swapped === key);
      }),
    );
  });

  test.each(['', 'tsr_', 'x'.repeat(54), 'ä'.repeat(54), `${makeApiKey()}\n`, ` ${makeApiKey()}`])(
    'no key: %j',
    (text) => expect(isApiKey(text)).toBe(false),
  );

  test('random ones differ', () => {
    expect(new Set(Array.from({ length: 100 }, () => makeApiKey())).size).toBe(100);
  });
});

onBothStores(({ open }) => {
  async function withClock() {
    const clock = { time: 1_000_000 };
    return { clock, database: { ...(await open()), now: () => clock.time } };
  }

  test('a key is found by itself, and is kept nowhere', async () => {
    const { database } = await withClock();
    const { key, ...row } = await createKey(database, { ...one, scopes: ['admin', 'digests'] });
    expect(row).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      tenant: 'acme',
      name: 'ci',
      shown: key.slice(0, 12),
      scopes: ['digests', 'admin'],
      createdAt: 1_000_000,
      revokedAt: null,
      lastUsedAt: null,
    });
    expect(await findKey(database, key)).toEqual(row);
    expect(await listKeys(database)).toEqual([row]);
    const stored = JSON.stringify(await database.query.select().from(apiKeys));
    expect(stored).toContain(hashApiKey(key));
    expect(stored).not.toContain(key.slice(12, 47));
  });

  test('the first key makes the tenant, with a secret for webhooks; the next leaves it as it is', async () => {
    const { database } = await withClock();
    await createKey(database, one);
    const [tenant] = await database.query.select().from(tenants);
    expect(tenant).toMatchObject({ tenant: 'acme', createdAt: 1_000_000, previousSecret: null });
    const [, bytes] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(tenant.webhookSecret) ?? [];
    expect(Buffer.from(bytes, 'base64')).toHaveLength(32);
    await createKey(database, one);
    await createKey(database, { ...one, tenant: 'other' });
    const all = await database.query.select().from(tenants);
    expect(all.map((row) => row.tenant).sort()).toEqual(['acme', 'other']);
    expect(all).toContainEqual(tenant);
    expect(new Set(all.map(({ webhookSecret }) => webhookSecret)).size).toBe(2);
  });

  test('a revoked key is found no more and stays listed as of the first time; others stay good, by tenant and age', async () => {
    const { database, clock } = await withClock();
    const [gone, kept] = [await createKey(database, one), await createKey(database, one)];
    clock.time = 2_000_000;
    expect(await revokeKey(database, gone.id)).toBe(true);
    clock.time = 3_000_000;
    expect(await revokeKey(database, gone.id)).toBe(true);
    expect(await revokeKey(database, 'key_unknown')).toBe(false);
    expect(await findKey(database, gone.key)).toBeUndefined();
    expect(await findKey(database, kept.key)).toMatchObject({ id: kept.id, revokedAt: null });
    const other = await createKey(database, { ...one, tenant: 'other' });
    const listed = await listKeys(database);
    expect(new Set(listed.slice(0, 2).map(({ id }) => id))).toEqual(new Set([gone.id, kept.id]));
    expect(listed.find(({ id }) => id === gone.id)?.revokedAt).toBe(2_000_000);
    expect((await listKeys(database, 'other')).map(({ id }) => id)).toEqual([other.id]);
    expect(await listKeys(database, 'none')).toEqual([]);
    // There are keys also once all are revoked.
    for (const { id } of listed) await revokeKey(database, id);
    expect(await hasKeys(database)).toBe(true);
  });

  test('what is no key is not looked up', async () => {
    const fail = () => {
      throw new Error('read');
    };
    const query = new Proxy({} as Connection['query'], { get: fail });
    const unread: Connection = { query, commit: fail, write: fail, now: fail };
    expect(await findKey(unread, `${makeApiKey().slice(0, -1)}-`)).toBeUndefined();
    await expect(findKey(unread, makeApiKey())).rejects.toThrow('read');
  });

  test('use is noted once a minute at most, also by two processes with the same row', async () => {
    const { database, clock } = await withClock();
    const { key } = await createKey(database, one);
    const row = async () => (await findKey(database, key)) ?? expect.fail('found');
    let writes = 0;
    const counted: Connection = { ...database, commit: (all) => database.commit(all).then(() => void writes++) };
    const stale = await row();
    await noteKeyUse(counted, stale);
    expect((await row()).lastUsedAt).toBe(1_000_000);
    clock.time += 59_999;
    await noteKeyUse(counted, await row());
    expect(writes).toBe(1);
    await noteKeyUse(counted, stale);
    expect((await row()).lastUsedAt).toBe(1_000_000);
    clock.time += 1;
    await noteKeyUse(counted, await row());
    expect((await row()).lastUsedAt).toBe(1_060_000);
  });

  test.each<[string, Partial<NewApiKey>]>([
    ['no tenant', { tenant: '' }],
    ['a tenant with a space', { tenant: 'a b' }],
    ['a tenant with a line end', { tenant: 'a\n' }],
    ['a long tenant', { tenant: 'a'.repeat(64) }],
    ['no name', { name: '' }],
    ['a blank name', { name: '  ' }],
    ['a name that moves the cursor', { name: 'a\u001b[2J' }],
    ['a long name', { name: 'a'.repeat(101) }],
    ['no scopes', { scopes: [] }],
  ])('no key for %s', async (_, wrong) => {
    const { database } = await withClock();
    await expect(createKey(database, { ...one, ...wrong })).rejects.toThrow(InvalidApiKeyError);
    expect(await hasKeys(database)).toBe(false);
    expect(await database.query.select().from(tenants)).toEqual([]);
  });
});
