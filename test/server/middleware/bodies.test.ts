import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OverloadedError } from '../../../src/server/errors.ts';
import { BODY_BOUNDS, bodyBudget, bodyMeter, oneATurn } from '../../../src/server/middleware/bodies.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';
import { testApp } from '../../support/test-deps.ts';

const MEGABYTE = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

/** A service with bodies of at most 4 MB, whose requests end when they are let go. */
function service() {
  const held: (() => void)[] = [];
  const app = new Hono<ServiceEnv>();
  app.onError((error, context) => context.text('', error instanceof OverloadedError ? 503 : 500));
  app.use(async (context, next) => {
    context.set('caller', { tenant: context.req.header('x-tenant') ?? 'a', key: null, scopes: [] });
    await next();
  });
  app.use(bodyBudget(4 * MEGABYTE));
  app.post('/', async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    throw new Error('failed');
  });
  const post = async (tenant: string, length: number | null) => {
    const size = length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) };
    return app.request('/', { method: 'POST', headers: { 'x-tenant': tenant, ...size } });
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { post, turn, held };
}

test('a tenant has half of the bytes, all tenants three of the largest bodies, and what failed gives its bytes back', async () => {
  const { post, turn, held } = service();
  const first = post('a', 4 * MEGABYTE);
  void post('a', 2 * MEGABYTE);
  await turn();
  expect((await post('a', MEGABYTE)).status).toBe(503);
  void post('b', 4 * MEGABYTE);
  void post('c', 2 * MEGABYTE);
  await turn();
  expect(held).toHaveLength(4);
  expect((await post('d', MEGABYTE)).status).toBe(503);
  held[0]();
  expect((await first).status).toBe(500);
  void post('d', MEGABYTE);
  await turn();
  expect(held).toHaveLength(5);
});

test('small bodies pass whatever is under way; one that does not say its length counts for the largest', async () => {
  const { post, turn, held } = service();
  for (const tenant of ['a', 'b', 'c']) void post(tenant, null);
  await turn();
  for (const size of [null, 300 * 1024]) expect((await post('d', size)).status).toBe(503);
  for (let each = 0; each < 50; each++) void post('a', 256 * 1024);
  await turn();
  expect(held).toHaveLength(53);
});

interface Cost {
  values: number;
  numbers: number;
  depth: number;
}

/** What a value costs, counted in the value itself. */
function costOf(
  value: unknown,
  above: readonly boolean[] = [],
  cost: Cost = { values: 0, numbers: 0, depth: 0 },
): Cost {
  cost.depth = Math.max(cost.depth, above.length);
  if (typeof value !== 'object' || value === null) return cost;
  const isRow = Array.isArray(value) && above.at(-1) === true;
  const within = [...above, Array.isArray(value)];
  cost.depth = Math.max(cost.depth, within.length);
  for (const entry of Object.values(value)) {
    if (isRow && typeof entry === 'number') cost.numbers++;
    else cost.values++;
    costOf(entry, within, cost);
  }
  return cost;
}

test('counts what any JSON holds, however it is laid out and cut into pieces', () => {
  const exact = fc.property(
    fc.oneof(
      fc.jsonValue({ depthSize: 'medium' }),
      fc.dictionary(fc.string(), fc.constantFrom('":', '\\', 'a"b":', '\\":', '[{,')),
      fc.array(fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string()))),
    ),
    fc.constantFrom(undefined, 1, '\t', '  '),
    fc.integer({ min: 1, max: 9 }),
    (value, space, step) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value, null, space));
      const cost = costOf(value);
      const measured = (bounds: Cost) => {
        const measure = bodyMeter(bounds);
        const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) => i * step);
        return pieces.map((at) => measure(bytes.subarray(at, at + step))).find((excess) => excess !== null) ?? null;
      };
      expect(measured(cost)).toBe(null);
      for (const bound of ['values', 'numbers', 'depth'] as const)
        if (cost[bound] > 0) expect(measured({ ...cost, [bound]: cost[bound] - 1 })).toBe(bound);
    },
  );
  fc.assert(exact, { seed: 8, numRuns: 200 });
});

const { values, numbers, depth } = BODY_BOUNDS;
const listOf = (entry: string, count: number) => `[${`${entry},`.repeat(count - 1)}${entry}]`;

test('a body holds a kernel of the most rows', () => {
  const body = `{"kernel":${listOf(listOf('0', 1400), 1400)}}`;
  expect(bodyMeter()(new TextEncoder().encode(body))).toBe(null);
});

/** Bodies at a bound, and how they go on past it. */
const WORST: [string, (over: number) => string][] = [
  ['fields', (over) => `{${Array.from({ length: values + over }, (_, i) => `"${i}":1`).join()}}`],
  ['empty objects', (over) => `{"documents":${listOf('{}', values - 1 + over)}}`],
  ['empty arrays', (over) => `{"kernel":${listOf('[]', values - 1 + over)}}`],
  ['nothing but numbers', (over) => `{"documents":${listOf('0', values - 1 + over)}}`],
  ['literals in rows', (over) => `{"embeddings":[${listOf('null', values - 2 + over)}]}`],
  ['rows of numbers', (over) => `{"embeddings":[${listOf('0', numbers + over)}]}`],
  ['depth', (over) => `{"documents":${'['.repeat(depth - 1 + over)}${']'.repeat(depth - 1 + over)}}`],
  ['depth that never ends', (over) => '['.repeat(depth + over * 1_000_000)],
];

