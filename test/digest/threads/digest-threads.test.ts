import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { Progress } from '../../../src/contract/index.ts';
import { startDigestThreads } from '../../../src/digest/index.node.ts';
import {
  type Checkpoints,
  type DigestDeps,
  type DigestWork,
  HERE,
  type ResolvedRequest,
} from '../../../src/digest/index.ts';
import { type Encoder, type EncoderCaller, memoryCache, NO_USAGE, type Reranker } from '../../../src/models/index.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { good, goodBut } from '../../support/good-model.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { type Script, ScriptedModelServer } from '../../support/scripted-model-server.ts';
import { settingsOf, startProcess } from '../../support/service-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const errors: unknown[] = [];
const report = (failure: unknown) => void errors.push(failure);
const threads = startDigestThreads(4, report);
afterAll(async () => {
  await threads.close();
  expect(errors).toEqual([]);
});

const PAID = { ...NO_USAGE, requests: 1, promptTokens: 7 };

/** An engine with an encoder and a reranker whose calls are paid for. */
function paidEngine(): InProcessEngine {
  const engine = new InProcessEngine();
  const [[name, encoder]] = engine.encoders;
  const metered = (caller?: EncoderCaller): Encoder => ({
    profile: { ...encoder.profile, id: 'paid@1' },
    metered,
    encode: (texts) => {
      caller?.spend(PAID);
      return encoder.encode(texts);
    },
  });
  const reranker = (caller?: EncoderCaller): Reranker => ({
    profile: { id: 'ranks@1', languages: null, matched: 5 },
    metered: reranker,
    score: async (_, texts) => {
      caller?.spend(PAID);
      return Float64Array.from(texts, (text) => text.length / 10);
    },
  });
  const more = {
    encoders: new Map([
      [name, encoder],
      ['paid', metered()],
    ]),
    rerankers: new Map([['ranks', reranker()]]),
  };
  return Object.assign(engine, more);
}

async function partsWith(script: Script = good) {
  const { model, server } = await scriptedModel(script);
  const failures: unknown[] = [];
  const models = { model, prompts: PROMPTS, extractor: 'sentences', writer: 'compose' } as const;
  const reportFailure = (failure: unknown, where: unknown) => void failures.push([String(failure), where]);
  return { server, failures, deps: { engine: paidEngine(), cache: memoryCache(), models, reportFailure } };
}

function listeners(kept: Checkpoints['kept'] = new Map()) {
  const told: { progress: unknown[]; sentences: unknown[]; saved: Map<string, { key: string; value: string }> } = {
    progress: [],
    sentences: [],
    saved: new Map(),
  };
  const options = {
    id: 'dig_1',
    checkpoints: {
      version: 'test',
      kept,
      worthKeeping: 0,
      save: async (step: string, key: string, value: string) => void told.saved.set(step, { key, value }),
    },
    // How many texts are encoded at once depends on time.
    onProgress: ({ stage, document }: Progress) => void (stage !== 'encode' && told.progress.push([stage, document])),
    onSentence: (sentence: unknown) => void told.sentences.push(sentence),
  };
  return { told, options };
}

const NOTED = { documents: NOTES, intent: NOTES_INTENT };
const failing = goodBut(['judge'], () => ({ status: 401 }));
const broken: Script = (asked) => (JSON.stringify(asked.body).includes('bridge') ? { status: 400 } : good(asked));
const REQUESTS: Readonly<Record<string, ResolvedRequest & { readonly script?: Script }>> = {
  rules: { documents: CITY, intent: CITY_INTENT },
  'a paid encoder': { documents: CITY, intent: CITY_INTENT, engine: { encoder: 'paid' } },
  'a reranker': { documents: CITY, intent: CITY_INTENT, selection: { relevance: { encoder: 'ranks' } } },
  'a model': { ...NOTED, engine: { extractor: 'llm', writer: 'llm' }, summary: { format: 'bullets' } },
  'a model that chooses': { ...NOTED, selection: { strategy: 'llm', relevance: { facets: 'llm' } } },
  'one prompt': { ...NOTED, selection: { strategy: 'naive' } },
  'a judge who refuses': { ...NOTED, engine: { extractor: 'llm', writer: 'llm' }, script: failing },
  'documents that cannot be read': { ...NOTED, engine: { extractor: 'llm' }, script: broken },
};

