import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { givenPoints, good, goodBut } from '../../support/good-model.ts';
import { eventsIn, modelApp, NOTES, NOTES_INTENT, type StreamEvent } from '../../support/model-app.ts';
import { answered, expectSound } from '../../support/promises.ts';
import type { Script } from '../../support/scripted-model-server.ts';
import { testApp } from '../../support/test-parts.ts';

const request = { documents: CITY, intent: CITY_INTENT };
const hang: Script = () => ({ hang: 'before-headers' });

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
  ['language models', 'llm', 'llm'],
  ['a model that extracts', 'llm', 'compose'],
  ['a model that writes', 'sentences', 'llm'],
  ['the embedded engine', 'sentences', 'compose'],
] as const)(
  'by %s, a stream tells of each stage and document, then the digest that waiting gives',
  async (_, extractor, writer) => {
    for (const format of ['report', 'bullets'] as const) {
      const asked = { ...request, engine: { extractor, writer }, summary: { format } };
      const waiting = await (await modelApp(good)).digest(asked);
      const app = await modelApp(good);
      const { digest, events } = await app.streamed(asked);
      expect(answered(digest)).toEqual(answered(waiting));

      const order = events.map(({ event, data }) => (event === 'progress' ? String(Object(data).stage) : event));
      expect([...new Set(order)]).toEqual(['extract', 'encode', 'rank', 'select', 'sentence', 'write', 'digest']);
      expect(order).toEqual([...order].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
      const extracted = progressOf(events, 'extract');
      expect(extracted.map(({ document }) => document).sort()).toEqual(CITY.map(({ id }) => id).sort());
      expect(extracted.map(({ done, total }) => [done, total])).toEqual(CITY.map((_, i) => [i + 1, CITY.length]));
      for (const stage of ['encode', 'rank', 'select', 'write']) {
        const last = progressOf(events, stage).at(-1);
        expect(last?.done).toBe(last?.total);
      }
      const read = await app.app.request(`/v1/digests/${digest.id}`);
      expect(await read.json()).toEqual(digest);
    }
  },
);
const ORDER = ['extract', 'encode', 'rank', 'select', 'sentence', 'write', 'digest'];

test('a writer that fails for good is told of as waiting has it, also where sources differ', async () => {
  const documents = [
    { id: 'a', text: 'The festival drew 2 million visitors to the city in June.' },
    { id: 'b', text: 'The festival drew 3 million visitors to the city in June.' },
    { id: 'c', text: 'Forty new drivers are needed before the tram line can open.' },
  ];
  const asked = { documents, engine: { extractor: 'sentences' } } as const;
  const failing = goodBut(['write'], () => ({ status: 500 }));
  const waiting = await (await modelApp(failing)).digest(asked);
  const { digest } = await (await modelApp(failing)).streamed(asked);
  expect(waiting.summary.text).toMatch(/(?:Sources|Speakers) differ/);
  expect(answered(digest)).toEqual(answered(waiting));
});

test('sentences are told before the model has finished', async () => {
  const begun: Script = (asked) => {
    const sentences = givenPoints(asked).flatMap((theme) => theme.map(({ text, number }) => `${text} [${number}]`));
    return { hang: 'mid-body', text: sentences.join(' ') };
  };
  const app = await modelApp(goodBut(['write'], begun));
  const response = await app.stream({ documents: NOTES, intent: NOTES_INTENT });
  const told: unknown[] = [];
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    const events = eventsIn(decoder.decode(piece)).filter(({ event }) => event === 'sentence');
    told.push(...events.map(({ data }) => Object(data).framing));
    if (told.length === 3) break;
  }
  expect(told).toEqual([true, false, false]);
  await vi.waitFor(() => expect(app.server.inFlight).toBe(0));
  expect(app.server.requests).toHaveLength(4);
});

