import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { type ModelDeps, planDigest } from '../../../src/digest/index.ts';
import type { Prompt } from '../../../src/models/index.ts';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { readDigest } from '../../../src/store/index.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { good } from '../../support/good-model.ts';
import { eventsIn, NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { NO_MODELS } from '../../support/no-models.ts';
import { answered } from '../../support/promises.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { memoryDatabase, type TestApp, testApp, testDeps } from '../../support/test-deps.ts';
import { AT, running } from '../experiments-support.ts';

/** A service of two processes: one takes digests on, the other makes them. */
function apart(models: ModelDeps): TestApp {
  const database = memoryDatabase();
  const { worker } = testDeps({ database, models });
  const looking = setInterval(() => worker.wake(), 10);
  onTestFinished(() => clearInterval(looking));
  return testApp({ database, models, slots: 0 });
}

async function made({ post }: TestApp, body: unknown): Promise<Digest> {
  const response = await post('/v1/digests', body);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Digest;
}

const byModel = async (): Promise<ModelDeps> => ({
  model: (await scriptedModel(good)).model,
  prompts: PROMPTS,
  extractor: 'llm',
  writer: 'llm',
});

const asBefore = (digest: Digest, id: string) => JSON.parse(JSON.stringify(answered(digest)).replaceAll(id, 'EARLIER'));

test('what a process accepts and makes itself is the same as what another takes up', async () => {
  for (const models of [NO_MODELS, await byModel()]) {
    const [here, elsewhere] = await Promise.all(
      [testApp({ models }), apart(models)].map(async (service) => {
        const { app, post } = service;
        const first = await made(service, { documents: NOTES, intent: NOTES_INTENT });
        const collection = await post('/v1/collections', { name: 'all' });
        const { id } = (await collection.json()) as { id: string };
        for (const { id: document, ...rest } of CITY) {
          const at = `/v1/collections/${id}/documents/${document}`;
          const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) };
          expect((await app.request(at, init)).status).toBeLessThan(300);
        }
        await running(service, { key: 'sizes' });
        const more = [
          { collection: id, intent: CITY_INTENT, selection: { size: { keyPoints: 3 } } },
          {
            documents: [...NOTES, ...CITY.slice(3)],
            intent: { problem: `${CITY_INTENT} In 60 words, as bullets.`, background: { digest: first.id } },
          },
          { documents: CITY, intent: CITY_INTENT, experiment: { key: 'sizes', subject: 'u3' } },
          { documents: CITY, summary: { maxWords: null }, selection: { strategy: 'mmr', mmr: { lambda: 0.3 } } },
        ];
        const digests = [first, ...(await Promise.all(more.map((body) => made(service, body))))];
        const kept = await Promise.all(
          digests.map(async (each) => (await app.request(`/v1/digests/${each.id}`)).json()),
        );
        expect(kept).toEqual(digests);
        expect(digests.map(({ status }) => status)).toEqual(digests.map(() => 'completed'));
        return digests.map((digest) => asBefore(digest, first.id));
      }),
    );
    expect(here).toEqual(elsewhere);
  }
});

test('texts come through the store as they are in memory', async () => {
  const odd = fc.constantFrom('\u0000', '\ufeff', '\r\n', '\u2028', '𝛑', 'e\u0301', '\\u0000', '"', "'", '--', ' ');
  const word = fc.constantFrom('Trams', 'run', 'late', 'in', 'winter', 'because', 'rails', 'freeze', 'Buses', 'stop');
  const text = fc
    .array(fc.oneof({ weight: 4, arbitrary: word }, odd), { minLength: 5, maxLength: 30 })
    .map((parts) => `${parts.join(' ')}. The trams were late last winter.`);
  const requests = fc
    .sample(fc.array(text, { minLength: 1, maxLength: 3 }), { numRuns: 25, seed: 23 })
    .map((texts) => ({
      documents: texts.map((each, i) => ({ id: `d${i}`, text: each })),
      intent: 'Why are trams late?',
      selection: { relevance: { gate: null } },
    }));
  const [here, elsewhere] = await Promise.all(
    [testApp(), apart(NO_MODELS)].map((service) => Promise.all(requests.map((body) => made(service, body)))),
  );
  expect(here.map(answered)).toEqual(elsewhere.map(answered));
});

