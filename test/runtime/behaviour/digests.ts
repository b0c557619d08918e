import { expect } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { answered } from '../../support/promises.ts';
import { MANY_SCRIPTS } from '../documents.ts';
import { type Order, type Suite, told } from '../service.ts';

const order: Order = { documents: CITY, intent: CITY_INTENT };

/** What the order of documents must not move: all but the list of them. */
function unordered(digest: Digest) {
  return { ...answered(digest), documents: [...digest.documents].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

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

  holds('quotes are exact in any script, and nothing selected is lost', async ({ digest }) => {
    for (const format of ['report', 'bullets'] as const) {
      const made = await digest({
        documents: MANY_SCRIPTS,
        selection: { size: { keyPoints: 8 } },
        summary: { format },
      });
      const cited = made.summary.sentences.flatMap(({ citations }) => citations);
      expect(new Set(cited.map(({ document }) => document)).size).toBeGreaterThan(2);
      expect(made.keyPoints.some(({ quote }) => quote.text.includes('𠮷野家'))).toBe(true);
      expect(made.documents.find(({ id }) => id === 'blank')).toMatchObject({ status: 'empty', keyPoints: 0 });
      expect(made.status).toBe('completed');
    }
  });

  holds('the order of the documents does not matter', async ({ digest }) => {
    const made = await digest(order);
    for (const documents of [CITY.toReversed(), [...CITY.slice(2), ...CITY.slice(0, 2)]]) {
      expect(unordered(await digest({ ...order, documents }))).toEqual(unordered(made));
    }
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
    expect(other.usage).toMatchObject({ reusedExtractions: CITY.length, reusedEncodings: one.keyPoints.length });
    expect(ai.texts.slice(before).every((text) => text.endsWith(CITY_INTENT))).toBe(true);
  });

  holds('a streamed digest is the one that is waited for', async ({ digest, post }) => {
    const made = await digest(order);
    const stream = await (await post('/v1/digests', order, { accept: 'text/event-stream' })).text();
    const [, last] = /event: digest\nid: \d+\n?|event: digest\ndata: (.*)\n/.exec(stream) ?? [];
    expect(answered(JSON.parse(String(last)))).toEqual(answered(made));
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
