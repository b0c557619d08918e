import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type HostAddress, sendWebhook } from '../../../src/server/runtime/node/send-webhook.node.ts';
import { PUBLIC_ONLY, readAllowedTargets } from '../../../src/server/webhooks/allowed-targets.ts';
import { deliverDue } from '../../../src/server/webhooks/deliver-due.ts';
import { databaseAt, keepWebhook, rowsOf } from './kept-webhooks.ts';

/** Stands for the public network: no test can reach that. */
const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';
const DAY = 24 * 60 * 60 * 1000;

/** The answer of a name server to a question for addresses of IPv4, with nothing to be kept. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const end = question.indexOf(0, 12) + 5; // the name, its type and its class
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.fill(0, 8, 12);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, question.subarray(12, end), ...records]);
}

/** A name server of this test: each question is answered by the next of the answers, and by the last for ever. */
async function nameServer(...answers: readonly (readonly string[])[]) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, { port, address }) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(answer.join());
    socket.send(answerTo(question, answer), port, address);
  });
  socket.bind(0, PRIVATE);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const resolver = new Resolver();
  resolver.setServers([`${PRIVATE}:${socket.address().port}`]);
  const lookup = async (host: string): Promise<HostAddress[]> =>
    (await resolver.resolve4(host)).map((address) => ({ address, family: 4 }));
  return { lookup, asked };
}

/** A receiver at an address, and a free port unless one is named; counts what comes, with the host that was asked for. */
async function receiver(address: string, answer: RequestListener, port = 0) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.headers.host}${request.url}`);
    request.resume();
    answer(request, response);
  });
  server.listen(port, address);
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { port: (server.address() as AddressInfo).port, received }; // a TCP server that listens
}

const ok: RequestListener = (_, response) => void response.writeHead(204).end();
const busy: RequestListener = (_, response) => void response.writeHead(503).end();

/** A message to an address, and attempts at it, each a day after the one before. */
async function message(url: string, lookup?: (host: string) => Promise<HostAddress[]>, allow = '') {
  const clock = { now: Date.now() };
  const connection = databaseAt(clock);
  await keepWebhook(connection, 'dig_a', { url });
  const read = readAllowedTargets(allow);
  if ('problem' in read) throw new Error(read.problem);
  const send = sendWebhook({ allow: allow === '' ? PUBLIC_ONLY : read.targets, ...(lookup && { lookup }) });
  const attempt = async (): Promise<{ state: string; outcome: string | null; attempt: number }> => {
    await deliverDue({ connection, send }, 8);
    clock.now += DAY * 1.2;
    const [row] = await rowsOf(connection);
    return row;
  };
  return { attempt };
}

test('a redirect is not followed in any of ten attempts, and then it is given up', async () => {
  const secret = await receiver(PRIVATE, ok);
  const { port, received } = await receiver(PUBLIC, (_, response) => {
    response.writeHead(307, { location: `http://${PRIVATE}:${secret.port}/admin` }).end();
  });
  const { attempt } = await message(`http://${PUBLIC}:${port}/in`, undefined, PUBLIC);
  for (let n = 1; n < 10; n++) expect(await attempt()).toMatchObject({ state: 'waiting', outcome: '307', attempt: n });
  expect(await attempt()).toMatchObject({ state: 'failed', outcome: '307', attempt: 10 });
  expect([received.length, secret.received]).toEqual([10, []]);
});

test.each([[[PRIVATE]], [[PUBLIC, PRIVATE]], [['10.0.0.8', PUBLIC]], [['169.254.169.254']]])(
  'a name that leads to %j is not called',
  async (addresses) => {
    const { lookup, asked } = await nameServer(addresses);
    const { port, received } = await receiver(PRIVATE, ok);
    const open = await receiver(PUBLIC, ok, port);
    const { attempt } = await message(`http://hooks.example:${port}/in`, lookup, PUBLIC);
    expect(await attempt()).toMatchObject({ state: 'waiting', outcome: 'target-refused' });
    expect([asked.length, received, open.received]).toEqual([1, [], []]);
  },
);

test('a name that leads to a public address first and to a private one from then on is called once, at the first', async () => {
  const { lookup, asked } = await nameServer([PUBLIC], [PRIVATE]);
  const open = await receiver(PUBLIC, busy);
  const hidden = await receiver(PRIVATE, ok, open.port);
  const host = `rebound.example:${open.port}`;
  const { attempt } = await message(`http://${host}/in`, lookup, PUBLIC);
  expect(await attempt()).toMatchObject({ state: 'waiting', outcome: '503', attempt: 1 });
  for (const n of [2, 3]) expect(await attempt()).toMatchObject({ outcome: 'target-refused', attempt: n });
  expect(asked).toEqual([PUBLIC, PRIVATE, PRIVATE]); // once an attempt: what was checked is what is called
  expect([open.received, hidden.received]).toEqual([[`${host}/in`], []]);
});

test('where the address that was checked does not answer, no other is looked up', async () => {
  const { lookup, asked } = await nameServer([PUBLIC], [PRIVATE]);
  const hidden = await receiver(PRIVATE, ok); // nobody listens at this port of the public address
  const { attempt } = await message(`http://rebound.example:${hidden.port}/in`, lookup, PUBLIC);
  expect(await attempt()).toMatchObject({ state: 'waiting', outcome: 'ECONNREFUSED' });
  expect([asked, hidden.received]).toEqual([[PUBLIC], []]);
});
