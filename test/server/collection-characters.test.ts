import { describe, expect, test } from 'vitest';
import { digests } from '../../src/store/index.ts';
import { idempotencyKeys, jobs } from '../../src/store/schema.ts';
import { TEST_LIMITS, testApp } from '../support/test-deps.ts';

const TEXTS = ['The tram runs at night. \u{1f68b}', 'The charge is 4 euros.'];
const CHARACTERS = TEXTS.join('').length; // UTF-16 code units, of which the tram takes two

/** A service with such a limit, and a collection of both texts. */
async function collected(characters: number) {
  const made = testApp({ app: { limits: { ...TEST_LIMITS, characters } } });
  const { id: collection } = Object(await (await made.post('/v1/collections', {})).json());
  for (const [i, text] of TEXTS.entries()) {
    const put = await made.app.request(`/v1/collections/${collection}/documents/${i}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    expect(put.status).toBe(201);
  }
  return { ...made, collection };
}

describe('a digest over a collection', () => {
  test('with as many characters as are read is made', async () => {
    const { post, collection } = await collected(CHARACTERS);
    expect((await post('/v1/digests', { collection })).status).toBe(201);
  });

  test.each([
    ['waits', {}],
    ['does not wait', { prefer: 'respond-async' }],
    ['streams', { accept: 'text/event-stream' }],
  ])('with one more is 422 at /collection for a caller who %s, and nothing of it is kept', async (_, headers) => {
    const { post, parts, collection } = await collected(CHARACTERS - 1);
    const refused = await post('/v1/digests', { collection }, { ...headers, 'idempotency-key': 'k' });
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    const detail = `holds ${CHARACTERS} UTF-16 code units; at most ${CHARACTERS - 1} are read`;
    expect(await refused.json()).toMatchObject({
      type: 'urn:tessera:problem:invalid-request',
      errors: [{ pointer: '/collection', detail }],
    });
    for (const table of [digests, jobs, idempotencyKeys]) {
      expect(await parts.database.query.select().from(table)).toEqual([]);
    }
  });

  test('counts what is in it now', async () => {
    const { app, post, collection } = await collected(CHARACTERS - 1);
    expect((await post('/v1/digests', { collection })).status).toBe(422);
    await app.request(`/v1/collections/${collection}/documents/1`, { method: 'DELETE' });
    expect((await post('/v1/digests', { collection })).status).toBe(201);
  });
});
