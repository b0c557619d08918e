import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/contract/index.ts';
import type { EvaluationRequest } from '../../../src/evaluation/index.ts';
import { answerKey } from '../../../src/lab/results/judge-identity.ts';
import { CAUTIOUS as calibration } from '../../../src/models/encoders/encoder.ts';
import { BULLETS, JUDGE } from './scored-records.ts';

const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, each]) => [name, turned(each)]));
};

test('the order of fields does not matter, that of arrays does, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(turned(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test('an answer is known by what is asked and what judges, and by nothing else', () => {
  const key = answerKey(BULLETS, { judge: JUDGE, calibration });
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(answerKey(turned(BULLETS) as EvaluationRequest, { judge: JUDGE, calibration })).toBe(key);
  expect(answerKey({ ...BULLETS, judge: 'embedded' }, { judge: JUDGE, calibration })).toBe(key);
  const others = [
    answerKey({ ...BULLETS, bullets: ['Fares rose.'] } as EvaluationRequest, { judge: JUDGE, calibration }),
    answerKey({ ...BULLETS, documents: ['1'] } as EvaluationRequest, { judge: JUDGE, calibration }),
    answerKey(BULLETS, { judge: { ...JUDGE, version: '2' }, calibration }),
    answerKey(BULLETS, { judge: { ...JUDGE, encoder: 'another/1' }, calibration }),
    answerKey(BULLETS, { judge: { ...JUDGE, prompts: { 'judge-coverage': 'abc' } }, calibration }),
    answerKey(BULLETS, { judge: JUDGE, calibration: { ...calibration, support: 0.123 } }),
    answerKey(BULLETS, { judge: JUDGE, calibration: null }),
  ];
  expect(new Set([key, ...others]).size).toBe(8);
});
