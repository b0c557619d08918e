import { expect } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { vectorLists } from '../../../src/store/schema.ts';
import type { SourceDocument } from '../../../src/text/index.ts';
import { seeded } from '../../selection/kernel/random.ts';
import { toldOf } from '../../support/promises.ts';
import { LATER, type Suite, soundDigest, told } from '../service.ts';

const WORDS = [
  'The council,The clinic,The ferry company,A farmer,The school,Our auditor,The museum,Every tenant',
  'paid for,delayed,repaired,voted against,reported on,sold,asked about,closed',
  'the bridge,night trains,flood walls,the price of milk,a hospital ward,school meals,old pumps,the forest',
].map((list) => list.split(','));
const NEWS = { id: 'news', text: 'Night trains run to the coast. The clinic bought a second boat.' };

/** More sentences than are read without a search, and in the first document more than one row of the database takes. */
function minutes(): SourceDocument[] {
  const random = seeded(3);
  const said = () => WORDS.map((list) => list[random.below(list.length)]).join(' ');
  const lines = (count: number) => Array.from({ length: count }, () => `${said()} in ${1900 + random.below(125)}.`);
  return Array.from({ length: 30 }, (_, i) => ({ id: `day-${10 + i}`, text: lines(i === 0 ? 700 : 47).join(' ') }));
}

/** Collections that are searched before they are read. */
export const scans: Suite = (holds) => {
  holds('a collection of many key points is searched, and told as its documents are', async (service) => {
    const { post, ask, get, ended, runtime } = service;
    const { ai, connection } = runtime;
    const { id: collection } = await told<{ id: string }>(post('/v1/collections', {}), 201);
    const path = `/v1/collections/${collection}/documents`;
    const all = minutes();
    await told(post(path, { documents: all }));
    const asked = async (intent: string, documents: readonly SourceDocument[], status = 201) => {
      const before = ai.texts.length;
      const headers = status === 202 ? LATER : {};
      const { id } = await told<{ id: string }>(post('/v1/digests', { collection, intent }, headers), status);
      const digest = soundDigest(await ended(id), { documents });
      expect(ai.texts.slice(before).every((text) => text.endsWith(intent))).toBe(true);
      const { keyPoints, counts } = await told<Digest>(get(`/v1/digests/${id}?include=receipts`));
      expect(counts?.keyPoints).toBeGreaterThan(2000);
      expect(keyPoints.length).toBeLessThan(1000);
      return digest;
    };
    const isTold = async (digest: Digest, intent: string, documents: readonly SourceDocument[]) =>
      expect(toldOf(digest)).toEqual(toldOf(await service.digest({ documents, intent })));

    const topic = 'the price of milk';
    await isTold(await asked(topic, all, 202), topic, all);

    expect((await ask('DELETE', `${path}/day-20`)).status).toBe(204);
    await told(post(path, { documents: [NEWS] }));
    const documents = [...all.filter(({ id }) => id !== 'day-20'), NEWS];
    const question = 'Where do night trains run?';
    const made = await asked(question, documents);
    expect(made.sources.map(({ document }) => document)).toContain('news');
    expect(made.usage.reusedExtractions).toBe(documents.length);
    await isTold(made, question, documents);

    // Another day, on which a Worker packs all again.
    await connection.commit([connection.query.update(vectorLists).set({ usedOn: 0 })]);
    expect(toldOf(await asked(question, documents))).toEqual(toldOf(made));
  });
};
