import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { createDigest, type ResolvedRequest } from '../../../src/digest/index.ts';
import { loadPrompts } from '../../../src/models/index.node.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import { LEVEL } from '../../../src/selection/index.ts';
import type { SourceDocument } from '../../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { expectSound } from '../../support/promises.ts';
import { testDeps } from '../../support/test-deps.ts';

const NOWHERE = 'How heavy are neutron stars?';

const digestOf = (request: Partial<ResolvedRequest>, documents: readonly SourceDocument[] = CITY, deps = testDeps()) =>
  createDigest({ documents, ...request } as ResolvedRequest, deps);

const selectedIn = ({ keyPoints }: Digest) => keyPoints.filter(({ selected }) => selected);

describe('whether the question is answered', () => {
  test('yes where a point passes, and nothing is named as nearest', async () => {
    const digest = await digestOf({ intent: CITY_INTENT });
    expect(digest.intent).toEqual({ answered: 'yes', facets: [{ text: CITY_INTENT, answered: true }], nearest: [] });
    const selected = selectedIn(digest);
    expect(selected.length).toBeGreaterThan(0);
    expect(selected.length).toBeLessThanOrEqual(12);
    for (const { probability } of selected) expect(probability).toBeGreaterThanOrEqual(LEVEL.absolute);
    expect(digest.warnings).toEqual([]);
    expectSound(digest, CITY);
  });

  test('no where nothing passes: no points, one sentence, and the points that come nearest', async () => {
    const digest = await digestOf({ intent: NOWHERE });
    expect(digest.intent).toMatchObject({ answered: 'no', facets: [{ text: NOWHERE, answered: false }] });
    expect(selectedIn(digest)).toEqual([]);
    expect(digest.sources).toEqual([]);
    expect(digest.summary.sentences).toHaveLength(1);
    expect(digest.summary.sentences[0]).toMatchObject({ framing: true });
    expect(digest.status).toBe('completed');
    expect(digest.keyPoints.length).toBeGreaterThan(10);
    expect(digest.keyPoints.every(({ reason }) => reason === 'level' || reason === 'gate')).toBe(true);
    const nearest = digest.keyPoints.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0)).slice(0, 3);
    expect(digest.intent?.nearest).toEqual(nearest.map(({ id }) => id));
    expectSound(digest, CITY);
  });
});

describe('how many are told', () => {
  test.each([1, 3, 8])('a named size of %i is filled whatever the level', async (keyPoints) => {
    for (const intent of [CITY_INTENT, NOWHERE]) {
      const digest = await digestOf({ intent, selection: { size: { keyPoints }, relevance: { gate: null } } });
      expect(selectedIn(digest)).toHaveLength(keyPoints);
      expect(digest.keyPoints.some(({ reason }) => reason === 'level')).toBe(false);
      expect(digest.intent?.answered).toBe(intent === NOWHERE ? 'no' : 'yes');
    }
  });

  test.each(['dpp-map', 'dpp-map-exact', 'mmr', 'relevance', 'facility-location', 'random'] as const)(
    '%s tells none below the level where nobody says how many',
    async (strategy) => {
      const digest = await digestOf({ intent: CITY_INTENT, selection: { strategy } });
      expect(selectedIn(digest).length).toBeGreaterThan(0);
      for (const { probability } of selectedIn(digest)) expect(probability).toBeGreaterThanOrEqual(LEVEL.absolute);
      const none = await digestOf({ intent: NOWHERE, selection: { strategy } });
      expect([selectedIn(none), none.intent?.answered]).toEqual([[], 'no']);
    },
  );
});

test('an encoder whose cosines were never measured never says no, and the digest warns of it', async () => {
  const { calibration } = new HashedWordsEncoder().profile;
  const unmeasured = new HashedWordsEncoder({ id: 'unmeasured/1', calibration: { ...calibration, relevance: null } });
  for (const intent of [CITY_INTENT, NOWHERE]) {
    const deps = testDeps({ engine: new InProcessEngine({ unmeasured }) });
    const digest = await digestOf({ intent, engine: { encoder: 'unmeasured' } }, CITY, deps);
    expect(digest.intent).toMatchObject({ answered: 'yes', nearest: [] });
    expect(selectedIn(digest).length).toBeGreaterThan(0);
    expect(digest.keyPoints.every(({ probability }) => probability === null)).toBe(true);
    expect(digest.warnings.filter((warning) => warning.includes('no calibrated relevance'))).toHaveLength(1);
  }
});

test('a reader of the engine is asked about questions only, and what it says moves the order', async () => {
  const asked: string[] = [];
  const read = async (favourite: string, intent: string) => {
    const engine = Object.assign(new InProcessEngine(), {
      reader: {
        id: 'scripted',
        read: async (
          question: string,
          passages: readonly { readonly lines: readonly { text: string; isHeading: boolean }[] }[],
        ) => {
          asked.push(question);
          return passages.map(({ lines }) =>
            Float64Array.from(
              lines.filter(({ isHeading }) => !isHeading),
              ({ text }) => (text.includes(favourite) ? 4 : -6),
            ),
          );
        },
      },
    });
    const { keyPoints } = await digestOf({ intent }, CITY, testDeps({ engine }));
    return keyPoints.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0))[0].text;
  };
  expect(await read('malls', CITY_INTENT)).toContain('malls');
  expect(await read('half the charge', CITY_INTENT)).toContain('half the charge');
  expect(asked).toEqual([CITY_INTENT, CITY_INTENT]);
  await read('malls', 'congestion charge and sales');
  expect(asked).toHaveLength(2);
});

test('a writer chooses among all points where there are few', async () => {
  const complete = () => Promise.reject(new ModelCallError('server', 'It failed.'));
  const model = { defaultModel: 'fake', contextTokens: 8000, complete };
  const writing = testDeps({ models: { model, prompts: loadPrompts(), extractor: 'sentences', writer: 'llm' } });
  const [composed, written] = [
    await digestOf({ intent: CITY_INTENT }),
    await digestOf({ intent: CITY_INTENT }, CITY, writing),
  ];
  expect(composed.selection.gate.dropped).toBeGreaterThan(0);
  expect(written.selection.gate).toEqual({ kept: written.keyPoints.length, dropped: 0 });
});
