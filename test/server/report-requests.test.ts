import { describe, expect, test } from 'vitest';
import type { ResolvedReport } from '../../src/digest/index.ts';
import { digestOf } from '../support/digest-of.ts';
import { CITY } from '../support/documents.ts';
import { answered } from '../support/promises.ts';
import { testApp } from '../support/test-deps.ts';

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
});
