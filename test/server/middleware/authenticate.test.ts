import { Hono } from 'hono';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { authenticate } from '../../../src/server/middleware/authenticate.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { makeApiKey } from '../../../src/store/api-keys.ts';
import { type Connection, createKey, revokeKey, SCOPES } from '../../../src/store/index.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

/** An app that answers who asks. */
function service({ allowsOpen = true }: { readonly allowsOpen?: boolean } = {}) {
  const database: Connection = memoryDatabase();
  const app = new Hono<ServiceEnv>()
    .use(authenticate({ database, allowsOpen }))
    .all('/', (context) => context.json(context.var.caller));
  return {
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

test('a revoked key is refused at once', async () => {
  const { make, ask, database } = service();
  const { id, key } = await make();
  expect((await ask(`Bearer ${key}`)).status).toBe(200);
  await revokeKey(database, id);
  expect((await ask(`Bearer ${key}`)).status).toBe(401);
});

test('a key that is revoked while its call is waited for gets no answer', async () => {
  const { make, ask, database } = service();
  const { id, key } = await make();
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(2000);
  onTestFinished(() => clock.mockRestore());
  expect((await ask(`Bearer ${key}`)).status).toBe(200);
  clock.mockReturnValueOnce(0).mockImplementationOnce(() => {
    void revokeKey(database, id);
    return 2000;
  });
  expect((await refusal(await ask(`Bearer ${key}`))).slice(0, 2)).toEqual([401, 'invalid-key']);
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

  test('the first key closes the service at once, and holds from its first request on', async () => {
    const { make, ask } = service();
    expect((await ask()).status).toBe(200);
    const { key, id } = await make();
    expect(await (await ask(`Bearer ${key}`)).json()).toMatchObject({ tenant: 'acme', key: id });
    expect((await ask()).status).toBe(401);
  });
});
