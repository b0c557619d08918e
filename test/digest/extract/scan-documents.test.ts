import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import {
  type HashedDocument,
  makeDigest,
  type RequestDocument,
  type ResolvedRequest,
} from '../../../src/digest/index.ts';
import type { SentenceReader } from '../../../src/models/index.ts';
import { saveDocuments, storeCache } from '../../../src/store/index.ts';
import { documents as storedTexts } from '../../../src/store/schema.ts';
import { contentHash, contentStems } from '../../../src/text/index.ts';
import { reports } from '../../bench/reports.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { toldOf as told } from '../../support/promises.ts';
import { testDeps } from '../../support/test-deps.ts';

/** A score by the words that a sentence shares with the question. */
const READER: SentenceReader = {
  id: 'shared-words',
  async read(question, passages) {
    const asked = contentStems(question);
    const shared = (text: string) => [...contentStems(text)].filter((stem) => asked.has(stem)).length;
    return passages.map(({ lines }) =>
      Float64Array.from(
        lines.filter(({ isHeading }) => !isHeading),
        ({ text }) => 2 * shared(text) - 3,
      ),
    );
  },
};

/** More key points than are read without a scan. */
const MANY = reports(125, 2400).map(
  (document, place): RequestDocument => ({
    ...document,
    ...(place % 5 === 0 && { weight: 2 }),
    ...(place % 2 === 0 && { title: `Notes of meeting ${place}` }),
    ...(place % 3 === 0 && { publishedAt: `2025-0${1 + (place % 9)}-03` }),
  }),
);

const FAST = { kernel: { similarity: 'cosine' } } as const;
const QUESTION = 'What did the council decide about night trains?';

async function stored(documents: readonly RequestDocument[] = MANY, reader: SentenceReader | undefined = undefined) {
  const engine = new InProcessEngine();
  const deps = testDeps({ engine: reader === undefined ? engine : Object.assign(engine, { reader }) });
  const cache = storeCache(deps.database);
  const hashed = documents.map(({ text, ...document }): HashedDocument => ({ ...document, hash: contentHash(text) }));
  await saveDocuments(
    deps.database,
    documents.map(({ text }) => ({ hash: contentHash(text), text })),
  );
  const ask = async (request: Partial<ResolvedRequest>, maxPoints?: number): Promise<Digest> => {
    const given = { documents: [], stored: hashed, storedPoints: 5000, selection: FAST, ...request };
    const own = { ...deps, cache, ...(maxPoints !== undefined && { maxPoints }) };
    return (await makeDigest(given, own)).digest;
  };
  return { engine, deps, hashed, ask };
}

