import { expect } from 'vitest';
import type { Problem } from '../../src/client/client.ts';
import type { Digest, ExperimentInput, ExperimentResults } from '../../src/client/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import type { TestApp } from '../support/test-deps.ts';

/** Two sizes of digests, and what readers do. */
export const SIZES = {
  key: 'sizes',
  hypothesis: 'Longer digests are read to the end.',
  variants: [
    { name: 'small', weight: 0.5, options: { selection: { size: { keyPoints: 2 } } } },
    { name: 'large', weight: 0.5, options: { selection: { size: { keyPoints: 4 }, strategy: 'relevance' } } },
  ],
  metrics: [
    { key: 'read', type: 'binomial', direction: 'increase', minimumEffect: 0.02 },
    { key: 'seconds', type: 'mean', direction: 'increase' },
    { key: 'share', type: 'ratio', direction: 'increase' },
    { key: 'clicks', type: 'count', direction: 'increase' },
  ],
  guardrails: [{ key: 'complaint', type: 'binomial', direction: 'decrease', margin: 0.1 }],
} as const satisfies ExperimentInput;

export const AT = '/v1/experiments/sizes';
const JSON_TYPE = { 'content-type': 'application/json' };

/** What an answer says, which is to have a status. */
export async function told<Body>(answer: Response | Promise<Response>, status = 200): Promise<Body> {
  const response = await answer;
  const text = await response.text();
  expect(response.status, text).toBe(status);
  return JSON.parse(text);
}

export async function running({ post }: TestApp, more: Partial<ExperimentInput> = {}): Promise<void> {
  await told(post('/v1/experiments', { ...SIZES, status: 'running', ...more }), 201);
}

export async function put({ app }: TestApp, changes: unknown, path = AT): Promise<Response> {
  return app.request(path, { method: 'PUT', headers: JSON_TYPE, body: JSON.stringify(changes) });
}

export async function results({ app }: TestApp, query = ''): Promise<ExperimentResults> {
  return told<ExperimentResults>(app.request(`${AT}/results${query}`));
}

/** A metric of the results, by variant. */
export function armsOf({ metrics }: ExperimentResults, key: string) {
  const found = metrics.find((metric) => metric.key === key);
  return Object.fromEntries(found?.arms.map((arm) => [arm.variant, arm]) ?? []);
}

/** What was refused, with the pointers of what is wrong. */
export async function refused(answer: Response | Promise<Response>, status: number): Promise<string[]> {
  const { errors = [] } = await told<Problem>(answer, status);
  for (const { detail } of errors) expect(detail).toMatch(/\w{2,} \w/);
  return errors.map(({ pointer }) => pointer);
}

/** A digest of two texts for a subject of the experiment. */
export const digestFor = (subject: string, more: object = {}) => ({
  documents: CITY.slice(0, 2),
  intent: CITY_INTENT,
  experiment: { key: SIZES.key, subject },
  ...more,
});

export async function digestOf({ post }: TestApp, subject: string, more: object = {}): Promise<Digest> {
  return told<Digest>(post('/v1/digests', digestFor(subject, more)), 201);
}
