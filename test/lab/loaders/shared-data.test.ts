import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadSet } from '../../../src/lab/loaders/load-set.ts';

const HAYSTACK = fileURLToPath(new URL('../../../../shared/data/haystacks/h1.json', import.meta.url));
const MEETINGS = fileURLToPath(new URL('../../../../shared/data/qmsum-val.json', import.meta.url));
const fileOf = (path: string) => ({ path, text: readFileSync(path, 'utf8') });

test.skipIf(!existsSync(HAYSTACK))(
  `labelled arguments tell their insights (skipped where ${HAYSTACK} is absent)`,
  () => {
    const { name, collections, cases } = loadSet('haystack', [fileOf(HAYSTACK)]);
    expect([name, collections[0].documents.length, cases.length]).toEqual(['h1', 100, 6]);
    for (const { insights = [], passages = [] } of cases) {
      for (const { id, documents } of insights) {
        const labelled = passages.filter((passage) => passage.insights?.includes(id)).map(({ document }) => document);
        expect(new Set(labelled)).toEqual(new Set(documents));
      }
    }
  },
);

test.skipIf(!existsSync(MEETINGS))(`marked stretches are whole turns (skipped where ${MEETINGS} is absent)`, () => {
  const { collections, cases } = loadSet('meetings', [fileOf(MEETINGS)]);
  expect([collections.length, cases.length]).toEqual([35, 237]);
  const texts = new Map(collections.map(({ id, documents }) => [id, documents[0].text]));
  for (const { passages = [] } of cases) {
    expect(passages.length).toBeGreaterThan(0);
    for (const { document, start, end } of passages) {
      const text = texts.get(document) ?? '';
      expect(start === 0 || text[start - 1] === '\n').toBe(true);
      expect(end === text.length || text[end] === '\n').toBe(true);
    }
  }
});
