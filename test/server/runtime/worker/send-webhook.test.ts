import { expect, test } from 'vitest';
import { fetchWebhook } from '../../../../src/server/runtime/worker/service.worker.ts';
import { PUBLIC_ONLY } from '../../../../src/server/targets.ts';
import { deliverDue } from '../../../../src/server/webhooks/deliver.ts';
import { databaseAt, keepWebhook, rowsOf } from '../../webhooks/kept-webhooks.ts';

const never = new AbortController().signal;

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
