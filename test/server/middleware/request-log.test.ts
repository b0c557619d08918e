import fc from 'fast-check';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { describe, expect, test } from 'vitest';
import { problem, respond } from '../../../src/server/index.ts';
import { observe } from '../../../src/server/middleware/observe.ts';
import { requestId } from '../../../src/server/middleware/request-id.ts';
import { type LogLevel, requestLog } from '../../../src/server/middleware/request-log.ts';
import { serverTiming } from '../../../src/server/middleware/server-timing.ts';
import { problemOf } from '../../../src/server/problem.ts';
import type { ServiceEnv } from '../../../src/server/service-env.ts';

interface Line {
  readonly level: LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function loggedApp({ paths = false }: { readonly paths?: boolean } = {}) {
  const lines: Line[] = [];
  const observed: unknown[][] = [];
  const clock = { time: 0 };
  const now = () => clock.time;
  let made = 0;
  const app = new Hono<ServiceEnv>();
  app.onError((error) => respond(problemOf(error)));
  app.notFound(() => respond(problem(404, 'not-found', 'Not found', 'Nothing here.')));
  app.use(requestId(() => `made-${++made}`));
  app.use(requestLog({ log: (level, fields, message) => lines.push({ level, fields, message }), paths, now }));
  app.use(observe({ request: (...values) => observed.push(values) }, now));
  for (const probe of ['/healthz', '/metrics']) app.get(probe, (context) => context.text('ok'));
  app.use('/v1/*', async (context, next) => {
    if (context.req.header('authorization') === undefined) return respond(problem(401, 'no-key', 'No key', 'No key.'));
    context.set('caller', { tenant: 'acme', key: 'key_1', scopes: [] });
    return next();
  });
  const routes = new Hono<ServiceEnv>()
    .get('/v1/digests/:id', (context) => context.json({ id: context.req.param('id') }))
    .get('/v1/digests/:id{[0-9]+}/parts/:part?', (context) => context.text('part'))
    .post('/v1/digests', (context) => {
      clock.time += 12.34;
      return context.json({}, 201);
    })
    .get('/v1/counted', (context) => context.body('four', 200, { 'content-length': '4' }))
    .get('/v1/broken', () => {
      throw new Error('the secret broke');
    })
    .get('/v1/stream', (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ data: String(lines.length) });
      }),
    );
  app.route('/', routes);
  const ask = async (path: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { authorization: 'Bearer secret', ...init.headers } });
  return { app, ask, lines, observed };
}

describe('the log', () => {
  test('has one line for a request', async () => {
    const { ask, lines } = loggedApp();
    await ask('/v1/digests', { method: 'POST', body: '{}' });
    expect(lines).toEqual([
      {
        level: 'info',
        fields: {
          requestId: 'made-1',
          method: 'POST',
          route: '/v1/digests',
          status: 201,
          milliseconds: 12.3,
          tenant: 'acme',
          key: 'key_1',
        },
        message: 'request',
      },
    ]);
  });

  test.each([
    ['/healthz', 'debug', 200, '/healthz'],
    ['/metrics', 'debug', 200, '/metrics'],
    ['/v1/digests/dig_1', 'info', 200, '/v1/digests/{id}'],
    ['/v1/digests/12/parts/3', 'info', 200, '/v1/digests/{id}/parts/{part}'],
    ['/v1/digests/12/parts', 'info', 200, '/v1/digests/{id}/parts/{part}'],
    ['/v1/nowhere', 'info', 404, 'other'],
    ['/v1/digests/a/b/c', 'info', 404, 'other'],
    ['/v1/broken', 'error', 500, '/v1/broken'],
  ])('%s at level %s', async (path, level, status, route) => {
    const { ask, lines } = loggedApp();
    await ask(path);
    expect(lines).toMatchObject([{ level, fields: { status, route } }]);
  });

  test('says nothing of a caller that was not let in', async () => {
    const { app, lines } = loggedApp();
    await app.request('/v1/digests/dig_1');
    expect(lines).toMatchObject([{ level: 'info', fields: { status: 401, route: '/v1/digests/{id}' } }]);
    expect(lines[0].fields).not.toHaveProperty('tenant');
    expect(lines[0].fields).not.toHaveProperty('key');
  });

  test('has the size where the response says it, and when it was a stream', async () => {
    const { ask, lines } = loggedApp();
    await ask('/v1/counted');
    await ask('/v1/stream').then((response) => response.text());
    await ask('/v1/digests/dig_1');
    expect(lines.map(({ fields: { bytes, streamed } }) => [bytes, streamed])).toEqual([
      [4, undefined],
      [undefined, true],
      [undefined, undefined],
    ]);
  });

  test('holds nothing that the caller wrote', async () => {
    for (const paths of [false, true]) {
      const { ask, lines } = loggedApp({ paths });
      await ask('/v1/digests?q=secret', { method: 'POST', body: 'secret', headers: { cookie: 'secret' } });
      await ask('/v1/broken?secret', { headers: { 'x-request-id': 'secret\twith a tab' } });
      await ask('/v1/digests/dig_1?secret#secret');
      expect(lines).toHaveLength(3);
      expect(JSON.stringify(lines)).not.toContain('secret');
    }
  });

  test('has the path with its ids only where that is asked for', async () => {
    for (const paths of [false, true]) {
      const { ask, lines } = loggedApp({ paths });
      await ask('/v1/digests/dig_77?x=1');
      expect(lines[0].fields.path).toBe(paths ? '/v1/digests/dig_77' : undefined);
      expect(JSON.stringify(lines).includes('dig_77')).toBe(paths);
    }
  });
});