test('comments keep the connection open while a model does not answer', async () => {
  const { parts } = await modelApp(goodBut(['extract'], hang), { model: { callMilliseconds: 800, random: () => 0 } });
  const streamParts = { ...parts, heartbeatMilliseconds: 50 };
  const app = createApp(streamParts);
  const response = await app.request('/v1/digests', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ documents: NOTES }),
  });
  const body = await response.text();
  const first = body.split('event: ')[0];
  expect(first.match(/^: .+\n\n/gm)?.length).toBeGreaterThan(2);
  expect(eventsIn(body).at(-1)).toMatchObject({ event: 'digest', data: { status: 'failed' } });
});

test('a client that goes away ends the calls, and nothing is stored', async () => {
  const app = await modelApp(goodBut(['write'], hang));
  const response = await app.stream({ documents: NOTES, intent: NOTES_INTENT });
  await vi.waitFor(() => expect(app.server.requests).toHaveLength(4));
  expect(app.server.inFlight).toBe(1);
  await response.body?.cancel();
  await vi.waitFor(() => expect(app.server.inFlight).toBe(0));
  // The digest would be stored by now, were it not given up.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(app.server.requests).toHaveLength(4);
  expect(await app.parts.database.query.query.digests.findMany()).toEqual([]);
  expect(app.parts.errors).toEqual([]);
});

test.each(['text/event-stream', 'application/json'])('nor does a client whose socket closes, of %s', async (accept) => {
  const app = await modelApp(goodBut(['extract'], hang));
  const server = serve({ fetch: app.app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  onTestFinished(() => void server.close());
  if (!server.listening) await once(server, 'listening');
  const gone = new AbortController();
  const { port } = server.address() as AddressInfo;
  const response = fetch(`http://127.0.0.1:${port}/v1/digests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ documents: NOTES }),
    signal: gone.signal,
  });
  response.catch(() => {}); // it is ended below
  await vi.waitFor(() => expect(app.server.inFlight).toBe(3));
  gone.abort();
  await vi.waitFor(() => expect(app.server.inFlight).toBe(0));
  await vi.waitFor(() => expect(app.parts.failures).toHaveLength(3));
  expect(app.server.requests).toHaveLength(3);
  expect(await app.parts.database.query.query.digests.findMany()).toEqual([]);
  expect(app.parts.errors).toEqual([]);
});

test.each([
  ['a body that does not fit', { documents: [] }, '/documents'],
  ['a model that is not there', { documents: NOTES, engine: { writer: 'llm' } }, '/engine/writer'],
  ['an encoder that is not there', { documents: NOTES, engine: { encoder: 'none' } }, '/engine/encoder'],
])('%s is answered before a stream begins', async (_, body, pointer) => {
  const { app } = testApp();
  const response = await app.request('/v1/digests', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(422);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({ errors: [{ pointer }] });
});

test('an error is told as a problem, and not what it was inside', async () => {
  const app = await modelApp(good);
  const failure = new Error('secret: table digests is locked');
  app.parts.engine.select = async () => {
    throw failure;
  };
  const events = eventsIn(await (await app.stream(request)).text());
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ event }) => event === 'error')).toEqual([events.at(-1)]);
  expect(events.at(-1)?.data).toMatchObject({ type: 'urn:tessera:problem:internal-error', status: 500 });
  expect(JSON.stringify(events)).not.toContain('secret');
  expect(app.parts.errors).toEqual([{ error: failure, method: 'POST', path: '/v1/digests' }]);
});

test.each([
  ['text/event-stream', true],
  ['text/event-stream;q=0.9, application/json;q=0.1', true],
  ['application/json, text/event-stream;q=0.5', false],
  ['*/*', false],
  ['text/html', false],
])('accepting %s asks for a stream: %s', async (accept, isStream) => {
  const app = await modelApp(good);
  const response = await app.app.request('/v1/digests', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ documents: NOTES }),
  });
  expect(response.headers.get('content-type')).toBe(isStream ? 'text/event-stream' : 'application/json');
  const digest = isStream ? eventsIn(await response.text()).at(-1)?.data : await response.json();
  expectSound(Object(digest), NOTES);
});
