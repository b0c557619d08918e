import { describe, expect, test } from 'vitest';
import type { Digest } from '../../src/client/index.ts';
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

describe('of two digests', () => {
  test('the options that differ are told as they came out, and no others', async () => {
    const service = testApp();
    const left = await made(service, {});
    const right = await made(service, { selection: { strategy: 'mmr', size: { keyPoints: 3 } } });
    const rows = differingOptions({ left, right }).map(({ path, left, right }) => [path, left, right]);
    expect(rows).toEqual([
      ['selection.strategy', 'best set, quickly', 'relevance minus repetition'],
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
    expect(compared.find(({ name }) => name === 'Repetition')).toMatchObject({ better: 'right', difference: '−0.8' });
    expect(rows.get('Compression')).toMatchObject({ better: null, note: 'neither is better' });
    expect(rows.get('Words')).toMatchObject({ better: null, note: 'neither is better' });
    const asked = await made(service, {}, 'How often do buses run?');
    expect(compareFigures({ left, right: asked }).find(({ name }) => name === 'Relevance')?.note).toContain(
      'not comparable: other intent',
    );
    for (const row of compareFigures({ left, right: left })) expect([null, 'none']).toContain(row.difference);
  });
});
