import { expect } from 'vitest';
import type { RecordedOutcomes } from '../../../src/client/client.ts';
import type { Assignment, Digest, ExperimentResults } from '../../../src/client/index.ts';
import { SIZES } from '../../server/experiments-support.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { type Service, type Suite, told } from '../service.ts';

const SUBJECTS = Array.from({ length: 8 }, (_, i) => `u${i}`);
const POINTS: Readonly<Record<string, number>> = { small: 2, large: 4 };

/** An experiment of its own for each test. */
async function running({ post }: Service, key: string): Promise<string> {
  await told(post('/v1/experiments', { ...SIZES, key }), 201);
  await told(post(`/v1/experiments/${key}/start`));
  return `/v1/experiments/${key}`;
}

const orderFor = (key: string, subject: string) => ({
  documents: CITY.slice(0, 2),
  intent: CITY_INTENT,
  experiment: { key, subject },
});

/** Experiments over digests. */
export const experiments: Suite = (holds) => {
  holds('from a draft to its results: digests follow their variants, outcomes are counted once', async (service) => {
    const { post, get, digest } = service;
    const at = await running(service, 'sizes');
    const by: Record<string, Digest[]> = { small: [], large: [] };
    for (const subject of SUBJECTS) {
      const made = await digest(orderFor('sizes', subject));
      const { variant } = await told<Assignment>(get(`${at}/assignment?subject=${subject}`));
      expect(made.experiment).toEqual({ key: 'sizes', version: 1, variant, overridden: false });
      expect(made.keyPoints.filter(({ selected }) => selected)).toHaveLength(POINTS[String(variant)]);
      by[String(variant)].push(made);
    }
    expect(Math.min(by.small.length, by.large.length)).toBeGreaterThan(0);
    const outcomes = SUBJECTS.flatMap((subject, i) => [
      { eventId: `s${i}`, subject, metric: 'seconds', value: 10 + i },
      ...(i % 2 === 0 ? [{ eventId: `r${i}`, subject, metric: 'read' }] : []),
    ]);
    const recorded = await told<RecordedOutcomes>(post(`${at}/outcomes`, { outcomes }));
    expect(recorded).toMatchObject({ accepted: outcomes.length, problems: [] });
    expect(await told(post(`${at}/outcomes`, { outcomes }))).toMatchObject({
      accepted: 0,
      duplicates: outcomes.length,
    });

    const shown = await told<ExperimentResults>(get(`${at}/results`));
    expect(shown).toMatchObject({ status: 'running', exposed: SUBJECTS.length, overridden: 0 });
    const arms = (key: string) => shown.metrics.find((metric) => metric.key === key)?.arms ?? [];
    expect(arms('read').reduce((sum, { conversions }) => sum + Number(conversions), 0)).toBe(4);
    expect(arms('seconds').reduce((sum, { mean, n }) => sum + Number(mean) * n, 0)).toBeCloseTo(108, 9);
    for (const { variant, mean } of arms('digest.documentCoverage')) {
      const made = by[variant];
      expect(mean).toBeCloseTo(made.reduce((sum, { metrics }) => sum + metrics.documentCoverage, 0) / made.length, 9);
    }

    await told(post(`${at}/stop`));
    expect(await told(get(`${at}/results`))).toMatchObject({ status: 'stopped', exposed: SUBJECTS.length });
    const after = await digest(orderFor('sizes', 'u0'));
    expect(after.experiment).toEqual({ key: 'sizes', version: 1, variant: null, overridden: false });
  });

  holds('a digest that is made later is part of it as well', async (service) => {
    const at = await running(service, 'later');
    const made = await service.ended(await service.submit(orderFor('later', 'u1')));
    expect(made.experiment).toMatchObject({ key: 'later', overridden: false });
    expect(await told(service.get(`${at}/results`))).toMatchObject({ exposed: 1 });
  });
};