/** Prompts that count how often they are looked up: with a model that writes, every plan does so as often. */
class CountedPrompts extends Map<string, Prompt> {
  lookups = 0;

  override get(id: string): Prompt | undefined {
    if (id === 'write-again') this.lookups++;
    return super.get(id);
  }
}

test('a request is planned once where it is accepted and made, and once for each variant of an experiment', async () => {
  const prompts = new CountedPrompts(PROMPTS);
  const models: ModelDeps = { ...(await byModel()), prompts };
  const taking = async (work: () => Promise<unknown>): Promise<number> => {
    const before = prompts.lookups;
    await work();
    return prompts.lookups - before;
  };
  const body = { documents: NOTES, intent: NOTES_INTENT };
  const here = testApp({ models });
  const once = await taking(async () => planDigest(body, here.parts));
  expect(once).toBeGreaterThan(0);
  expect(await taking(() => made(here, body))).toBe(once);
  expect(await taking(() => made(here, { ...body, summary: { format: 'brief' } }))).toBe(once);
  expect(await taking(() => made(apart(models), body))).toBe(2 * once);
  await running(here);
  const { variants } = (await (await here.app.request(AT)).json()) as { variants: unknown[] };
  const part = { ...body, experiment: { key: 'sizes', subject: 'u1' } };
  expect(await taking(() => made(here, part))).toBe(variants.length * once);
});

/** A database that keeps another answer than the one that it is given. */
async function tampering(): Promise<OpenDatabase> {
  const database = memoryDatabase();
  const other = JSON.stringify({ timings: { extract: 7 } });
  await database.query.run(
    sql.raw(`create trigger tamper after update of answer on digests when new.answer is not null and new.answer != '${other}'
      begin update digests set answer = '${other}' where id = new.id; end`),
  );
  return database;
}

test('what this process has made is answered and told from memory', async () => {
  const database = await tampering();
  const service = testApp({ database });
  const body = { documents: CITY, intent: CITY_INTENT };
  const response = await service.post('/v1/digests', body);
  const digest = (await response.json()) as Digest;
  expect(digest.summary.sentences.length).toBeGreaterThan(0);
  const timings = Object.entries(digest.timings).map(([name, duration]) => `${name};dur=${duration}`);
  expect(response.headers.get('server-timing')).toBe(timings.join(', '));
  const stream = await service.post('/v1/digests', body, { accept: 'text/event-stream' });
  const last = eventsIn(await stream.text()).at(-1);
  expect(last).toMatchObject({ event: 'digest', data: answered(digest) });
  // What is kept is told to whoever comes later.
  expect(await (await service.app.request(`/v1/digests/${digest.id}`)).json()).toEqual({ timings: { extract: 7 } });
});

test('what another process has made is answered and told from the store', async () => {
  const database = await tampering();
  const front = testApp({ database, slots: 0 });
  testDeps({ database });
  const body = { documents: CITY, intent: CITY_INTENT };
  const response = await front.post('/v1/digests', body);
  expect(await response.json()).toEqual({ timings: { extract: 7 } });
  expect(response.headers.get('server-timing')).toBe('extract;dur=7');
  const stream = await front.post('/v1/digests', body, { accept: 'text/event-stream' });
  expect(eventsIn(await stream.text()).at(-1)).toMatchObject({ event: 'digest', data: { timings: { extract: 7 } } });
});

test('nothing is answered that could not be stored', async () => {
  const database = memoryDatabase();
  await database.query.run(
    sql.raw(`create trigger refuse before update of answer on digests when new.answer is not null
      begin select raise(abort, 'the disk is full'); end`),
  );
  const service = testApp({ database });
  const response = await service.post('/v1/digests', { documents: CITY, intent: CITY_INTENT });
  expect(response.status).toBe(500);
  const [{ id }] = await database.query.all<{ id: string }>(sql`select id from digests`);
  expect((await readDigest(database, id))?.answer).toBeNull();
});
