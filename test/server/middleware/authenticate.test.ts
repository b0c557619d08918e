import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { authenticate, requireScope } from '../../../src/server/middleware/authenticate.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { makeApiKey } from '../../../src/store/api-keys.ts';
import { type Connection, createKey, revokeKey, SCOPES, type Scope } from '../../../src/store/index.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

const ANYBODY = { tenant: 'default', key: null, scopes: SCOPES };

/** An app that answers who asks, over a database whose clock stands still and whose reads and commits are counted. */
function service({ allowsOpen = true }: { readonly allowsOpen?: boolean } = {}) {
  const clock = { time: 1_000_000 };
  const counts = { reads: 0, commits: 0 };
  const { query, commit, write } = memoryDatabase();
  const now = () => clock.time;
  const counted: Connection = {
    query: new Proxy(query, {
      get(target, name) {
        if (name === 'select') counts.reads++;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    commit(statements) {
      counts.commits++;
      return commit(statements);
    },
    write,
    now,
  };
  const app = new Hono<ServiceEnv>()
    .use(authenticate({ database: counted, allowsOpen }))
    .all('/', (context) => context.json(context.var.caller))
    .get('/admin', requireScope('admin'), (context) => context.text('for admins'));
  const database: Connection = { query, commit, write, now };
  return {
    clock,
    counts,
    database,
    make: (tenant = 'acme', scopes: readonly Scope[] = ['digests']) =>
      createKey(database, { tenant, name: 'n', scopes }),
    async ask(authorization?: string, { path = '/', host }: { readonly path?: string; readonly host?: string } = {}) {
      const headers = { ...(authorization !== undefined && { authorization }), ...(host !== undefined && { host }) };
      return app.request(path, { headers });
    },
  };
}

/** Status, headers that matter and body of a refusal. */
async function refusal(response: Response) {
  const { headers, status } = response;
  const body = (await response.json()) as { type: string; status: number; detail: string };
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(body.status).toBe(status);
  return {
    status,
    code: body.type.replace('urn:tessera:problem:', ''),
    detail: body.detail,
    challenge: headers.get('www-authenticate'),
  };
}

describe('with keys', () => {
  test.each([undefined, '', 'Basic dXNlcjpwYXNz', 'tsr_x', 'Bearertsr_x'])('%j is no key: 401', async (header) => {
    const { make, ask } = service();
    await make();
    expect(await refusal(await ask(header))).toEqual({
      status: 401,
      code: 'authentication-required',
      detail: expect.stringContaining('Authorization: Bearer tsr_'),
      challenge: 'Bearer',
    });
  });

  test('mistyped, unknown and revoked keys have one answer, which does not repeat them', async () => {
    const { make, ask, database } = service();
    const [revoked, good] = [await make(), await make()];
    await revokeKey(database, revoked.id);
    const wrong = [
      '',
      'x',
      `${good.key} ${good.key}`,
      `${good.key},`,
      good.key.slice(1),
      good.key.toLowerCase(),
      makeApiKey(),
      revoked.key,
    ];
    const answers = await Promise.all(
      wrong.map(async (key) => {
        const answer = await ask(`Bearer ${key}`);
        return { status: answer.status, headers: [...answer.headers], body: await answer.text() };
      }),
    );
    expect(answers[0].status).toBe(401);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0].body).not.toContain('tsr_');
    expect(await refusal(await ask('Bearer x'))).toMatchObject({ code: 'invalid-key', challenge: 'Bearer' });
  });

  test('a key is looked up once in 5 seconds, and a revoked one is refused within them', async () => {
    const { make, ask, database, counts, clock } = service();
    const { id, key } = await make();
    await ask(`Bearer ${key}`);
    const before = { ...counts };
    for (let i = 0; i < 5; i++) expect((await ask(`Bearer ${key}`)).status).toBe(200);
    expect(counts).toEqual(before);
    await revokeKey(database, id);
    clock.time += 4999;
    expect((await ask(`Bearer ${key}`)).status).toBe(200); // the price of not reading
    clock.time += 1;
    expect((await ask(`Bearer ${key}`)).status).toBe(401);
    clock.time -= 3000; // a clock that is set back revives nothing
    expect((await ask(`Bearer ${key}`)).status).toBe(401);
  });
});

describe('as long as no key was ever made', () => {
  test('anybody on loopback is the tenant "default", and nobody elsewhere', async () => {
    const { ask } = service();
    for (const header of [undefined, 'Bearer x', `Bearer ${makeApiKey()}`, 'Basic x']) {
      expect(await (await ask(header)).json()).toEqual(ANYBODY);
    }
    const closed = service({ allowsOpen: false });
    expect(await refusal(await closed.ask())).toEqual({
      status: 401,
      code: 'authentication-required',
      detail: expect.stringContaining('tessera keys create'),
      challenge: 'Bearer',
    });
    expect((await closed.ask(`Bearer ${makeApiKey()}`)).status).toBe(401);
  });

  test.each([
    'localhost',
    'LOCALHOST:8787',
    'a.b-c.localhost:1',
    '127.0.0.1',
    '127.1.2.3:65535',
    '[::1]',
    '[::1]:8787',
  ])('host %s is loopback', async (host) => expect((await service().ask(undefined, { host })).status).toBe(200));

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:8787',
    '127.evil.0.1',
    '128.0.0.1',
    '1127.0.0.1',
    '[::2]',
    '::1',
    '[::1].evil.example',
    'localhost@evil.example',
    'localhost:80@evil.example',
    'localhost:',
    'localhost, evil.example',
    '.localhost',
    '0.0.0.0',
    '',
  ])('host %j is foreign: 403, against pages that have their own name lead here', async (host) => {
    expect(await refusal(await service().ask(undefined, { host }))).toEqual({
      status: 403,
      code: 'foreign-host',
      detail: expect.any(String),
      challenge: null,
    });
  });

  test('the first key closes the service within a second, and holds from its first request on', async () => {
    const { make, ask, clock } = service();
    expect((await ask()).status).toBe(200);
    const { key, id } = await make();
    expect(await (await ask(`Bearer ${key}`)).json()).toMatchObject({ tenant: 'acme', key: id });
    clock.time += 999;
    expect((await ask()).status).toBe(200);
    clock.time += 1;
    expect(await refusal(await ask())).toMatchObject({ status: 401, code: 'authentication-required' });
  });
});