test.each(Object.entries(REQUESTS))('a thread makes the same digest, and tells the same: %s', async (_, given) => {
  const { script, ...request } = given;
  const outcome = async ({ makeDigest }: DigestWork, cache = memoryCache(), kept?: Checkpoints['kept']) => {
    const { deps, failures, server } = await partsWith(script);
    const { told, options } = listeners(kept);
    const { digest, sources } = await makeDigest(request, { ...deps, cache }, options);
    const [progress, failed] = [told.progress, failures].map((all) => all.map((each) => JSON.stringify(each)).sort());
    const made = { ...told, progress, failed, digest: { ...digest, timings: null }, sources };
    const steps = [...told.saved].map(([step, { key }]) => [step, key]);
    return { made: { ...made, saved: steps }, saved: told.saved, asked: server.requests.length };
  };
  const here = await outcome(HERE);
  const cache = memoryCache();
  const there = await outcome(threads, cache);
  expect(there.made).toEqual(here.made);
  expect(there.asked).toBe(here.asked);
  const again = await outcome(threads, cache, there.saved);
  expect(again.made.digest.summary).toEqual(here.made.digest.summary);
  expect(again.made.saved).toEqual([]);
  if (script === undefined) expect(again.asked).toBe(0);
});

test('digests at once read a document with a model once, and one that ends early leaves it to the others', async () => {
  const { deps, server } = await partsWith();
  const request: ResolvedRequest = { documents: NOTES, engine: { extractor: 'llm' } };
  const leaving = new AbortController();
  const left = threads.makeDigest(request, deps, {}, leaving.signal);
  const both = [threads.makeDigest(request, deps), threads.makeDigest(request, deps)];
  const ended = expect(left).rejects.toThrow();
  await until('a call', () => server.requests.length > 0);
  leaving.abort();
  await ended;
  const [one, two] = await Promise.all(both);
  expect(one.digest.keyPoints).toEqual(two.digest.keyPoints);
  const alone = await partsWith();
  await HERE.makeDigest(request, alone.deps);
  expect(server.requests.length).toBeLessThanOrEqual(2 * alone.server.requests.length);
});

const LEFT: Record<string, (work: DigestWork, deps: DigestDeps, signal: AbortSignal) => Promise<unknown>> = {
  'a digest': ({ makeDigest }, deps, signal) => makeDigest(NOTED, deps, {}, signal),
  'key points': ({ extractKeyPoints }, deps, signal) => extractKeyPoints({ documents: NOTES }, deps, signal),
  documents: ({ prepareDocuments }, deps, signal) => prepareDocuments(NOTES, deps, {}, signal),
};

test.each(
  Object.entries(LEFT).flatMap(([what, work]) =>
    [threads, HERE].map((where) => [what, where === HERE ? 'here' : 'in a thread', where, work] as const),
  ),
)('a caller who leaves ends %s %s, and the call of the model, and the next is served', async (_, __, where, work) => {
  const { deps, server } = await partsWith(goodBut(['extract'], () => ({ hang: 'before-headers' })));
  const leaving = new AbortController();
  const left = work(where, { ...deps, models: { ...deps.models, extractor: 'llm' } }, leaving.signal);
  const ended = expect(left).rejects.toThrow();
  await until('the extractor', () => server.inFlight > 0);
  leaving.abort();
  await ended;
  await until('the end of its call', () => server.inFlight === 0);
  expect((await where.makeDigest({ documents: CITY }, deps)).digest.status).toBe('completed');
});

test('a thread answers with the bytes of the key points', async () => {
  const made = [HERE, threads].map(async ({ extractKeyPoints }) => {
    const bytes = await extractKeyPoints({ documents: CITY }, (await partsWith()).deps);
    return JSON.parse(new TextDecoder().decode(bytes));
  });
  const [here, there] = await Promise.all(made);
  expect(there).toEqual(here);
});

test('more key points than an answer may hold are refused', async () => {
  const { deps } = await partsWith();
  const documents = ['a', 'b', 'c'].map((id) => ({
    id,
    text: Array.from({ length: 17_000 }, (_, i) => `Tram ${id} ${i} rose to ${i} euros.`).join(' '),
  }));
  const refusal = { code: 'limit-exceeded', pointer: '/documents', message: expect.stringContaining('51000') };
  await expect(threads.extractKeyPoints({ documents }, deps)).rejects.toMatchObject(refusal);
});

