import { expect, test, vi } from 'vitest';
import { fetchWebhook } from '../../../../src/server/runtime/worker/service.worker.ts';
import { deliverDue } from '../../../../src/server/webhooks/deliver.ts';
import { PUBLIC_ONLY, readAllowedTargets } from '../../../../src/server/webhooks/targets.ts';
import { webhookSecrets } from '../../../../src/store/index.ts';
import { webhookReceiver } from '../../../support/webhook-receiver.ts';
import { databaseAt, keepWebhook, rowsOf } from '../../webhooks/kept-webhooks.ts';

const allowed = readAllowedTargets('127.0.0.1');
if ('problem' in allowed) throw new Error(allowed.problem);
const LOCAL = allowed.targets;
const never = new AbortController().signal;

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
