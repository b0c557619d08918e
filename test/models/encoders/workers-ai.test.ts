import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WorkersAiSpec } from '../../../src/models/encoders/encoder-specs.ts';
import {
  type CallUsage,
  DEFAULT_WORKERS_AI,
  ModelCallError,
  type RunModel,
  workersAiEncoder,
} from '../../../src/models/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { quickTransport, specsOf } from './transport.ts';

const words = new HashedWordsEncoder({ tokenDimensions: 0 });
const MODEL = '@cf/test/hashed-words';
const SPEC = { kind: 'workers-ai', model: MODEL, dimensions: 128 };

function specOf(spec: object = SPEC): WorkersAiSpec {
  const [found] = specsOf({ e: spec }).workersAi.values();
  return found;
}

/** The binding's `run` with the vectors of `HashedWordsEncoder` times three; each of `instead` in place of an answer. */
function binding(...instead: (() => unknown)[]) {
  const calls: { readonly model: string; readonly inputs: Parameters<RunModel>[1] }[] = [];
  let underWay = 0;
  const found = { calls, most: 0 };
  const run: RunModel = async (model, inputs) => {
    calls.push({ model, inputs });
    found.most = Math.max(found.most, ++underWay);
    try {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const other = instead.shift();
      if (other !== undefined) return other();
      const encodings = await words.encode(inputs.text);
      const data = encodings.map(({ sentence }) => [...sentence].map((v) => 3 * v));
      return { shape: [data.length, 128], data, ...(inputs.pooling && { pooling: inputs.pooling }) };
    } finally {
      underWay--;
    }
  };
  return Object.assign(found, { run, sent: () => calls.flatMap(({ inputs }) => inputs.text) });
}

/** Throws as the binding does: code and words in the message, the kind of error as its name. */
function failing(message: string, name = 'InferenceUpstreamError'): () => never {
  return () => {
    throw Object.assign(new Error(message), { name });
  };
}

test('every text its own vector, a blank one zeros, however many and long they are', async () => {
  const text = fc.oneof(
    fc.constantFrom('', ' \n\u00a0', 'tram', 'a council decided'),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => `tram ${each}`),
    fc.nat(30_000).map((length) => 'tram line '.repeat(length / 10)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 250 }), async (texts) => {
      const server = binding();
      const encoder = workersAiEncoder(specOf({ ...SPEC, maxCharacters: 20_000 }), server.run, quickTransport());
      const found = await encoder.encode(texts);
      expect(found).toHaveLength(texts.length);
      const filled = texts.filter((each) => /\S/.test(each));
      expect(server.sent()).toHaveLength(filled.length);
      const expected = await words.encode(texts.map((each) => each.slice(0, 20_000)));
      texts.forEach((each, i) => {
        const { sentence } = found[i];
        if (/\S/.test(each)) expect(sentence.every((v, c) => Math.abs(v - expected[i].sentence[c]) < 1e-5)).toBe(true);
        else expect(sentence.every((v) => v === 0)).toBe(true);
      });
      for (const { inputs } of server.calls) {
        expect(inputs.text.length).toBeLessThanOrEqual(100);
        expect(inputs.text.join('').length).toBeLessThanOrEqual(50_000);
      }
      expect(server.most).toBeLessThanOrEqual(4);
    }),
    { numRuns: 20 },
  );
});

test('questions have the instruction of the model, texts none; long ones are cut, never within a character', async () => {
  const { run, sent } = binding();
  const spec = { ...DEFAULT_WORKERS_AI, dimensions: 128, maxCharacters: 5 };
  const encoder = workersAiEncoder(spec, run, quickTransport());
  await encoder.encode(['tramway', 'tram🚋']);
  await encoder.encodeQueries?.(['trams']);
  expect(sent()).toEqual(['tramw', 'tram', 'Represent this sentence for searching relevant passages: trams']);
});

