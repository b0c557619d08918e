import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { CallOptions, HostAddress } from '../../../../src/server/runtime/node/guarded-request.node.ts';
import { sendWebhook } from '../../../../src/server/runtime/node/send-webhook.node.ts';
import { PUBLIC_ONLY, readAllowedTargets } from '../../../../src/server/targets.ts';

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Listens on a free port until the test ends; sockets are cut then. */
async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port; // a TCP server that listens
}

/** A receiver that keeps what came. */
async function receiver(answer: RequestListener): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method, url: path, headers } = request;
    received.push({ method, path, headers, body: Buffer.concat(parts).toString() });
    answer(request, response);
  });
  return { port: await listen(server), received };
}

const ok: RequestListener = (_, response) => void response.end('thanks');

function allowing(text: string, options: Partial<CallOptions> = {}): ReturnType<typeof sendWebhook> {
  return sendWebhook({ allow: readAllowedTargets('TESSERA_WEBHOOK_ALLOW', text), ...options });
}

/** Posts a body, without anything else. */
function post(send: ReturnType<typeof sendWebhook>, url: string, signal = new AbortController().signal) {
  return send(url, { 'webhook-id': 'msg_1' }, '{"text":"ä"}', signal);
}

/** A lookup that says what it was told, and counts. */
function names(addresses: readonly string[]): { lookup: (host: string) => Promise<HostAddress[]>; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async lookup(host) {
      asked.push(host);
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

test('a POST of the body, with its headers, on a connection of its own', async () => {
  const { port, received } = await receiver(ok);
  const send = allowing('127.0.0.1');
  expect(await post(send, `http://127.0.0.1:${port}/in?key=1`)).toEqual({ status: 200, retryAfter: null });
  expect(received).toMatchObject([{ method: 'POST', path: '/in?key=1', body: '{"text":"ä"}' }]);
  expect(received[0].headers).toEqual({
    host: `127.0.0.1:${port}`,
    'webhook-id': 'msg_1',
    'content-type': 'application/json',
    'content-length': '13',
    'user-agent': 'Tessera',
    connection: 'close',
  });
});

test.each([
  ['the loopback address', ['127.0.0.1']],
  ['the same in IPv6', ['::1']],
  ['the same in the IPv6 form of IPv4', ['::ffff:127.0.0.1']],
  ['the machine itself', ['0.0.0.0']],
  ['a service of the cloud', ['169.254.169.254']],
  ['a private network', ['192.168.0.1']],
  ['a unique local address', ['fd00::1']],
  ['NAT64', ['64:ff9b::7f00:1']],
  ['an address with a zone', ['fe80::1%lo']],
  ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
  ['a private and a public address', ['127.0.0.1', '2606:2800:220:1::1']],
  ['no address', []],
  ['what is no address', ['localhost']],
])('a name that leads to %s is not called', async (_, addresses) => {
  const { port, received } = await receiver(ok);
  const { lookup, asked } = names(addresses);
  for (const protocol of ['http', 'https']) {
    const call = post(sendWebhook({ allow: PUBLIC_ONLY, lookup }), `${protocol}://hooks.example:${port}/`);
    await expect(call).rejects.toMatchObject({ code: 'target-refused' });
  }
  expect(asked).toHaveLength(2);
  expect(received).toEqual([]);
});

test.each([
  ['7', 7000],
  ['soon', null],
  ['', null],
])('Retry-After: %s', async (value, retryAfter) => {
  const { port } = await receiver((_, response) => void response.writeHead(503, { 'retry-after': value }).end());
  expect(await post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`)).toEqual({ status: 503, retryAfter });
});

test('an answer without end is cut off', async () => {
  let written = 0;
  let hasClosed: Promise<unknown> = Promise.resolve();
  const { port } = await receiver((_, response) => {
    hasClosed = once(response, 'close');
    const more = (): void => {
      for (let isOpen = true; isOpen && !response.destroyed; written += 65_536) {
        isOpen = response.write(Buffer.alloc(65_536));
      }
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  expect(await post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
  await hasClosed;
  expect(written).toBeLessThan(32 * 1024 * 1024); // what the system buffers
});

test('a name that leads elsewhere the second time is refused then', async () => {
  const { port, received } = await receiver(ok);
  const answers = ['127.0.0.1', '127.0.0.2'];
  const send = allowing('127.0.0.1', { lookup: async () => [{ address: answers.shift() ?? '', family: 4 }] });
  expect(await post(send, `http://hooks.example:${port}/`)).toMatchObject({ status: 200 });
  await expect(post(send, `http://hooks.example:${port}/`)).rejects.toMatchObject({ code: 'target-refused' });
  expect(received).toHaveLength(1);
});

test('a redirect is not followed', async () => {
  const secret = await receiver(ok);
  const { port, received } = await receiver((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${secret.port}/admin` }).end();
  });
  const answer = await post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/in`);
  expect(answer).toEqual({ status: 307, retryAfter: null });
  expect([received.length, secret.received]).toEqual([1, []]);
});
