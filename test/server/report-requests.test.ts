import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { ResolvedReport } from '../../src/digest/index.ts';
import { digests } from '../../src/store/schema.ts';
import { countWords } from '../../src/summary/index.ts';
import { digestOf } from '../support/digest-of.ts';
import { CITY } from '../support/documents.ts';
import { answered } from '../support/promises.ts';
import { type TestApp, testApp } from '../support/test-deps.ts';

const problem = 'What will the congestion charge do to sales in the old town?';
const report = (intent: ResolvedReport, documents = CITY) => digestOf(testApp(), { documents, intent });

test('the problem alone is searched: a user story moves no relevance, no facet and no pick', async () => {
  const plain = await report({ problem });
  for (const userStory of [
    'As a tram driver I want to know when the second tram line opens.',
    'I am a reporter who writes about how shops and malls compete.',
    'How heavy are neutron stars? What do they cost?',
  ]) {
    const told = await report({ problem, userStory });
    expect(answered(told)).toEqual(answered(plain));
  }
  expect(plain.selection.relevance.facets).toEqual([problem]);
  expect(plain.intent).toEqual({ answered: 'yes', facets: [{ text: problem, answered: true }], nearest: [] });
});

test('constraints are no part of the question: kept where that can be done, else a writer is told of them', async () => {
  const told = await report({ problem: `${problem} Reports should be terse. At most 30 words.` });
  expect(told.selection.relevance.facets).toEqual([problem]);
  expect(told.intent).toEqual({ answered: 'yes', facets: [{ text: problem, answered: true }], nearest: [] });
  expect(countWords(told.summary.sentences.map(({ text }) => text).join(' '))).toBeLessThanOrEqual(30);
  expect(told.warnings).toEqual(['Without a language model as writer, “Reports should be terse.” is not followed']);
  const app = testApp();
  const same = { documents: CITY, intent: problem, summary: { maxWords: 30 } };
  const { warnings: _, ...rest } = answered(await digestOf(app, same));
  expect(told).toMatchObject(rest);
});

test('a sentence about somebody like the reader is no more relevant for it, a refusal is of the problem alone', async () => {
  const documents = [
    ...CITY,
    { id: 'press', text: 'A Hollywood reporter visited the town hall. The reporter wrote about the old cinema.' },
  ];
  const userStory = 'I am a Hollywood reporter who writes about the cinema.';
  const relevanceIn = async (intent: ResolvedReport) =>
    (await report(intent, documents)).keyPoints.map(({ id, relevance, selected }) => [id, relevance, selected]);
  expect(await relevanceIn({ problem, userStory })).toEqual(await relevanceIn({ problem }));
  const { intent, summary } = await report({ problem: 'How heavy are neutron stars?', userStory }, documents);
  expect(intent?.answered).toBe('no');
  expect(summary.text).toContain('How heavy are neutron stars?');
  expect(summary.text).not.toContain('reporter');
});

test('what the reader knows already gives way to what is new', async () => {
  const known = 'The council approved a congestion charge of 4 euros for cars in the old town.';
  const request = (background?: string) =>
    digestOf(testApp(), {
      documents: CITY,
      intent: { problem: 'What did the council approve for cars in the old town?', ...(background && { background }) },
      selection: { size: { keyPoints: 1 }, coverage: { weight: 0 }, background: { weight: 5 } },
    });
  const picked = async (background?: string) =>
    (await request(background)).keyPoints.find(({ selected }) => selected)?.text;
  expect(await picked()).toBe(known);
  expect(await picked(known)).not.toBe(known);
  expect(await picked(' \n')).toBe(known);
});

