import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import {
  type HostAddress,
  type SendOptions,
  sendWebhook,
} from '../../../../src/server/runtime/node/send-webhook.node.ts';
import { PUBLIC_ONLY, readAllowedTargets } from '../../../../src/server/webhooks/allowed-targets.ts';
import { deliverWebhook } from '../../../../src/server/webhooks/deliver-webhook.ts';
import { claimWebhooks, webhookSecrets } from '../../../../src/store/index.ts';
import { databaseAt, keepWebhook, rowsOf } from '../../webhooks/kept-webhooks.ts';

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

function allowing(text: string, options: Partial<SendOptions> = {}): ReturnType<typeof sendWebhook> {
  const read = readAllowedTargets(text);
  if ('problem' in read) throw new Error(read.problem);
  return sendWebhook({ allow: read.targets, ...options });
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

test('a host that is allowed by name or by its address', async () => {
  const { port, received } = await receiver(ok);
  const { lookup, asked } = names(['127.0.0.1']);
  for (const send of [allowing('hooks.example', { lookup }), allowing('127.0.0.0/8', { lookup })]) {
    expect(await post(send, `http://hooks.example:${port}/`)).toMatchObject({ status: 200 });
  }
  expect(asked).toEqual(['hooks.example', 'hooks.example']); // once a call: what was checked is what is called
  expect(received).toHaveLength(2);
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

test('a name that leads elsewhere the second time is refused then', async () => {
  const { port, received } = await receiver(ok);
  const answers = ['127.0.0.1', '127.0.0.2'];
  const send = allowing('127.0.0.1', { lookup: async () => [{ address: answers.shift() ?? '', family: 4 }] });
  expect(await post(send, `http://hooks.example:${port}/`)).toMatchObject({ status: 200 });
  await expect(post(send, `http://hooks.example:${port}/`)).rejects.toMatchObject({ code: 'target-refused' });
  expect(received).toHaveLength(1);
});

test.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', '0', 'localhost'])(
  'what should not have been accepted is not called: %s',
  async (host) => {
    const { port, received } = await receiver(ok);
    const send = sendWebhook({ allow: PUBLIC_ONLY });
    await expect(post(send, `http://${host}:${port}/`)).rejects.toMatchObject({ code: 'target-refused' });
    await expect(post(send, `ftp://${host}:${port}/`)).rejects.toMatchObject({ code: 'target-refused' });
    await expect(post(send, 'nonsense')).rejects.toMatchObject({ code: 'target-refused' });
    expect(received).toEqual([]);
  },
);

test.each([301, 302, 303, 307, 308])('a redirect is the answer, not a way: %i', async (status) => {
  const secret = await receiver(ok);
  const { port } = await receiver((_, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${secret.port}/admin` }).end();
  });
  expect(await post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`)).toMatchObject({ status });
  expect(secret.received).toEqual([]);
});

test.each([
  ['7', 7000],
  ['soon', null],
  ['', null],
])('Retry-After: %s', async (value, retryAfter) => {
  const { port } = await receiver((_, response) => void response.writeHead(503, { 'retry-after': value }).end());
  expect(await post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`)).toEqual({ status: 503, retryAfter });
});

test('a receiver that does not answer is given up in time', async () => {
  const { port } = await receiver(() => {});
  const call = post(allowing('127.0.0.1', { timeoutMilliseconds: 40 }), `http://127.0.0.1:${port}/`);
  await expect(call).rejects.toMatchObject({ code: 'timeout' });
});

test('so is a name that is looked up for ever', async () => {
  const send = sendWebhook({ allow: PUBLIC_ONLY, timeoutMilliseconds: 40, lookup: () => new Promise(() => {}) });
  await expect(post(send, 'http://hooks.example/')).rejects.toMatchObject({ code: 'timeout' });
});

test('a caller may end it', async () => {
  const { port, received } = await receiver(() => controller.abort());
  const controller = new AbortController();
  const call = post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`, controller.signal);
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(received).toHaveLength(1);
});

test('a status that came counts, though the body never ends', async () => {
  const { port } = await receiver((_, response) => void response.writeHead(202).write('...'));
  const call = post(allowing('127.0.0.1', { timeoutMilliseconds: 60 }), `http://127.0.0.1:${port}/`);
  expect(await call).toEqual({ status: 202, retryAfter: null });
});

test('a status that came counts, though the connection breaks', async () => {
  const { port } = await receiver((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('...', () => response.destroy());
  });
  expect(await post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
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

test.each([
  ['closes the connection', '', 'ECONNRESET'],
  ['speaks something else', 'SSH-2.0-OpenSSH_9.6\r\n', 'HPE_INVALID_CONSTANT'],
  [
    'wants another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'no-answer',
  ],
])('a receiver that %s has not answered', async (_, words, code) => {
  const port = await listen(createSocketServer((socket) => socket.once('data', () => socket.end(words))));
  await expect(post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code });
});

test('nobody there', async () => {
  const server = createSocketServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens
  server.close();
  await once(server, 'close');
  const call = post(allowing('127.0.0.1'), `http://127.0.0.1:${port}/`);
  await expect(call).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

/** Made for this test, for `hooks.internal`; nobody trusts it. */
const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0gjiTxpLNYQemuzn
luTKpAfg2D716EokuJQaNFErVLehRANCAARy353lu6PCPHwDFsav8+h+kcw6n3DB
wXE13Hu0J9X+9ArpS0pAABx5JapG0C3S3xNS2IZwyfAbbvcMEKIXqsvU
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBpDCCAUqgAwIBAgIUVbkmCZ82LNnj/xMW1gAIE/0wE1swCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOaG9va3MuaW50ZXJuYWwwIBcNMjYxMTIxMTcyMzI1WhgPMjEy
NjEwMjgxNzIzMjVaMBkxFzAVBgNVBAMMDmhvb2tzLmludGVybmFsMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEct+d5bujwjx8AxbGr/PofpHMOp9wwcFxNdx7tCfV
/vQK6UtKQAAceSWqRtAt0t8TUtiGcMnwG273DBCiF6rL1KNuMGwwHQYDVR0OBBYE
FAFfovpK0uUYuNYoD6vEiU+d1h8kMB8GA1UdIwQYMBaAFAFfovpK0uUYuNYoD6vE
iU+d1h8kMA8GA1UdEwEB/wQFMAMBAf8wGQYDVR0RBBIwEIIOaG9va3MuaW50ZXJu
YWwwCgYIKoZIzj0EAwIDSAAwRQIhAKDtR//CcEEz/GM0FwTgMEx7mzSt5bvxGL5I
/lOHZrkCAiARpqy6zFoabWMZ0ebwC/BEYdlSkW8Enje8qy9MhFfDVA==
-----END CERTIFICATE-----`,
};

test('a server whose certificate nobody vouches for is not told anything', async () => {
  let calls = 0;
  const port = await listen(
    createSecureServer(SELF_SIGNED, (_, response) => {
      calls += 1;
      response.end();
    }),
  );
  const send = allowing('hooks.internal', names(['127.0.0.1']));
  const call = post(send, `https://hooks.internal:${port}/`);
  await expect(call).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(calls).toBe(0);
});

test('from the database to a receiver that verifies, by way of one that is busy', async () => {
  const clock = { now: Date.now() };
  const connection = databaseAt(clock);
  const [secret] = await webhookSecrets(connection);
  const statuses = [503, 200];
  const { port, received } = await receiver((_, response) => void response.writeHead(statuses.shift() ?? 500).end());
  await keepWebhook(connection, 'dig_a', { url: `http://127.0.0.1:${port}/in` });
  const parts = { connection, send: allowing('127.0.0.1'), random: () => 0.5 };
  for (const wait of [0, 5000]) {
    clock.now += wait;
    for (const webhook of await claimWebhooks(connection, 8, 60_000)) await deliverWebhook(parts, webhook);
  }
  expect(received).toHaveLength(2);
  for (const { body, headers } of received) {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(secret).verify(body, given)).toEqual({ of: 'dig_a' });
    expect(given['webhook-id']).toBe('msg_a');
  }
  expect(await rowsOf(connection)).toMatchObject([{ state: 'delivered', outcome: '200', attempt: 2 }]);
});