describe('a collection of many key points', () => {
  test.each([
    ['a question', QUESTION, READER],
    ['a question without a reader', QUESTION, undefined],
    ['several questions', 'Which treaties were signed? Who voted against the new bridge?', READER],
    ['a topic', 'the price of milk', undefined],
    ['a window of dates', { problem: 'What was delayed by the clinic?', publishedAfter: '2025-02-01' }, READER],
  ])('is told as its documents are: %s', async (_, intent, reader) => {
    const { ask, engine } = await stored(MANY, reader);
    const scanned = await ask({ intent });
    const whole = await ask({ intent, documents: MANY, stored: undefined });
    expect(told(scanned)).toEqual(told(whole));
    expect(scanned.counts?.keyPoints).toBe(whole.keyPoints.length);
    expect(scanned.keyPoints.length).toBeLessThan(whole.keyPoints.length);
    engine.extracted.length = 0;
    engine.encoder.calls.length = 0;
    expect(told(await ask({ intent }))).toEqual(told(scanned));
    expect(engine.extracted).toEqual([]);
    expect(engine.encoder.calls.flat().every((text) => JSON.stringify(intent).includes(text))).toBe(true);
  });

  test('with a document too long for the reader is told as its documents are', async () => {
    const [long] = reports(1, 60_000);
    const documents = [...MANY, { id: 'long', text: long.text }];
    const { ask } = await stored(documents, READER);
    const scanned = await ask({ intent: QUESTION });
    expect(told(scanned)).toEqual(told(await ask({ intent: QUESTION, documents, stored: undefined })));
  });

  test('with few of them is told with the receipts of all', async () => {
    const { ask } = await stored(MANY.slice(0, 20));
    const intent = QUESTION;
    const scanned = await ask({ intent });
    const whole = await ask({ intent, documents: MANY.slice(0, 20), stored: undefined });
    expect(scanned.keyPoints.map(({ id, reason }) => [id, reason])).toEqual(
      whole.keyPoints.map(({ id, reason }) => [id, reason]),
    );
    expect(told(scanned)).toEqual(told(whole));
  });

  test('is read whole where the question is in another language, or wants all of it', async () => {
    const { ask } = await stored(MANY.slice(0, 10));
    for (const request of [
      { intent: 'Was sagt der Stadtrat eigentlich über die neue Brücke und über die Steuern der Bauern?' },
      {},
      { intent: QUESTION, selection: { ...FAST, strategy: 'relevance', relevance: { gate: 0 } } } as const,
    ]) {
      const whole = await ask({ ...request, documents: MANY.slice(0, 10), stored: undefined });
      expect(told(await ask(request))).toEqual(told(whole));
    }
  });

  test('of which some are in another language, these are found by their words', async () => {
    const german = Array.from({ length: 5 }, (_, i) => ({
      id: `g${i}`,
      text: `Der Stadtrat hat die Brücke beschlossen und die Steuern für die Bauern im Tal erhöht. Die Schule bekommt dafür im nächsten Jahr ein neues Dach und einen Garten.`,
    }));
    const documents = [...MANY, ...german];
    const { ask } = await stored(documents);
    const intent = 'What do they say about Brücke and Steuern?';
    const { keyPoints } = await ask({ intent });
    const found = keyPoints.filter(({ document }) => document.startsWith('g'));
    expect(found).toHaveLength(10);
    const named = found.filter(({ relevance }) => (relevance ?? 0) > 0);
    expect(named.map(({ text }) => text.includes('Brücke'))).toEqual(Array(5).fill(true));
    expect(keyPoints.length).toBeLessThan(2000);
  });
});

describe('what goes wrong', () => {
  test('documents deleted meanwhile are told as failed, and the rest is told', async () => {
    const { ask, deps, hashed } = await stored();
    const intent = QUESTION;
    const before = await ask({ intent });
    const [lost] = before.keyPoints.filter(({ selected }) => selected);
    const hash = hashed.find(({ id }) => id === lost.document)?.hash ?? '';
    await deps.database.commit([deps.database.query.delete(storedTexts).where(eq(storedTexts.hash, hash))]);
    const after = await ask({ intent });
    expect(after.status).toBe('partial');
    const gone = after.documents.filter(({ status }) => status === 'failed');
    expect(gone).toEqual([
      expect.objectContaining({ id: lost.document, error: expect.objectContaining({ code: 'document-deleted' }) }),
    ]);
    expect(after.summary.sentences.length).toBeGreaterThan(0);
    expect(after.sources.map(({ document }) => document)).not.toContain(lost.document);
    const others = MANY.filter(({ id }) => id !== lost.document);
    const whole = await ask({ intent, documents: others, stored: undefined });
    expect(after.summary.text).toBe(whole.summary.text);
  });

  test('a document that cannot be read is told as failed, and is read again the next time', async () => {
    const { ask, engine } = await stored();
    const [broken] = MANY;
    engine.unreadable.add(broken.text);
    const intent = QUESTION;
    expect((await ask({ intent })).counts?.documents).toMatchObject({ failed: 1, ok: MANY.length - 1 });
    engine.unreadable.clear();
    expect((await ask({ intent })).counts?.documents).toMatchObject({ failed: 0, ok: MANY.length });
  });

  test('more than may be scanned is refused', async () => {
    const { ask } = await stored();
    await expect(ask({ intent: QUESTION }, 500)).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect((await ask({ intent: QUESTION }, 1300)).status).toBe('completed');
  });
});
