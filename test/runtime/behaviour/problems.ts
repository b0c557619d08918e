import { expect } from 'vitest';
import { CITY } from '../../support/documents.ts';
import { pointers, refusal, type Suite } from '../service.ts';

/** What cannot be served is told as what it is. */
export const problems: Suite = (holds) => {
  holds('a body that is not JSON', async ({ post }) => {
    for (const body of ['', '{', '{"documents":[],}', 'NaN', '\0', '['.repeat(100_000)]) {
      await refusal(post('/v1/digests', body), 400, 'malformed-json');
    }
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
};
