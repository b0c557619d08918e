import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { authenticate } from '../../../src/server/middleware/authenticate.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { makeApiKey } from '../../../src/store/api-keys.ts';
import { type Connection, createKey, revokeKey, SCOPES } from '../../../src/store/index.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

/** An app that answers who asks, over a database whose clock stands still and whose reads are counted. */
function service({ allowsOpen = true }: { readonly allowsOpen?: boolean } = {}) {
  const clock = { time: 1_000_000 };
  const counts = { reads: 0 };
  const database: Connection = { ...memoryDatabase(), now: () => clock.time };
  const query = new Proxy(database.query, {
    get(target, name) {
      if (name === 'select') counts.reads++;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const app = new Hono<ServiceEnv>()
    .use(authenticate({ database: { ...database, query }, allowsOpen }))
    .all('/', (context) => context.json(context.var.caller));
  return {
    clock,
    counts,
    database,
    make: () => createKey(database, { tenant: 'acme', name: 'n', scopes: ['digests'] }),
    ask: async (authorization?: string, host?: string) =>
      app.request('/', {
        headers: { ...(authorization !== undefined && { authorization }), ...(host !== undefined && { host }) },
      }),
  };
}

/** Status, code and challenge of a refusal. */
async function refusal(response: Response) {
  const { type, detail } = (await response.json()) as { type: string; detail: string };
  const code = type.replace('urn:tessera:problem:', '');
  return [response.status, code, response.headers.get('www-authenticate'), detail];
}

test('mistyped, unknown and revoked keys have one answer, which does not repeat them', async () => {
  const { make, ask, database } = service();
  const [revoked, { key }] = [await make(), await make()];
  for (const none of [undefined, '', 'Basic dXNlcjpwYXNz', 'tsr_x', 'Bearertsr_x']) {
    const header = expect.stringContaining('Authorization: Bearer tsr_');
    expect(await refusal(await ask(none))).toEqual([401, 'authentication-required', 'Bearer', header]);
  }
  await revokeKey(database, revoked.id);
  const wrong = ['', 'x', `${key} ${key}`, `${key},`, key.slice(1), key.toLowerCase(), makeApiKey(), revoked.key];
  const answers = await Promise.all(wrong.map(async (each) => refusal(await ask(`Bearer ${each}`))));
  for (const answer of answers) expect(answer).toEqual([401, 'invalid-key', 'Bearer', expect.any(String)]);
  expect(new Set(answers.map(String)).size).toBe(1);
  expect(String(answers[0])).not.toContain('tsr_');
});

test('a key is looked up once in 5 seconds, and a revoked one is refused within them', async () => {
  const { make, ask, database, counts, clock } = service();
  const { id, key } = await make();
  await ask(`Bearer ${key}`);
  const before = { ...counts };
  for (let i = 0; i < 5; i++) expect((await ask(`Bearer ${key}`)).status).toBe(200);
  expect(counts).toEqual(before);
  await revokeKey(database, id);
  // The price of not reading; and a clock that is set back revives nothing.
  for (const [passed, status] of [
    [4999, 200],
    [1, 401],
    [-3000, 401],
  ]) {
    clock.time += passed;
    expect((await ask(`Bearer ${key}`)).status).toBe(status);
  }
});

describe('as long as no key was ever made', () => {
  test('anybody on loopback is the tenant "default", and nobody elsewhere', async () => {
    const { ask } = service();
    for (const header of [undefined, 'Bearer x', `Bearer ${makeApiKey()}`, 'Basic x']) {
      expect(await (await ask(header)).json()).toEqual({ tenant: 'default', key: null, scopes: SCOPES });
    }
    const closed = service({ allowsOpen: false });
    const command = expect.stringContaining('tessera keys create');
    expect(await refusal(await closed.ask())).toEqual([401, 'authentication-required', 'Bearer', command]);
    expect((await closed.ask(`Bearer ${makeApiKey()}`)).status).toBe(401);
  });

  const LOOPBACK = 'localhost LOCALHOST:8787 a.b-c.localhost:1 127.0.0.1 127.1.2.3:65535 [::1] [::1]:8787'.split(' ');
  const FOREIGN = [
    ...'evil.example localhost.evil.example evillocalhost 127.0.0.1.evil.example 127.0.0.1.nip.io:8787'.split(' '),
    ...'127.evil.0.1 128.0.0.1 1127.0.0.1 [::2] ::1 [::1].evil.example localhost@evil.example'.split(' '),
    ...['localhost:80@evil.example', 'localhost:', 'localhost, evil.example', '.localhost', '0.0.0.0', ''],
  ];
  test.each(LOOPBACK)('host %s is loopback', async (host) =>
    expect((await service().ask(undefined, host)).status).toBe(200),
  );
  test.each(FOREIGN)('host %j is foreign: 403, against pages that have their own name lead here', async (host) =>
    expect((await refusal(await service().ask(undefined, host))).slice(0, 3)).toEqual([403, 'foreign-host', null]),
  );

  test('the first key closes the service within a second, and holds from its first request on', async () => {
    const { make, ask, clock } = service();
    expect((await ask()).status).toBe(200);
    const { key, id } = await make();
    expect(await (await ask(`Bearer ${key}`)).json()).toMatchObject({ tenant: 'acme', key: id });
    clock.time += 999;
    expect((await ask()).status).toBe(200);
    clock.time += 1;
    expect((await ask()).status).toBe(401);
  });
});
