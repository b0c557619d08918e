import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type ClientOptions, NotFoundError, UnexpectedAnswerError } from '../../src/client/client.ts';
import {
  ConnectionError,
  createClient,
  DigestCancelledError,
  type DigestEvent,
  DigestFailedError,
} from '../../src/client/index.ts';
import { chunksOf, cuts, place } from './cuts.ts';
import { quickTimers } from './quick-timers.ts';
import { DIGEST, eventText, PENDING, problem, type Reply, ScriptedService, STREAM } from './scripted-service.ts';

const REQUEST = { documents: [{ id: 'd1', text: 'Trams run.' }] };
const LOCATION = '/v1/digests/dig_1';

const ACCEPTED = eventText(1, 'accepted', { id: 'dig_1', location: LOCATION });
const progress = (id: number): string => eventText(id, 'progress', { stage: 'extract', done: id, total: 9 });
const END = (id: number): string => eventText(id, 'digest', DIGEST);

async function all(events: AsyncIterable<DigestEvent>): Promise<DigestEvent[]> {
  const found: DigestEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const idsOf = (events: readonly DigestEvent[]): (number | null)[] => events.map(({ id }) => id);

async function scripted(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const service = await ScriptedService.start((_, index) => replies[Math.min(index, replies.length - 1)]);
  return { service, ...createClient({ baseUrl: service.url, ...options }) };
}

const streamed = (body: string, end?: Reply['end']): Reply => ({ headers: STREAM, body, ...(end && { end }) });

test('a stream tells typed events up to the digest', async () => {
  const sentence = { index: 0, text: 'Trams run.', framing: false, keyPoints: [], citations: [], sources: [1] };
  const body = `${ACCEPTED}: still here\n\n${progress(2)}${eventText(3, 'sentence', sentence)}${eventText(4, 'weather', {})}${END(5)}${progress(6)}`;
  const { digests } = await scripted([streamed(body)]);
  expect(await all(digests.stream(REQUEST))).toEqual([
    { event: 'accepted', id: 1, data: { id: 'dig_1', location: LOCATION } },
    { event: 'progress', id: 2, data: { stage: 'extract', done: 2, total: 9 } },
    { event: 'sentence', id: 3, data: sentence },
    { event: 'digest', id: 5, data: DIGEST },
  ]);
});

test('a broken connection is taken up on the same digest after the last event', async () => {
  quickTimers();
  const { digests, service } = await scripted([
    // The third event is cut off.
    streamed(`${ACCEPTED}${progress(2)}${progress(3).slice(0, -1)}`, 'broken'),
    problem(503, 'overloaded'),
    // What was told before is told again.
    streamed(`${progress(2)}${progress(3)}${progress(4)}`),
    streamed(END(5)),
  ]);
  expect(idsOf(await all(digests.stream(REQUEST)))).toEqual([1, 2, 3, 4, 5]);
  expect(service.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/digests',
    ...Array(3).fill(`GET ${LOCATION}`),
  ]);
  expect(service.sent.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '2', '4']);
  expect(service.sent[1].headers).not.toHaveProperty('idempotency-key');
  expect(service.sent[1].body).toBeUndefined();
});