describe('the background is not kept', () => {
  const asked = { documents: CITY, intent: { problem, background: 'Nobody but me knows about the zeppelin.' } };
  /** The tables that hold the word. */
  async function holders({ parts }: TestApp): Promise<string[]> {
    const { query } = parts.database;
    const found: string[] = [];
    for (const { name } of await query.all<{ name: string }>(
      sql`select name from sqlite_master where type = 'table'`,
    )) {
      const rows = await query.all(sql`select * from ${sql.identifier(name)}`);
      if (JSON.stringify(rows).includes('zeppelin')) found.push(name);
    }
    return found;
  }

  test('beyond the digest', async () => {
    const app = testApp();
    await digestOf(app, asked);
    expect(await holders(app)).toEqual([]);
  });

  test('beyond a digest that failed, but for making it again: until it is made, or deleted', async () => {
    for (const way of ['retried', 'deleted'] as const) {
      const app = testApp();
      const { rank } = app.parts.engine;
      app.parts.engine.rank = async () => {
        throw new Error('out of order');
      };
      expect((await app.post('/v1/digests', asked)).status).toBe(500);
      expect(await holders(app)).toEqual(['digests']);
      app.parts.engine.rank = rank;
      const [{ id }] = await app.parts.database.query.select({ id: digests.id }).from(digests);
      if (way === 'deleted') await app.app.request(`/v1/digests/${id}`, { method: 'DELETE' });
      else {
        expect((await app.post(`/v1/digests/${id}/retry`, {})).status).toBe(202);
        await vi.waitFor(async () => expect(await holders(app)).toEqual([]), { timeout: 20_000 });
      }
      expect(await holders(app)).toEqual([]);
    }
  });

  test('beyond a digest that was cancelled; it is there as long as somebody may still make it', async () => {
    const app = testApp({ slots: 0 });
    const accepted = await app.post('/v1/digests', asked, { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    expect(await holders(app)).toEqual(['digests']);
    const location = String(accepted.headers.get('location'));
    expect((await app.app.request(location, { method: 'DELETE' })).status).toBe(200);
    expect(await holders(app)).toEqual([]);
  });
});

describe('the date window', () => {
  const excludedBy = async (window: Omit<ResolvedReport, 'problem'>, documents = CITY) => {
    const { documents: statuses } = await report({ problem, ...window }, documents);
    return statuses.flatMap(({ id, status }) => (status === 'excluded' ? [id] : [])).sort();
  };

  test('leaves out what was published before or after', async () => {
    expect(await excludedBy({ publishedAfter: '2026-03-01' })).toEqual(['garden', 'university']);
    expect(await excludedBy({ publishedBefore: '2026-03-04' })).toEqual(['meeting', 'shops']);
    expect(await excludedBy({ publishedAfter: '2026-03-01', publishedBefore: '2026-03-04' })).toEqual([
      'garden',
      'meeting',
      'shops',
      'university',
    ]);
    expect(await excludedBy({})).toEqual([]);
  });

  test('both ends belong to it, whole days where there is no time', async () => {
    expect(await excludedBy({ publishedAfter: '2026-03-02', publishedBefore: '2026-03-05' })).toEqual([
      'garden',
      'meeting',
      'university',
    ]);
    const at = (publishedAt: string) => [{ id: 'a', text: 'The charge rises.', publishedAt }];
    expect(await excludedBy({ publishedBefore: '2026-03-05' }, at('2026-03-05T23:59:59Z'))).toEqual([]);
    expect(await excludedBy({ publishedBefore: '2026-03-05' }, at('2026-03-06T00:00:00Z'))).toEqual(['a']);
    expect(await excludedBy({ publishedBefore: '2026-03-05T12:00:00Z' }, at('2026-03-05T12:00:00Z'))).toEqual([]);
    expect(await excludedBy({ publishedBefore: '2026-03-05T12:00:00Z' }, at('2026-03-05T12:00:01Z'))).toEqual(['a']);
    expect(await excludedBy({ publishedAfter: '2026-03-05T12:00:00Z' }, at('2026-03-05T14:00:00+02:00'))).toEqual([]);
    expect(await excludedBy({ publishedAfter: '2026-03-05T12:00:00Z' }, at('2026-03-05T13:59:00+02:00'))).toEqual([
      'a',
    ]);
  });

  test('what is outside is not extracted, cited or counted', async () => {
    const app = testApp();
    const { keyPoints, sources, summary, metrics } = await digestOf(app, {
      documents: CITY,
      intent: { problem, publishedAfter: '2026-03-04' },
    });
    const inside = ['meeting', 'shops', 'tram'];
    expect(app.parts.engine.extracted).toHaveLength(inside.length);
    expect(new Set(keyPoints.map(({ document }) => document))).toEqual(new Set(inside));
    for (const { document } of sources) expect(inside).toContain(document);
    expect(metrics.citedDocuments).toBeCloseTo(sources.length / inside.length, 4);
    expect(summary.sentences[0].text).not.toContain('six documents');
  });

  test('undated documents pass, with a warning that counts them', async () => {
    expect((await report({ problem, publishedAfter: '2026-03-01' })).warnings).toEqual([
      'One document has no publication date and was read regardless of the date window.',
    ]);
    const undated = CITY.map(({ id, text }) => ({ id, text }));
    expect((await report({ problem, publishedBefore: '2026-03-01' }, undated)).warnings).toEqual([
      '6 documents have no publication date and were read regardless of the date window.',
    ]);
    expect((await report({ problem })).warnings).toEqual([]);
  });

  test('a window that is the wrong way round holds no dated document', async () => {
    const dated = CITY.filter(({ publishedAt }) => publishedAt !== undefined);
    const { status, documents, summary, sources } = await report(
      { problem, publishedAfter: '2026-03-05', publishedBefore: '2026-01-01' },
      dated,
    );
    expect(status).toBe('completed');
    expect(documents.every((document) => document.status === 'excluded')).toBe(true);
    expect(summary.sentences).toMatchObject([{ framing: true }]);
    expect(sources).toEqual([]);
  });

  test('an excluded document is read by the next request that wants it', async () => {
    const app = testApp();
    await digestOf(app, { documents: CITY, intent: { problem, publishedAfter: '2026-03-04' } });
    const { documents, usage } = await digestOf(app, { documents: CITY, intent: problem });
    expect(documents.every(({ status }) => status === 'ok')).toBe(true);
    expect(usage.reusedExtractions).toBe(3);
  });
});