test('a tenant who sends much lets another go first', async () => {
  const { deps } = await partsWith();
  const begun: string[] = [];
  const send = (scope: string, call: number) => {
    const cache = { ...memoryCache(), scope, saveDocuments: async () => void begun.push(scope) };
    return threads.extractKeyPoints({ documents: [{ id: 'a', text: `Call ${call} rose.` }] }, { ...deps, cache });
  };
  const many = 16 * availableParallelism();
  await Promise.all([...Array(many).fill('many'), 'one'].map(send));
  expect(begun.indexOf('one')).toBeLessThan(many / 4);
});

test.each([
  ['for too long', 5, 1000],
  ['in too much memory', 60_000, 40],
])('a digest that computes %s is ended with a problem', async (_, budget, megabytes) => {
  const { deps } = await partsWith();
  const text = Array.from({ length: 40_000 }, (_, i) => `Tram ${i} ran to stop ${i % 77} for ${i} euros.`).join(' ');
  const limited = startDigestThreads(1, report, budget, megabytes);
  try {
    const made = limited.makeDigest({ documents: [{ id: 'a', text }], engine: { extractor: 'llm' } }, deps);
    await expect(made).rejects.toMatchObject({ code: 'too-much-work' });
  } finally {
    await limited.close();
  }
});

/** Rooms and files whose rules read a model's words and the documents beside them. */
const RULES = /^src\/(?:summary\/|digest\/(?:extract\/extract-with-model|write|assemble|naive)\.ts)/;
/** What loads and plans enters them for, without any text. */
const PLANS = ['modelJudge', 'sentenceLimit', 'values', 'wordTable', 'words', ''];

test('the thread that serves HTTP enters no function that writes, verifies, or reads with a model', async () => {
  const folder = temporaryFolder();
  const model = await ScriptedModelServer.start(good);
  onTestFinished(() => model.close());
  const { child, exited, ready } = await startProcess('serve', folder, {
    ...settingsOf(join(folder, 'a.sqlite')),
    NODE_V8_COVERAGE: join(folder, 'coverage'),
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'x', TESSERA_MODEL: 'm', TESSERA_EXTRACTOR: 'llm' },
  });
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${ready.url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return answer.json();
  };
  const { id } = await send('POST', '/v1/collections', {});
  await send('PUT', `/v1/collections/${id}/documents/a`, { text: NOTES[0].text });
  await send('POST', '/v1/key-points', { documents: NOTES });
  await send('POST', '/v1/digests', { ...NOTED, engine: 'llm' });
  child.kill('SIGTERM');
  await exited;
  const entered = new Map(
    readdirSync(join(folder, 'coverage')).map((file) => [file, enteredIn(join(folder, 'coverage', file))]),
  );
  const main = [...entered].filter(([file]) => file.endsWith('-0.json')).flatMap(([, names]) => names);
  expect(main.filter((name) => !PLANS.includes(name.split(': ')[1]))).toEqual([]);
  expect(main).not.toEqual([]);
});

/** Functions of `RULES` in `dist/` that a thread entered, by its coverage. */
function enteredIn(path: string): string[] {
  const {
    result,
  }: {
    result: { url: string; functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[] }[];
  } = JSON.parse(readFileSync(path, 'utf8'));
  return result
    .filter(({ url }) => /\/dist\/[^/]+\.js$/.test(url))
    .flatMap(({ url, functions }) => {
      const parts = [...readFileSync(new URL(url), 'utf8').matchAll(/^\/\/ (src\/\S+)$/gm)];
      return functions.flatMap(({ functionName, ranges: [{ startOffset, count }] }) => {
        const file = parts.findLast(({ index }) => index <= startOffset)?.[1] ?? '';
        return count > 0 && startOffset > 0 && RULES.test(file) ? [`${file}: ${functionName}`] : [];
      });
    });
}

test('threads may be closed while they load, as by a command that needs none', async () => {
  // Node would abort the whole process, and not always: so at many moments of the loading.
  for (let wait = 0; wait < 160; wait += 4) {
    const brief = startDigestThreads(1, report);
    await pause(wait);
    await brief.close();
  }
});
