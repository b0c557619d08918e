import { expect } from 'vitest';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { answered } from '../../support/promises.ts';
import { refusal, type Service, type Suite, soundDigest, told } from '../service.ts';

/** Texts that no other test has. */
const OWN = CITY.map((document) => ({ ...document, text: `${document.text} This is said of the northern district.` }));

async function collectionOf({ post, ask }: Service): Promise<string> {
  const { id } = await told<{ id: string }>(post('/v1/collections', { name: 'Minutes' }), 201);
  for (const { id: document, ...fields } of OWN) {
    await told(ask('PUT', `/v1/collections/${id}/documents/${document}`, fields), 201);
  }
  return id;
}

/** Documents that are kept. */
export const collections: Suite = (holds) => {
  holds('documents are read once and encoded once, whatever is asked of them later', async (service) => {
    const { post, get, runtime, digest } = service;
    const { ai } = runtime;
    const id = await collectionOf(service);
    expect(await told(get(`/v1/collections/${id}`))).toMatchObject({ name: 'Minutes', documents: OWN.length });
    const before = ai.texts.length;
    for (const intent of [CITY_INTENT, 'When do the trams run?', '市议会批准了什么？']) {
      const made = soundDigest(await told(post('/v1/digests', { collection: id, intent }), 201), { documents: OWN });
      expect(made.usage).toMatchObject({ reusedExtractions: OWN.length, reusedEncodings: made.counts?.keyPoints });
      // A collection has its documents in the order of their ids.
      const documents = OWN.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(answered(await digest({ documents, intent }))).toEqual(answered(made));
    }
    const points = new Set(OWN.flatMap(({ text }) => text.split('\n')));
    expect(ai.texts.slice(before).filter((text) => points.has(text))).toEqual([]);
  });

  holds('documents come one a line, all or none', async ({ post, get }) => {
    const { id } = await told<{ id: string }>(post('/v1/collections', {}), 201);
    const path = `/v1/collections/${id}/documents`;
    const lines = OWN.map(({ id, text }) => JSON.stringify({ id, text }));
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': `lines-${id}` };
    const { detail, errors } = await refusal(post(path, [...lines, '', '{"id":"last"}'].join('\n'), headers), 422);
    expect([detail, errors?.length]).toEqual([`/documents/${OWN.length}/text: is missing (line ${OWN.length + 2})`, 1]);
    expect((await told<{ documents: object[] }>(get(path))).documents).toEqual([]);
    const first = await told<object>(post(path, lines.join('\r\n'), headers));
    expect(first).toMatchObject({ documents: OWN.map(({ id }) => ({ id, status: 'ok', isNew: true })) });
    expect(await told(post(path, lines.join('\r\n'), headers))).toEqual(first);
  });

  holds('documents are listed, replaced and removed', async (service) => {
    const { get, ask } = service;
    const id = await collectionOf(service);
    const path = `/v1/collections/${id}/documents`;
    const first = await told<{ documents: { id: string }[]; next: string }>(get(`${path}?limit=4`));
    const rest = await told<{ documents: { id: string }[]; next: null }>(get(`${path}?limit=4&cursor=${first.next}`));
    expect([...first.documents, ...rest.documents].map((each) => each.id)).toEqual(OWN.map((each) => each.id).sort());
    expect(rest.next).toBeNull();
    await told(ask('PUT', `${path}/garden`, { text: 'Roses need no copper.' }), 200);
    expect(await told(get(`${path}/garden`))).toMatchObject({ characters: 21, keyPoints: 1 });
    expect((await ask('DELETE', `${path}/garden`)).status).toBe(204);
    expect((await get(`${path}/garden`)).status).toBe(404);
    expect((await ask('DELETE', `/v1/collections/${id}`)).status).toBe(204);
    expect((await get(`/v1/collections/${id}`)).status).toBe(404);
  });
};
