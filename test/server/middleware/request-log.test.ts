import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LogLevel, requestId, requestLog } from '../../../src/server/middleware/request-log.ts';
import { problemOf, respond } from '../../../src/server/problem.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';

interface Line {
  readonly level: LogLevel;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

afterEach(() => vi.restoreAllMocks());

function loggedApp() {
  const lines: Line[] = [];
  const observed: unknown[][] = [];
  const clock = { time: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.time);
  const app = new Hono<ServiceEnv>();
  app.onError((error) => respond(problemOf(error)));
  app.use(requestId);
  const metrics: Parameters<typeof requestLog>[1] = {
    time: (_, labels, seconds) => observed.push([...Object.values(labels), seconds]),
  };
  app.use(requestLog((level, fields, message) => lines.push({ level, fields, message }), metrics));
  for (const probe of ['/healthz', '/metrics']) app.get(probe, (context) => context.text('ok'));
  app.use('/v1/*', async (context, next) => {
    if (context.req.header('authorization') === undefined) return respond('authentication-required');
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
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
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

  test('holds nothing that the caller wrote', async () => {
    const { ask, lines } = loggedApp();
    await ask('/v1/digests?q=secret', { method: 'POST', body: 'secret', headers: { cookie: 'secret' } });
    await ask('/v1/broken?secret', { headers: { 'x-request-id': 'secret\twith a tab' } });
    await ask('/v1/digests/dig_1?secret#secret');
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain('secret');
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
});
