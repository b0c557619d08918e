import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchWebhook } from '../../../../src/server/runtime/worker/service.worker.ts';
import { PUBLIC_ONLY, readAllowedTargets } from '../../../../src/server/webhooks/allowed-targets.ts';
import { deliverDue } from '../../../../src/server/webhooks/deliver-due.ts';
import type { WebhookReport } from '../../../../src/server/webhooks/deliver-webhook.ts';
import { webhookSecrets } from '../../../../src/store/index.ts';
import { webhookReceiver } from '../../../support/webhook-receiver.ts';
import { databaseAt, keepWebhook, rowsOf } from '../../webhooks/kept-webhooks.ts';

const allowed = readAllowedTargets('127.0.0.1');
if ('problem' in allowed) throw new Error(allowed.problem);
const LOCAL = allowed.targets;
const never = new AbortController().signal;

/** Listens on a free port until the test ends. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server that listens
}

test('a signed message reaches its receiver', async () => {
  const connection = databaseAt({ now: Date.now() });
  const [secret] = await webhookSecrets(connection);
  const receiver = await webhookReceiver({ secret });
  const payload = JSON.stringify({ type: 'digest.completed', data: { id: 'dig_a', name: 'Zürich 👩‍🔧' } });
  await keepWebhook(connection, 'dig_a', { url: receiver.url, payload });
  await deliverDue({ connection, send: fetchWebhook(LOCAL) }, 10);
  expect(receiver.wrong).toEqual([]);
  expect(receiver.received).toMatchObject([{ id: 'msg_a', digest: 'dig_a', body: payload, status: 204 }]);
  expect(await rowsOf(connection)).toMatchObject([{ state: 'delivered', outcome: '204' }]);
});

test('method, headers and body go as they are, and nothing of ours beside them', async () => {
  const post = vi.fn<typeof fetch>(async () => new Response(null, { status: 202 }));
  const headers = { 'webhook-id': 'msg_a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
  const send = fetchWebhook(PUBLIC_ONLY, post);
  expect(await send('https://hooks.example/in?key=1', headers, '{}', never)).toEqual({ status: 202, retryAfter: null });
  expect(post.mock.calls).toEqual([
    [
      'https://hooks.example/in?key=1',
      {
        method: 'POST',
        redirect: 'manual',
        signal: never,
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Tessera' },
        body: '{}',
      },
    ],
  ]);
});

test.each([301, 302, 303, 307, 308])('a redirect is not followed: %d', async (status) => {
  const paths: (string | undefined)[] = [];
  const url = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  expect(await fetchWebhook(LOCAL)(`${url}/in`, {}, '{}', never)).toMatchObject({ status });
  expect(paths).toEqual(['/in']);
});

test.each([
  'http://127.0.0.1/in',
  'http://2130706433/in',
  'http://0x7f.1/in',
  'http://[::1]/in',
  'http://[::ffff:10.0.0.1]/in',
  'https://10.1.2.3/in',
  'https://169.254.169.254/latest',
  'https://localhost/in',
  'https://db.internal/in',
  'https://name:word@hooks.example/in',
  'ftp://hooks.example/in',
])('%s is refused before anything is sent', async (url) => {
  const post = vi.fn<typeof fetch>();
  await expect(fetchWebhook(PUBLIC_ONLY, post)(url, {}, '{}', never)).rejects.toMatchObject({ code: 'target-refused' });
  expect(post).not.toHaveBeenCalled();
});

test('a call that fails is named without its address', async () => {
  const connection = databaseAt();
  const reports: WebhookReport[] = [];
  const errors: unknown[] = [];
  await keepWebhook(connection, 'dig_a', { url: 'https://hooks.example/in/path-key?key=query-key' });
  const post: typeof fetch = async (url) => {
    throw new TypeError(`fetch of ${url} failed`, { cause: new Error(String(url)) });
  };
  await deliverDue(
    {
      connection,
      send: fetchWebhook(PUBLIC_ONLY, post),
      report: (report) => reports.push(report),
      reportError: (error) => errors.push(error),
    },
    10,
  );
  expect(reports).toMatchObject([{ origin: 'https://hooks.example', state: 'waiting', outcome: 'network-failure' }]);
  expect(errors).toEqual([]);
  const [{ url: _, ...row }] = await rowsOf(connection);
  expect(JSON.stringify([reports, row])).not.toMatch(/path-key|query-key/);
});

test('a call that nobody waits for any more is ended', async () => {
  const controller = new AbortController();
  let isCut = false;
  const url = await listen((_, response) => {
    response.on('close', () => {
      isCut = true;
    });
    controller.abort();
  });
  await expect(fetchWebhook(LOCAL)(url, {}, '{}', controller.signal)).rejects.toThrow(/abort/i);
  await vi.waitFor(() => expect(isCut).toBe(true));
});

test('a receiver that hangs is given up after the time an attempt may take', async () => {
  const connection = databaseAt();
  let signal: AbortSignal | null | undefined;
  await keepWebhook(connection, 'dig_a');
  const post: typeof fetch = (_, init) => {
    signal = init?.signal;
    return new Promise(() => {});
  };
  await deliverDue({ connection, send: fetchWebhook(PUBLIC_ONLY, post), timeoutMilliseconds: 20 }, 10);
  expect(await rowsOf(connection)).toMatchObject([{ state: 'waiting', outcome: 'timeout', attempt: 1 }]);
  expect(signal?.aborted).toBe(true);
});

test('the body of an answer is not read, and its end does not matter', async () => {
  let cancelled = 0;
  const body = (cancel: () => void) =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024)), // without an end
      cancel,
    });
  const answers = [
    new Response(
      body(() => cancelled++),
      { status: 503, headers: { 'retry-after': '7' } },
    ),
    new Response(
      body(() => {
        throw new Error('the connection was lost');
      }),
      { status: 200 },
    ),
  ];
  const send = fetchWebhook(PUBLIC_ONLY, async () => answers.shift() ?? Response.error());
  expect(await send('https://hooks.example', {}, '{}', never)).toEqual({ status: 503, retryAfter: 7_000 });
  expect(cancelled).toBe(1);
  expect(await send('https://hooks.example', {}, '{}', never)).toEqual({ status: 200, retryAfter: null });
});
