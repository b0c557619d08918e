import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { STAGES } from '../../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { type Asked, askedIn, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { eventsIn, type ModelApp, modelApp, NOTES, NOTES_INTENT, type StreamEvent } from '../../support/model-app.ts';
import { answered, expectSound } from '../../support/promises.ts';
import type { Script } from '../../support/scripted-model-server.ts';

const request = { documents: CITY, intent: CITY_INTENT };

function progressOf(
  events: readonly StreamEvent[],
  stage: string,
): { done: number; total: number; document?: string }[] {
  return events
    .filter(({ event }) => event === 'progress')
    .map(({ data }) => Object(data))
    .filter((data) => data.stage === stage);
}

test.each([
  ['language models', 'llm', 'llm', 'report'],
  ['a model that extracts', 'llm', 'compose', 'bullets'],
  ['a model that writes', 'sentences', 'llm', 'brief'],
  ['the embedded engine', 'sentences', 'compose', 'report'],
] as const)(
  'by %s, a stream tells of each stage and document, then the digest that waiting gives',
  async (_, extractor, writer, format) => {
    const asked = { ...request, engine: { extractor, writer }, summary: { format } };
    const waiting = await (await modelApp(good)).digest(asked);
    const app = await modelApp(good);
    const { digest, events } = await app.streamed(asked);
    expect(answered(digest)).toEqual(answered(waiting));

    const order = events.map(({ event, data }) => (event === 'progress' ? String(Object(data).stage) : event));
    expect([...new Set(order)]).toEqual(ORDER);
    expect(events[0]).toEqual({
      id: 1,
      event: 'accepted',
      data: { id: digest.id, location: `/v1/digests/${digest.id}` },
    });
    expect(order).toEqual([...order].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
    const extracted = progressOf(events, 'extract');
    expect(extracted.map(({ document }) => document).sort()).toEqual(CITY.map(({ id }) => id).sort());
    expect(extracted.map(({ done, total }) => [done, total])).toEqual(CITY.map((_, i) => [i + 1, CITY.length]));
    for (const stage of ['encode', 'rank', 'select', 'write']) {
      const last = progressOf(events, stage).at(-1);
      expect(last?.done).toBe(last?.total);
    }
    const read = await app.app.request(`/v1/digests/${digest.id}?include=receipts`);
    expect(await read.json()).toEqual(digest);
  },
);
const ORDER = ['accepted', ...STAGES.filter((stage) => stage !== 'write'), 'sentence', 'write', 'digest'];

test('sentences are told before the model has finished', async () => {
  const begun: Script = (asked) => {
    const sentences = givenPoints(asked).flatMap((theme) => theme.map(({ text, number }) => `${text} [${number}]`));
    return { hang: 'mid-body', text: sentences.join(' ') };
  };
  const app = await modelApp(goodBut(['write'], begun));
  const response = await app.stream({ documents: NOTES, intent: NOTES_INTENT, selection: { size: { keyPoints: 6 } } });
  const events = await readUntil(response, (told) => told.filter(({ event }) => event === 'sentence').length >= 2);
  const sentences = events.filter(({ event }) => event === 'sentence').map(({ data }) => Object(data));
  expect(sentences.map(({ framing }) => framing)).toEqual([false, false]);
  expect(sentences.map(({ index }) => index)).toEqual([0, 1]);
  expect(app.server.inFlight).toBe(1);
  expect(app.server.requests).toHaveLength(4);
});

/** Reads a stream until it has told enough, or ends; then goes away. */
async function readUntil(
  response: Response,
  isEnough: (told: readonly StreamEvent[]) => boolean,
): Promise<StreamEvent[]> {
  const decoder = new TextDecoder();
  let body = '';
  for await (const piece of response.body ?? []) {
    body += decoder.decode(piece, { stream: true });
    const whole = body.slice(0, body.lastIndexOf('\n\n') + 2);
    if (isEnough(eventsIn(whole))) return eventsIn(whole);
  }
  return eventsIn(body);
}

/** What a model answers once it is let go. */
function held(asked: readonly Asked[]): { readonly script: Script; release(): void } {
  let release = (): void => {};
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  const script: Script = async (request) => {
    if (asked.includes(askedIn(request))) await promise;
    return good(request);
  };
  return { script, release };
}

async function served(app: ModelApp) {
  const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const gone = new AbortController();
  const post = (headers: Readonly<Record<string, string>>) =>
    fetch(`http://127.0.0.1:${port}/v1/digests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ documents: NOTES }),
      signal: gone.signal,
    });
  return { post, goAway: () => gone.abort() };
}

test('a caller with an idempotency key may hang up: then the same request gets the digest that is being made', async () => {
  const { script, release } = held(['extract']);
  const app = await modelApp(script);
  const key = { 'idempotency-key': 'k-1' };
  const { post, goAway } = await served(app);
  post(key).catch(() => {}); // it is ended below
  await vi.waitFor(() => expect(app.server.inFlight).toBe(3));
  goAway();
  // Its key is free again once the service has noticed.
  const { query } = app.parts.database.query;
  await vi.waitFor(async () => expect(await query.idempotencyKeys.findMany()).toMatchObject([{ owner: null }]));
  expect(app.server.inFlight).toBe(3);
  const [{ id }] = await query.digests.findMany();
  const again = app.post('/v1/digests', { documents: NOTES }, key);
  release();
  const response = await again;
  expect(response.status).toBe(201);
  expect(response.headers.get('idempotent-replayed')).toBe('true');
  const digest = Object(await response.json());
  expect(digest.id).toBe(id);
  expectSound(digest, NOTES);
  expect(await query.digests.findMany()).toHaveLength(1);
  expect(app.parts.errors).toEqual([]);
});