test('a connection that breaks before the digest has an id is made again with the same key', async () => {
  quickTimers();
  const { digests, service } = await scripted([streamed('', 'broken'), streamed(ACCEPTED), streamed(END(2))]);
  expect(idsOf(await all(digests.stream(REQUEST)))).toEqual([1, 2]);
  expect(service.sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  expect(service.sent[1].headers['idempotency-key']).toBe(service.sent[0].headers['idempotency-key']);
});

test('the address of the answer is enough to go on', async () => {
  quickTimers();
  const first = { ...streamed(': hello\n\n', 'broken'), headers: { ...STREAM, location: LOCATION } };
  const { digests, service } = await scripted([first, streamed(`${ACCEPTED}${END(2)}`)]);
  expect(idsOf(await all(digests.stream(REQUEST)))).toEqual([1, 2]);
  expect(service.sent[1]).toMatchObject({ method: 'GET', path: LOCATION });
  expect(service.sent[1].headers).not.toHaveProperty('last-event-id');
});

test('a connection that falls silent is taken up as a broken one', async () => {
  quickTimers(1_000);
  const { digests, service } = await scripted([streamed(ACCEPTED, 'open'), streamed(END(2))], {
    timeoutMilliseconds: 10_000_000,
  });
  expect(idsOf(await all(digests.stream(REQUEST)))).toEqual([1, 2]);
  await vi.waitFor(() => expect(service.open).toBe(0));
});

test('attempts without a new event are bounded; each new event begins the count anew', async () => {
  quickTimers();
  const events = Array.from({ length: 8 }, (_, i) => streamed(progress(i + 2)));
  const { digests, service } = await scripted([streamed(ACCEPTED), ...events, streamed(': nothing\n\n')], {
    maxRetries: 2,
  });
  const found: DigestEvent[] = [];
  const reading = (async () => {
    for await (const event of digests.stream(REQUEST)) found.push(event);
  })();
  await expect(reading).rejects.toThrow(ConnectionError);
  expect(idsOf(found)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(service.sent).toHaveLength(9 + 2);
});

test.each<[string, Reply, unknown]>([
  [
    'an error event',
    streamed(ACCEPTED + eventText(2, 'error', problem(502, 'model-call').body)),
    new DigestFailedError('dig_1', problem(502, 'model-call').body as never),
  ],
  [
    'a cancelled event',
    streamed(ACCEPTED + eventText(2, 'cancelled', { id: 'dig_1', status: 'cancelled' })),
    new DigestCancelledError('dig_1'),
  ],
])('%s is thrown after the events before it', async (_, reply, expected) => {
  const { digests, service } = await scripted([reply]);
  const events = digests.stream(REQUEST)[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ event: 'accepted' });
  await expect(events.next()).rejects.toEqual(expected);
  expect(service.sent).toHaveLength(1);
});

test('what is wrong with the request is thrown as any call throws it', async () => {
  const { digests } = await scripted([problem(422, 'invalid-request')]);
  await expect(all(digests.stream(REQUEST))).rejects.toMatchObject({ name: 'ValidationError', status: 422 });
  quickTimers();
  const removed = await scripted([streamed(ACCEPTED), problem(404, 'digest-not-found')]);
  await expect(all(removed.digests.stream(REQUEST))).rejects.toThrow(NotFoundError);
  const odd = await scripted([streamed('event: progress\ndata: {\n\n')]);
  await expect(all(odd.digests.stream(REQUEST))).rejects.toThrow(UnexpectedAnswerError);
});

test.each<[string, object]>([
  ['the digest alone', DIGEST],
  ['its state first', PENDING],
])('a service that answers a stream with %s is understood', async (_, body) => {
  quickTimers();
  const { digests } = await scripted([
    { status: 200, headers: { location: LOCATION }, body },
    { status: 200, body: DIGEST },
  ]);
  expect(await all(digests.stream(REQUEST))).toEqual([{ event: 'digest', id: null, data: DIGEST }]);
});

test('an abort ends a stream at once, and closes the connection', async () => {
  const { digests, service } = await scripted([streamed(ACCEPTED, 'open')]);
  const controller = new AbortController();
  const reason = new Error('not wanted any more');
  const events = digests.stream(REQUEST, { signal: controller.signal })[Symbol.asyncIterator]();
  await events.next();
  const next = events.next();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  // So does who stops listening.
  for await (const { event } of digests.stream(REQUEST)) if (event === 'accepted') break;
  await vi.waitFor(() => expect(service.open).toBe(0));
  expect(service.sent).toHaveLength(2);
});

test('wherever connections are cut, every event is told once and in order', async () => {
  quickTimers(500);
  const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      texts,
      // Where each connection ends, as a share of what it would still tell; the last one tells all.
      fc.array(fc.record({ share: place, isClean: fc.boolean() }), {
        maxLength: 3,
      }),
      cuts,
      fc.nat({ max: 3 }),
      fc.boolean(),
      async (sentences, breaks, places, repeated, hasLocation) => {
        const events = [
          ACCEPTED,
          ...sentences.map((text, i) => `: beat\n\n${eventText(i + 2, 'sentence', { index: i, text })}`),
          END(sentences.length + 2),
        ];
        const asked: (string | undefined)[] = [];
        const fetch = async (url: string, init: RequestInit): Promise<Response> => {
          const last = new Headers(init.headers).get('last-event-id');
          const connection = asked.push(last ?? undefined) - 1;
          expect(url.endsWith(init.method === 'POST' ? '/v1/digests' : LOCATION)).toBe(true);
          // A service may tell events again that were told before.
          const bytes = new TextEncoder().encode(events.slice(Math.max(0, Number(last ?? 0) - repeated)).join(''));
          const broken = breaks[connection];
          const told = broken === undefined ? bytes : bytes.slice(0, Math.round(broken.share * bytes.length));
          const pieces = chunksOf(told, places);
          const body = new ReadableStream<Uint8Array>({
            pull(controller) {
              const piece = pieces.shift();
              if (piece !== undefined) controller.enqueue(piece);
              else if (broken === undefined || broken.isClean) controller.close();
              else controller.error(new TypeError('terminated'));
            },
          });
          return new Response(body, { headers: { ...STREAM, ...(hasLocation && { location: LOCATION }) } });
        };
        const { digests } = createClient({ baseUrl: 'http://service.test', fetch });
        const found = await all(digests.stream(REQUEST));
        expect(found).toEqual([
          { event: 'accepted', id: 1, data: { id: 'dig_1', location: LOCATION } },
          ...sentences.map((text, i) => ({ event: 'sentence', id: i + 2, data: { index: i, text } })),
          { event: 'digest', id: sentences.length + 2, data: DIGEST },
        ]);
        // What a connection is asked to go on after never goes back.
        const after = asked.map((id) => Number(id ?? 0));
        expect(after).toEqual([...after].sort((a, b) => a - b));
      },
    ),
    { seed: 6, numRuns: 150 },
  );
});