describe('the request id', () => {
  const idOf = ({ headers }: Response) => headers.get('x-request-id');

  test.each(['/healthz', '/v1/digests/dig_1', '/v1/broken', '/v1/nowhere', '/v1/stream', '/elsewhere'])(
    'is on the response of %s',
    async (path) => {
      const { ask, lines } = loggedApp();
      const response = await ask(path, { headers: { 'x-request-id': 'mine:1.2-3_x' } });
      expect(idOf(response)).toBe('mine:1.2-3_x');
      expect(lines[0].fields.requestId).toBe('mine:1.2-3_x');
      await response.text();
    },
  );

  test('is made where the caller has none that is fit for logs', async () => {
    const { ask } = loggedApp();
    const given = async (id: string) => idOf(await ask('/healthz', { headers: { 'x-request-id': id } }));
    expect(await given('a'.repeat(128))).toBe('a'.repeat(128));
    expect(await given('a'.repeat(129))).toBe('made-1');
    expect(await given('')).toBe('made-2');
    expect(await given('a b')).toBe('made-3');
    expect(await given('"a"')).toBe('made-4');
    expect(await given('ü')).toBe('made-5');
    expect(await given('one, two')).toBe('made-6');
  });

  test('is a random UUID', async () => {
    const app = new Hono<ServiceEnv>().use(requestId()).get('/', (context) => context.text(context.var.requestId));
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.request('/')));
    for (const answer of answers) {
      expect(idOf(answer)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(await answer.text()).toBe(idOf(answer));
    }
    expect(new Set(answers.map(idOf)).size).toBe(20);
  });
});

describe('what is observed', () => {
  test('is method, route, status and seconds', async () => {
    const { ask, observed } = loggedApp();
    await ask('/v1/digests', { method: 'POST' });
    await ask('/v1/digests/dig_1', { method: 'HEAD' });
    await ask('/v1/broken');
    expect(observed).toEqual([
      ['POST', '/v1/digests', 201, expect.closeTo(0.01234, 9)],
      ['HEAD', '/v1/digests/{id}', 200, 0],
      ['GET', '/v1/broken', 500, 0],
    ]);
  });

  test('has few names, whatever is asked for', async () => {
    const { ask, observed } = loggedApp();
    await fc.assert(
      fc.asyncProperty(fc.webPath(), fc.stringMatching(/^[A-Z]{3,9}$/), async (path, method) => {
        fc.pre(!['CONNECT', 'TRACE', 'TRACK'].includes(method)); // refused by fetch
        await ask(path || '/', { method });
        await ask(`/v1/digests/${encodeURIComponent(path)}x`);
      }),
      { numRuns: 200 },
    );
    expect(observed.length).toBeGreaterThan(300);
    expect(new Set(observed.map(([method, route]) => `${method} ${route}`)).size).toBeLessThanOrEqual(16);
  });
});

describe('serverTiming', () => {
  test('lists the stages and the total', () => {
    expect(serverTiming({ extract: 1.2, encode: 2, rank: 0 })).toBe('extract;dur=1.2, encode;dur=2, rank;dur=0');
    expect(serverTiming({ write: 0.04999 }, 1234.56)).toBe('write;dur=0, total;dur=1234.6');
    expect(serverTiming({})).toBe('');
  });

  test('is a header, whatever the names', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.double({ min: 0, max: 1e9, noNaN: true })),
        (timings) => {
          const header = new Headers({ 'server-timing': serverTiming(timings) }).get('server-timing') ?? '';
          const entries = header === '' ? [] : header.split(', ');
          expect(entries).toHaveLength(Object.keys(timings).length);
          for (const entry of entries) expect(entry).toMatch(/^[\w!#$%&'*+.^`|~-]+;dur=\d+(\.\d)?$/);
        },
      ),
    );
  });
});