test.for(WORST)('a body of %s is parsed up to the bound, and past it refused before', async ([, bodyOf]) => {
  const { app } = testApp({ maxBodyBytes: 8 * MEGABYTE });
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const send = async (body: string) => {
    parse.mockClear();
    const { status } = await app.request('/v1/selections', { method: 'POST', headers: JSON_TYPE, body });
    return { status, isParsed: parse.mock.calls.some(([text]) => text === body) };
  };
  const atBound = await send(bodyOf(0));
  expect([400, 422]).toContain(atBound.status);
  expect(atBound.isParsed).toBe(true);
  expect(await send(bodyOf(1))).toEqual({ status: 422, isParsed: false });
});

test('what is too much says how much may be', async () => {
  const { post } = testApp();
  const answer = await (await post('/v1/digests', '['.repeat(depth + 1))).json();
  expect(answer).toMatchObject({
    type: 'urn:tessera:problem:too-many-fields',
    detail: expect.stringMatching(/most 50/),
  });
});

/** A body in pieces of some bytes, which counts those that were taken. */
function inPieces(bytes: Uint8Array, size: number) {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
  return { body, taken: () => at };
}

test('a body that does not say its length is read up to the largest, and characters may be cut anywhere', async () => {
  const { app } = testApp({ maxBodyBytes: MEGABYTE });
  const send = async (text: string, size: number) => {
    const { body, taken } = inPieces(new TextEncoder().encode(text), size);
    const init = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' };
    const answer = await app.request('/v1/key-points', init);
    return { status: answer.status, answer: await answer.json(), taken: taken() };
  };
  const sentences = Array.from({ length: 1500 }, (_, i) => `Die Brücke über den Fluß ${i} kostet ${i} €.`);
  const documents = JSON.stringify({ documents: [{ id: 'a', text: sentences.join(' ') }] });
  const { keyPoints } = (await send(documents, 7)).answer;
  expect(keyPoints.map(({ text }: { text: string }) => text)).toEqual(sentences);
  const large = await send(`"${'x'.repeat(20 * MEGABYTE)}"`, 10_000);
  expect([large.status, large.taken < 1.2 * MEGABYTE]).toEqual([413, true]);
});

test('a body in very many pieces is refused, and one whose caller leaves is no failure of the service', async () => {
  const { app, parts } = testApp();
  const send = (body: ReadableStream) => {
    const init = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' };
    return app.request('/v1/digests', init);
  };
  const { body, taken } = inPieces(new Uint8Array(MEGABYTE).fill(32), 1);
  const refused = await send(body);
  expect([refused.status, taken() < 110_000]).toEqual([413, true]);
  expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/more than 100000 pieces/) });
  const gone = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
  expect((await send(gone)).status).toBe(499);
  expect(parts.errors).toEqual([]);
});

test.for([
  ['a byte of Latin-1', [0xe9], 400],
  ['half of a character at the end', [0xe2, 0x82], 400],
  ['a surrogate', [0xed, 0xa0, 0x80], 400],
  ['overlong', [0xc0, 0xaf], 400],
  ['whole characters', [0xe2, 0x82, 0xac], 200],
] as const)('of text that is not UTF-8 nothing is guessed: %s', async ([, bytes, status]) => {
  const [before, after] = JSON.stringify({ documents: [{ id: 'a', text: 'The bridge costs 12 | a year.' }] }).split(
    '|',
  );
  const { app } = testApp();
  const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  const answer = await app.request('/v1/key-points', { method: 'POST', headers: JSON_TYPE, body });
  expect(answer.status).toBe(status);
  if (status === 400) expect(await answer.json()).toMatchObject({ detail: expect.stringMatching(/not valid UTF-8/) });
});

/** An app that notes who begins, by the turn of the event loop. */
function noting() {
  const turns = new Map<number, string[]>();
  let turn = 0;
  const count = (): void => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const end = (): string[][] => {
    clearImmediate(counting);
    return [...turns.values()];
  };
  const app = new Hono<ServiceEnv>();
  app.use(async (context, next) => {
    context.set('caller', { tenant: context.req.header('tenant') ?? '' } as never);
    await next();
  });
  app.use(oneATurn());
  app.all('/:name', (context) => {
    turns.set(turn, [...(turns.get(turn) ?? []), context.req.param('name')]);
    return context.text('done');
  });
  return { app, end };
}

test('of requests with bodies that come together one begins in each turn, tenants in turn, each in its order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 25 }), async (tenants) => {
      const { app, end } = noting();
      const all = tenants.map((tenant, i) => app.request(`/${tenant}${i}`, { method: 'POST', headers: { tenant } }));
      expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true);
      const turns = end();
      expect(turns.every((turn) => turn.length === 1)).toBe(true);
      const begun = turns.flat();
      expect(begun.toSorted()).toEqual(tenants.map((tenant, i) => `${tenant}${i}`).toSorted());
      const waited = begun.slice(1).map((name) => name[0]);
      for (const tenant of new Set(tenants)) {
        const own = begun.filter((name) => name.startsWith(tenant)).map((name) => Number(name.slice(1)));
        expect(own).toEqual(own.toSorted((x, y) => x - y));
        // Between two of one tenant that wait, each other that waits begins once.
        for (const other of new Set(waited)) {
          const places = [...waited.keys()].filter((i) => waited[i] === tenant);
          for (const [i, place] of places.slice(1).entries())
            expect(waited.slice(places[i], place).filter((name) => name === other).length).toBeLessThanOrEqual(1);
        }
      }
    }),
    { seed: 11, numRuns: 30 },
  );
});
