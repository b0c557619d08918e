import { expect, onTestFinished, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import type { ModelDeps } from '../../../src/digest/index.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { good } from '../../support/good-model.ts';
import { NOTES, NOTES_INTENT } from '../../support/model-app.ts';
import { NO_MODELS } from '../../support/no-models.ts';
import { answered } from '../../support/promises.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { memoryDatabase, type TestApp, testApp, testDeps } from '../../support/test-deps.ts';
import { running } from '../experiments-support.ts';

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
