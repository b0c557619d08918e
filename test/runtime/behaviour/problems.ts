import { expect } from 'vitest';
import { CITY } from '../../support/documents.ts';
import { pointers, refusal, type Suite } from '../service.ts';

/** What cannot be served is told as what it is. */
export const problems: Suite = (holds) => {
  holds('unknown fields are refused by name and place', async ({ post }) => {
    const documents = CITY.slice(0, 1);
    expect(await pointers(post('/v1/digests', { documents, intnet: 'x' }))).toEqual(['/intnet']);
    expect(await pointers(post('/v1/digests', { documents, selection: { kernel: { sigmaa: 1 } } }))).toEqual([
      '/selection/kernel/sigmaa',
    ]);
    expect(await pointers(post('/v1/selections', { kernel: [[1]], 'a/b': 1 }))).toEqual(['/a~1b']);
  });

  holds('a body that is not JSON', async ({ post }) => {
    for (const body of ['', '{', '{"documents":[],}', 'NaN', '\0', '['.repeat(100_000)]) {
      await refusal(post('/v1/digests', body), 400, 'malformed-json');
    }
  });

  holds('a body of another type', async ({ runtime }) => {
    const body = new TextEncoder().encode(JSON.stringify({ documents: CITY }));
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const response = runtime.fetch('/v1/digests', { method: 'POST', headers: { 'content-type': type }, body });
      await refusal(response, 415, 'unsupported-media-type');
    }
  });

  holds('half of a surrogate pair', async ({ post }) => {
    const documents = [{ id: 'a', text: 'whole 🚋, half \ud83d' }];
    expect(await pointers(post('/v1/digests', { documents }))).toEqual(['/documents/0/text']);
    expect(await pointers(post('/v1/selections', { items: [{ id: 'a', text: '\udc00' }] }))).toEqual(['/items/0/text']);
  });

  holds('a body above the limit, announced or not', async ({ runtime }) => {
    const text = JSON.stringify({ documents: [{ id: 'a', text: 'x'.repeat(8 * 1024 * 1024) }] });
    const headers = { 'content-type': 'application/json' };
    await refusal(runtime.fetch('/v1/digests', { method: 'POST', headers, body: text }), 413, 'body-too-large');
    const body = new Blob([text]).stream();
    // `duplex` is what Node asks for of a body that is a stream.
    const streamed = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    await refusal(runtime.fetch('/v1/digests', streamed), 413, 'body-too-large');
  });

  holds('more documents, characters or points than are read', async ({ post }) => {
    const many = Array.from({ length: 201 }, (_, i) => ({ id: `d${i}`, text: 'x' }));
    expect(await pointers(post('/v1/digests', { documents: many }))).toEqual(['/documents']);
    const long = [{ id: 'a', text: ' '.repeat(1_000_001) }];
    expect(await pointers(post('/v1/digests', { documents: long }))).toEqual(['/documents/0/text']);
    const together = ['a', 'b', 'c'].map((id) => ({ id, text: ' '.repeat(700_000) }));
    expect(await pointers(post('/v1/digests', { documents: together }))).toEqual(['/documents']);
    const selection = { size: { keyPoints: 1001 } };
    expect(await pointers(post('/v1/digests', { documents: CITY, selection }))).toEqual(['/selection/size/keyPoints']);
  });

  holds('addresses and methods that there are not', async ({ get, ask }) => {
    await refusal(get('/v1/unheard-of'), 404, 'not-found');
    await refusal(get('/v1/digests/dig_0'), 404);
    await refusal(get('/v1/collections/col_0'), 404);
    await refusal(get('/v1/experiments/unheard-of'), 404);
    expect([404, 405]).toContain((await ask('PATCH', '/v1/digests', {})).status);
    const { headers } = await ask('PATCH', '/v1/digests', {});
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  holds('an encoder or a model that there is not', async ({ post }) => {
    const documents = CITY.slice(0, 1);
    expect(await pointers(post('/v1/digests', { documents, engine: { encoder: 'transformers' } }))).toEqual([
      '/engine/encoder',
    ]);
    expect(await pointers(post('/v1/digests', { documents, engine: { writer: 'llm' } }))).toEqual(['/engine/writer']);
  });
};
