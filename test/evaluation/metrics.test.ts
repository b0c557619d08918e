import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  agreementOf,
  checkEvaluation,
  EVALUATION_EXAMPLES,
  evaluate,
  figuresOf,
  METRICS,
  metricOf,
  refusalOf,
  requestsFor,
} from '../../src/evaluation/index.ts';
import { testDeps } from '../support/test-deps.ts';

const read = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');

describe.each(METRICS.map((metric) => [metric.name, metricOf(metric.name)] as const))(
  'the metric %s',
  (name, metric) => {
    const { examples, order, answer, figures, prefix, text } = metric;

    test('has examples that its schemas read', () => {
      expect(Object.keys(examples.requests)).toEqual(expect.arrayContaining(Object.keys(examples.answers)));
      expect(Object.keys(examples.answers).length).toBeGreaterThan(0);
      for (const { value } of Object.values(examples.requests)) {
        expect(order.parse(value)).toEqual(value);
        expect(value.metric).toBe(name);
      }
      for (const { value } of Object.values(examples.answers)) expect(answer.parse(value)).toEqual(value);
    });

    test('has figures that are numbers of its answers, and one name each', () => {
      const numbers = Object.entries(answer.shape)
        .filter(([, schema]) => schema.safeParse(50).success)
        .map(([field]) => field);
      expect(numbers).toEqual(expect.arrayContaining(figures.map((figure) => figure.of ?? figure.name)));
      expect(new Set(figures.map((figure) => figure.name)).size).toBe(figures.length);
      expect(figures.filter(({ isMain }) => isMain).length).toBeLessThanOrEqual(1);
      for (const { value } of Object.values(examples.answers)) {
        expect(figuresOf(value)).toEqual(
          Object.fromEntries(figures.map((figure) => [figure.name, Object(value)[figure.of ?? figure.name]])),
        );
      }
      expect(METRICS.filter((other) => other.prefix === prefix)).toHaveLength(1);
    });

    test('wants its text, or a digest in its place', async () => {
      const { value } = Object.values(examples.requests)[0];
      const { [text]: _, ...without } = Object(value);
      expect(order.safeParse(without).success).toBe(true);
      await expect(metric.resolve(without, null)).rejects.toMatchObject({ pointer: `/${text}` });
      await expect(metric.resolve(value, null)).resolves.toMatchObject({ metric: name });
    });

    test('counts what is said, and nothing where nothing is known', async () => {
      const request = await metric.resolve(Object.values(examples.requests)[0].value, null);
      metric.check(request);
      expect(metric.said(request).join('')).toMatch(/\w/);
      const nothing = { sentences: [], documents: [], given: [] };
      expect(metric.requestOf(nothing)).toBeNull();
      expect(requestsFor({ ...nothing, insights: [], questions: [], keyPoints: [], nuggets: [] })).toEqual([]);
    });

    test('is in the documentation', () => {
      expect(read('docs/evaluation.md')).toContain(`| \`${name}\` | ${metric.measures} |`);
      expect(read('docs/api.md')).toMatch(new RegExp(`^\\| \`${name}\` +\\| \`${text}\``, 'm'));
    });
  },
);

test('the embedded judge scores what it agrees with people in by 0.2 or more; a language model everything', () => {
  expect(METRICS.filter((metric) => refusalOf(metric, undefined) !== null).map(({ name }) => name)).toEqual([
    'key-point-recall',
  ]);
  const metric = metricOf('summhay');
  for (const [kappa, isRefused] of [
    [0.2, false],
    [0.1999, true],
    [-1, true],
    [1, false],
  ] as const) {
    const measured = { ...metric, embedded: { kappa, items: 7 } };
    expect(refusalOf(measured, 'embedded') !== null).toBe(isRefused);
    expect(refusalOf(measured, undefined)).toBe(refusalOf(measured, 'embedded'));
    expect(refusalOf(measured, 'llm')).toBeNull();
    if (isRefused) expect(refusalOf(measured, 'embedded')).toContain(`kappa ${kappa} of 7`);
    expect(agreementOf(measured, { name: 'embedded' })).toEqual({ kappa, items: 7 });
    expect(agreementOf(measured, { name: 'llm' })).toBeNull();
  }
});

test('a refused metric is refused before a judge is asked, by the pointer of the judge; others say how far it agrees', async () => {
  const deps = testDeps();
  for (const { value } of Object.values(EVALUATION_EXAMPLES.requests)) {
    if (value.metric !== 'key-point-recall') continue;
    const request = await metricOf(value.metric).resolve({ ...value, judge: undefined }, null);
    expect(() => checkEvaluation(request)).toThrow(
      expect.objectContaining({ code: 'unusable-option', pointer: '/judge' }),
    );
    await expect(evaluate(request, deps)).rejects.toMatchObject({
      pointer: '/judge',
      message: expect.stringContaining('kappa 0.11 of 300'),
    });
    expect(() => checkEvaluation({ ...request, judge: 'llm' })).not.toThrow();
  }
  const asked = {
    metric: 'summhay' as const,
    bullets: ['Fares rose [a].'],
    insights: [{ id: 'i', text: 'Fares rose.' }],
  };
  const { judge } = await evaluate(asked, deps);
  expect(judge).toMatchObject({ name: 'embedded', version: 'embedded/5', agreement: { kappa: 0.57, items: 1083 } });
  // Words alone decide: the encoder is not asked.
  expect(deps.engine.encoder.calls).toEqual([]);
});

test('no two examples of requests share a name', () => {
  const names = METRICS.flatMap(({ examples }) => Object.keys(examples.requests));
  expect(Object.keys(EVALUATION_EXAMPLES.requests)).toEqual(names);
});
