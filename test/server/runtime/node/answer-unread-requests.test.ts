import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { serve } from '@hono/node-server';
import { expect, onTestFinished, test } from 'vitest';
import { problemSchema } from '../../../../src/contract/index.ts';
import { answerUnreadRequests } from '../../../../src/server/runtime/node/serve.node.ts';
import { testApp } from '../../../support/test-deps.ts';

/** The service at a port of its own until the test ends. */
async function listening(): Promise<number> {
  const { app } = testApp();
  app.get('/slow', () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('begun')) })));
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  answerUnreadRequests(server);
  await once(server, 'listening');
  onTestFinished(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port; // a TCP server that listens
}

/** Everything that is answered to bytes, until the connection is closed. */
async function answerTo(port: number, ...parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const answer = text(socket);
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return answer;
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const LARGE = get('/healthz', `X-Large: ${'x'.repeat(20_000)}\r\n`);

test.each([
  ['headers that are too large', LARGE, 431, 'headers-too-large'],
  ['an address that is too long', get(`/v1/digests?cursor=${'x'.repeat(20_000)}`), 431, 'headers-too-large'],
  ['what is no request', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400, 'malformed-request'],
])('%s: a problem', async (_, bytes, status, code) => {
  const answer = await answerTo(await listening(), bytes);
  const [head, body] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toContain('Content-Type: application/problem+json');
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(problemSchema.strict().parse(JSON.parse(body))).toMatchObject({ type: `urn:tessera:problem:${code}`, status });
});

test('on a connection that was answered before, too', async () => {
  const answer = await answerTo(await listening(), get('/healthz'), LARGE);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 431']);
});

test('an answer under way is not written into', async () => {
  const answer = await answerTo(await listening(), get('/slow'), 'nonsense\r\n\r\n');
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(answer).toContain('begun');
  expect(answer).not.toContain('problem');
});
