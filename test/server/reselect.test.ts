import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Digest,
  type SelectionRequest,
  type SelectionsAnswer,
  selectionsAnswerSchema,
} from '../../src/contract/index.ts';
import type { ResolvedRequest } from '../../src/digest/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { HoldingEngine } from '../support/holding-engine.ts';
import { sameSelection } from '../support/same-selection.ts';

import { type TestApp, testApp } from '../support/test-deps.ts';
import { variedDocuments, variedIntent } from '../support/varied-documents.ts';

async function digestOf({ post }: TestApp, request: ResolvedRequest): Promise<Digest> {
  const response = await post('/v1/digests?include=receipts', request);
  const digest = (await response.json()) as Digest;
  expect(response.status, JSON.stringify(digest)).toBe(201);
  return digest;
}

async function reselect({ post }: TestApp, request: object): Promise<SelectionsAnswer> {
  const response = await post('/v1/selections', request);
  const answer = (await response.json()) as SelectionsAnswer;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  expect(selectionsAnswerSchema.parse(answer)).toEqual(answer);
  return answer;
}

/** Ids of the selected points by rank. */
function picksOf({ keyPoints }: Digest): string[] {
  const selected = keyPoints.filter(({ selected }) => selected);
  return selected.sort((a, b) => Number(a.rank) - Number(b.rank)).map(({ id }) => id);
}

const ids = ({ selected }: SelectionsAnswer) => selected.map(({ id }) => id);

/** Selects with the digest's own options, and holds the picks to the digest's. */
async function expectSame(service: TestApp, digest: Digest): Promise<SelectionsAnswer> {
  const again = await reselect(service, { digest: digest.id, selection: sameSelection(digest) });
  const picks = picksOf(digest);
  const reasons = new Map(digest.keyPoints.map(({ id, reason }) => [id, reason]));
  const isPicked = new Set(picks);
  expect(ids(again).filter((id) => isPicked.has(String(id)))).toEqual(picks);
  // What the summary could not hold was selected, and let go.
  for (const id of ids(again))
    if (!isPicked.has(String(id))) expect(['words', 'size', 'supports']).toContain(reasons.get(String(id)));
  const { kernel, support, gate, relevance } = digest.selection;
  expect(again).toMatchObject({ kernel, support, gate, relevance: { ...relevance, facets: [], encoder: null } });
  expect(again.items.map(({ salience }) => salience)).toEqual(digest.keyPoints.map(({ salience }) => salience));
  return again;
}

const selections: fc.Arbitrary<SelectionRequest> = fc.oneof(
  fc.record(
    {
      strategy: fc.constantFrom('dpp-map' as const, 'mmr' as const, 'facility-location' as const),
      size: fc.oneof(
        fc.record({ keyPoints: fc.integer({ min: 1, max: 20 }) }),
        fc.record({ words: fc.integer({ min: 20, max: 200 }) }),
        fc.constant('auto' as const),
      ),
      kernel: fc.record(
        {
          similarity: fc.constantFrom('bertscore' as const, 'cosine' as const),
          form: fc.constantFrom('gaussian' as const, 'linear' as const),
        },
        { requiredKeys: [] },
      ),
      relevance: fc.record(
        { gate: fc.constantFrom(null, 0.2, 0.7), surroundings: fc.constantFrom(0, 0.5, 1), weight: fc.constant(0.6) },
        { requiredKeys: [] },
      ),
      salience: fc.constant({ weight: 0.3 }),
      coverage: fc.constantFrom({ weight: 0 }, { weight: 20 }, { threshold: { percentile: 60 } }),
      support: fc.constant({ threshold: null }),
      refine: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    strategy: fc.constantFrom('relevance' as const, 'random' as const),
    seed: fc.integer({ min: 0, max: 99 }),
  }),
  fc.record({
    strategy: fc.constantFrom('dpp-sample' as const, 'k-dpp' as const),
    seed: fc.integer({ min: 0, max: 99 }),
  }),
  fc.constant({ strategy: 'dpp-map-exact' as const, size: { keyPoints: 4 }, exact: { nodes: 300 } }),
  fc.constant({ preset: 'published' as const }),
);

describe('with the options of the digest the picks are those of the digest, in the same order', () => {
  test('whatever the documents and the options', async () => {
    const service = testApp({ engine: new HoldingEngine() });
    let surrounded = 0;
    let gated = 0;
    let weighed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.integer({ min: 0, max: 1e6 }),
          documents: fc.integer({ min: 1, max: 7 }),
          sentences: fc.integer({ min: 2, max: 18 }),
          runsOn: fc.boolean(),
          weighed: fc.boolean(),
        }),
        fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
        selections,
        fc.constantFrom(
          { format: 'bullets' as const },
          { format: 'report' as const, maxWords: 60 },
          { format: 'brief' as const },
          {},
        ),
        async (text, subjects, selection, summary) => {
          const intent = subjects.length === 0 ? {} : { intent: variedIntent(subjects) };
          const documents = variedDocuments(text);
          const digest = await digestOf(service, { documents, ...intent, selection, summary });
          await expectSame(service, digest);
          surrounded += Number(digest.selection.relevance.surroundings > 0);
          gated += Number(digest.selection.gate.dropped > 0);
          weighed += Number(digest.keyPoints.some(({ quality }) => quality !== 1));
        },
      ),
      { numRuns: 25 },
    );
    // Nothing above is said of cases that never came.
    expect(Math.min(surrounded, gated, weighed)).toBeGreaterThan(3);
  });
});

describe('what the digest found of its points', () => {
  test('what its reader knew stays out, unless another question is asked', async () => {
    const service = testApp();
    const told = 'A congestion charge of 4 euros would cut car traffic in the old town by 15 percent, the study finds.';
    const intent = { problem: CITY_INTENT, background: told };
    const digest = await digestOf(service, { documents: CITY, intent });
    const known = digest.keyPoints.filter(({ reason }) => reason === 'known').map(({ id }) => id);
    expect(known.length).toBeGreaterThan(0);
    const again = await reselect(service, { digest: digest.id, selection: sameSelection(digest) });
    expect(again.items.filter(({ reason }) => reason === 'known').map(({ id }) => id)).toEqual(known);
    expect(again.gate).toEqual(digest.selection.gate);
    const other = await reselect(service, { digest: digest.id, intent: CITY_INTENT });
    expect(other.items.filter(({ reason }) => reason === 'known')).toEqual([]);
    expect(other.gate).toEqual({ kept: digest.keyPoints.length, dropped: 0 });
  });
});
