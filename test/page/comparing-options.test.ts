import { describe, expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
import { PAIR_PRESETS } from '../../src/page/comparing/compare-form.tsx';
import { experimentInput, experimentOfPair, type PairDraft } from '../../src/page/comparing/experiment-of-pair.ts';
import { compareFigures, differingOptions } from '../../src/page/comparing/figures.tsx';
import type { DigestOptions } from '../../src/page/parts/options.ts';
import type { StoredDigest } from '../../src/page/reading/stored-digest.ts';
import { told } from '../server/experiments-support.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { type TestApp, testApp } from '../support/test-deps.ts';

/** As much of a digest and its request as the comparison reads. */
async function made(
  { post }: TestApp,
  options: DigestOptions,
  intent: string | null = CITY_INTENT,
): Promise<StoredDigest> {
  const body = { documents: CITY, ...(intent !== null && { intent }), ...options };
  const digest = await told<Digest>(post('/v1/digests', body), 201);
  const asked = { digest: digest.id, createdAt: '', intent, collection: null, documents: [], experiment: null };
  const { selection = null, summary = null, engine = null } = options;
  return { digest, request: { ...asked, selection, summary, engine } };
}

const BULLETS = { format: 'bullets' } as const;
const FEW = CITY.slice(0, 2);

test('every preset is served, and makes both sides different', async () => {
  const service = testApp();
  const base: DigestOptions = { selection: { preset: 'published' }, summary: { format: 'bullets' } };
  for (const from of [{}, base, { selection: { size: { keyPoints: 3 } } } satisfies DigestOptions]) {
    for (const { name, left, right } of PAIR_PRESETS) {
      for (const side of [left, right]) {
        const answer = await service.post('/v1/digests', { documents: FEW, intent: CITY_INTENT, ...side(from) });
        expect(answer.status, `${name}: ${await answer.text()}`).toBe(201);
      }
      expect(left(from), name).not.toEqual(right(from));
    }
  }
});

describe('of two digests', () => {
  test('the options that differ are told as they came out, and no others', async () => {
    const service = testApp();
    const left = await made(service, {});
    const right = await made(service, { selection: { strategy: 'mmr', size: { keyPoints: 3 } } });
    const rows = differingOptions({ left, right }).map(({ path, left, right }) => [path, left, right]);
    expect(rows).toEqual([
      ['selection.strategy', 'dpp-map', 'mmr'],
      ['selection.size', 'auto', '3 key points'],
    ]);
    expect(differingOptions({ left, right: left })).toEqual([]);
  });

  test('figures say which way is better, and what cannot be compared', async () => {
    const service = testApp();
    const left = await made(service, { selection: { size: { keyPoints: 8 } } });
    const right = await made(service, { selection: { size: { keyPoints: 2 } } });
    const rows = new Map(compareFigures({ left, right }).map((row) => [row.name, row]));
    const { documentCoverage } = left.digest.metrics;
    expect(documentCoverage).toBeGreaterThan(right.digest.metrics.documentCoverage);
    expect(rows.get('Documents covered')).toMatchObject({ better: 'left', note: 'more is better' });
    expect(rows.get('Documents covered')?.difference).toMatch(/^−[\d.]+ pp$/);
    const varied = (redundancy: number) => ({
      ...left,
      digest: { ...left.digest, metrics: { ...left.digest.metrics, redundancy } },
    });
    const compared = compareFigures({ left: varied(0.9), right: varied(0.1) });
    expect(compared.find(({ name }) => name === 'Redundancy')).toMatchObject({ better: 'right', difference: '−0.8' });
    expect(rows.get('Compression')).toMatchObject({ better: null, note: 'neither is better' });
    expect(rows.get('Words')).toMatchObject({ better: null, note: 'neither is better' });
    expect(rows.get('Objective')?.difference).toMatch(/^[+−]/);
    const mmr = await made(service, { selection: { strategy: 'mmr', size: { keyPoints: 2 } } });
    const other = new Map(compareFigures({ left, right: mmr }).map((row) => [row.name, row]));
    expect(other.get('Objective')).toMatchObject({ difference: null, better: null });
    const asked = await made(service, {}, 'How often do buses run?');
    expect(compareFigures({ left, right: asked }).find(({ name }) => name === 'Relevance')?.note).toContain(
      'questions differ',
    );
    for (const row of compareFigures({ left, right: left })) expect([null, 'none']).toContain(row.difference);
  });

  test('an experiment sets what differs, and is one that the service takes', async () => {
    const service = testApp();
    const shared = { format: 'bullets' } as const;
    const left = await made(service, { summary: shared, selection: { strategy: 'mmr' } });
    const right = await made(service, { summary: shared, selection: { size: { keyPoints: 2 } } });
    const draft = experimentOfPair(left, right) as PairDraft; // they differ
    expect(draft.differing).toEqual([{ selection: { strategy: 'mmr' } }, { selection: { size: { keyPoints: 2 } } }]);
    expect(draft.hypothesis).toBe('Digests cover more of the documents with strategy mmr than with 2 key points.');
    expect(experimentOfPair(right, left)?.hypothesis).toBe(draft.hypothesis);
    const choices = { ...draft, share: 0.3, isCommonSet: false, roles: {}, own: null };
    const input = experimentInput(draft, choices);
    expect(input.variants.map(({ weight, options }) => [weight, options])).toEqual([
      [0.7, { selection: { strategy: 'mmr' } }],
      [0.3, { selection: { size: { keyPoints: 2 } } }],
    ]);
    expect(input.metrics.map(({ key }) => key)).toEqual(['digest.documentCoverage']);
    expect(input.guardrails?.map(({ key }) => key)).toEqual(['digest.relevance', 'digest.latency']);
    expect((await service.post('/v1/experiments', input)).status).toBe(201);
    const whole = experimentInput(draft, { ...choices, key: 'whole', isCommonSet: true });
    expect(whole.variants[0].options).toEqual({ summary: shared, selection: { strategy: 'mmr' } });
    expect((await service.post('/v1/experiments', whole)).status).toBe(201);
    expect(experimentOfPair(left, await made(service, { summary: shared, selection: { strategy: 'mmr' } }, 'x'))).toBe(
      null,
    );
  });

  test('an experiment claims nothing that the pair does not show, and guards nothing that cannot be compared', async () => {
    const service = testApp();
    const left = await made(service, {});
    const published = await made(service, { selection: { preset: 'published' } });
    const draft = experimentOfPair(left, published);
    const row = compareFigures({ left, right: published }).find(({ name }) => name === 'Relevance');
    expect(row?.difference).toBe(null);
    expect(draft?.metrics.find(({ key }) => key === 'digest.relevance')).toMatchObject({
      role: 'none',
      doubt: 'relevance is measured differently',
    });
    // Asked something else, the two say nothing of their options.
    const other = await made(service, { selection: { size: { keyPoints: 2 } } }, 'How often do buses run?');
    expect(experimentOfPair(left, other)?.hypothesis).toBe(
      'Readers are served better with 2 key points than with the defaults.',
    );
    // Of as much coverage, the next that differs is the goal.
    const figures = { ...left.digest.metrics, relevance: (left.digest.metrics.relevance ?? 0) / 2 };
    const lower = { digest: { ...left.digest, metrics: figures }, request: { ...left.request, summary: BULLETS } };
    const nearer = experimentOfPair(left, lower);
    expect(nearer?.hypothesis).toBe(
      'Digests keep closer to what was asked with the defaults than with format bullets.',
    );
    expect(nearer?.metrics.flatMap(({ key, role }) => (role === 'goal' ? [key] : []))).toEqual(['digest.relevance']);
  });
});