test('requests are counted, failed ones too; tokens are not known, nor is the cost, whatever prices there are', async () => {
  const spent: CallUsage[] = [];
  const prices = new Map([[MODEL, { input: 1, output: 1 }]]);
  const { run } = binding(failing('3040: Capacity temporarily exceeded, please try again.'));
  const encoder = workersAiEncoder(specOf(), run, { ...quickTransport(), prices });
  await encoder.metered?.({ spend: (usage) => spent.push(usage) }).encode(['tram']);
  await encoder.encode(['tram']);
  expect(spent).toEqual([{ requests: 2, promptTokens: 0, completionTokens: 0, cost: null }]);
});

test.each([
  ['out of capacity', '3040: Capacity temporarily exceeded', 'rate-limited', 3, false],
  ['the allocation of the day', '3036: you have used up your daily free allocation', 'quota', 1, true],
  ['a timeout', '3007: Request timeout', 'timeout', 3, false],
  ['no such model', '5007: No such model or task', 'refused', 1, true],
  ['an account that may not', '3023: Service unavailable for account', 'refused', 1, true],
  ['no login of local development', '10000: Authentication error', 'refused', 1, true],
  ['too much at once', '3006: Request is too large', 'refused', 1, false],
  ['an input of which nothing is published', '5999: Bad input', 'refused', 1, false],
  ['a code of which nothing is published', '4321: who knows', 'server', 3, false],
  ['no code', '<html>502', 'server', 3, false],
] as const)('%s is a ModelCallError that names the model', async (_, message, failure, requests, isFatal) => {
  const fail = failing(`${message} of the very secret tram line in the town`);
  const { run, calls } = binding(fail, fail, fail);
  const transport = quickTransport();
  const encoder = workersAiEncoder(specOf(), run, transport);
  const text = 'the very secret tram line in the town';
  const error: unknown = await encoder.encode([text]).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(ModelCallError);
  expect(error).toMatchObject({ failure, isFatal, usage: { requests } });
  expect((error as Error).message).toMatch(/^The model "@cf\/test\/hashed-words" cannot be used: /);
  expect(`${(error as Error).message} ${(error as Error).cause}`).not.toContain('secret');
  expect([calls.length, transport.waits.length]).toEqual([requests, requests - 1]);
});

const answerOf = (...data: number[][]) => ({ data });

test.each([
  ['nothing', null],
  ['a stream', new ReadableStream()],
  ['no vectors', { request_id: 'r' }],
  ['too few', answerOf([1, 0])],
  ['too many', answerOf([1, 0], [0, 1], [1, 1])],
  ['zeros', answerOf([1, 0], [0, 0])],
  ['what is no number', answerOf([1, 0], [Number.NaN, 1])],
  ['what is beyond float32', answerOf([1, 0], [1e39, 1])],
  ['another pooling', { ...answerOf([1, 0], [0, 1]), pooling: 'mean' }],
])('an answer of %s is refused, and one that comes on another try is taken', async (_, answer) => {
  const good = { ...answerOf([3, 4], [0, 2]), pooling: 'cls' };
  const spec = specOf({ ...SPEC, dimensions: 2, pooling: 'cls' });
  const once = binding(
    () => answer,
    () => good,
  );
  const [first, second] = await workersAiEncoder(spec, once.run, quickTransport()).encode(['tram', 'slug']);
  expect([...first.sentence, ...second.sentence]).toEqual([Math.fround(0.6), Math.fround(0.8), 0, 1]);
  const always = binding(
    () => answer,
    () => answer,
    () => answer,
  );
  const encoded = workersAiEncoder(spec, always.run, quickTransport()).encode(['tram', 'slug']);
  await expect(encoded).rejects.toMatchObject({ failure: 'malformed' });
  expect(always.calls).toHaveLength(3);
});

test('a call that hangs ends with the deadline, and the binding is told', async () => {
  const signals: AbortSignal[] = [];
  const run: RunModel = (_, __, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  const encoder = workersAiEncoder(specOf(), run, { ...quickTransport(), callMilliseconds: 100 });
  await expect(encoder.encode(['tram'])).rejects.toMatchObject({ failure: 'timeout' });
  expect(signals.length).toBeGreaterThan(0);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});
