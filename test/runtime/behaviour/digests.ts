import { expect } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { answered } from '../../support/promises.ts';
import { type Order, type Suite, told } from '../service.ts';

const order: Order = { documents: CITY, intent: CITY_INTENT };

/** Promises of a digest that is waited for. */
export const digests: Suite = (holds) => {
  holds('a digest is made, with the engine that made it in the answer', async ({ digest, get }) => {
    const made = await digest(order);
    expect(made).toMatchObject({
      status: 'completed',
      offsetUnit: 'utf16',
      engine: {
        encoder: expect.stringMatching(/^workers-ai\/@cf\/baai\/bge-base-en-v1\.5\/768\//),
        matrix: 'portable',
      },
      selection: { kernel: { similarity: 'cosine', form: 'gaussian' } },
    });
    expect(made.sources.length).toBeGreaterThan(1);
    expect(made.keyPoints.filter(({ selected }) => selected).length).toBeGreaterThan(2);
    expect(await told(get(`/v1/digests/${made.id}`))).toEqual(made);
  });

  holds('the same request is answered alike, and nothing is encoded again', async ({ digest, runtime: { ai } }) => {
    const own: Order = {
      ...order,
      documents: CITY.map(({ id, text }) => ({ id, text: `${text} Line 7 was closed.` })),
    };
    const one = await digest(own);
    const before = ai.texts.length;
    const other = await digest(own);
    expect(answered(other)).toEqual(answered(one));
    expect(other.id).not.toBe(one.id);
    expect(other.usage).toMatchObject({ reusedExtractions: CITY.length, reusedEncodings: one.counts?.keyPoints });
    expect(ai.texts.slice(before).every((text) => text.endsWith(CITY_INTENT))).toBe(true);
  });

  holds('an encoder that cannot be used is told as what it is, and its texts are not repeated', async (service) => {
    const { post, runtime, digest } = service;
    const own: Order = { documents: [{ id: 'a', text: 'Secret 1 is kept. Secret 2 is not.' }], intent: 'secrets' };
    runtime.ai.failFor('Secret', '5007: No such model or task');
    const response = await post('/v1/digests', own);
    const problem = await response.text();
    runtime.ai.mend();
    expect(response.status, problem).toBe(502);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(problem).toContain('@cf/baai/bge-base-en-v1.5');
    expect(problem).not.toContain('Secret');
    await digest(own);
  });

  holds('digests are listed, the newest first, page by page, and removed', async ({ digest, get, ask }) => {
    const made = [await digest(order), await digest(order), await digest(order)];
    const first = await told<{ digests: { id: string }[]; next: string }>(get('/v1/digests?limit=2'));
    const second = await told<{ digests: { id: string }[] }>(get(`/v1/digests?limit=1&cursor=${first.next}`));
    const listed = [...first.digests, ...second.digests].map(({ id }) => id);
    expect(new Set(listed)).toEqual(new Set(made.map(({ id }) => id)));
    expect((await ask('DELETE', `/v1/digests/${made[0].id}`)).status).toBe(204);
    expect((await get(`/v1/digests/${made[0].id}`)).status).toBe(404);
  });
};
