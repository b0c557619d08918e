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

describe('the date window', () => {
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
