import { expect, test } from 'vitest';
import type { DigestDeps } from '../../../src/digest/index.ts';
import type { Arm } from '../../../src/lab/comparison/arm.ts';
import type { Datum } from '../../../src/lab/comparison/datum.ts';
import { planComparison } from '../../../src/lab/comparison/plan-comparison.ts';
import { judging } from '../../evaluation/model/judging.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { testDeps } from '../../support/test-deps.ts';

const DATUM: Datum = { id: 'city', documents: CITY, intent: CITY_INTENT };

function keyOf(options: Arm['options'], datum = DATUM, version = '1', deps: DigestDeps = testDeps()): string {
  const [{ key }] = planComparison([{ name: 'any', options, needsModel: false }], [datum], deps, version);
  return key;
}

test('a key stands for the options as they are resolved', () => {
  const key = keyOf({});
  expect(keyOf({})).toBe(key);
  expect(keyOf({ selection: { strategy: 'dpp-map', size: 'auto' }, engine: {} })).toBe(key);
  expect(keyOf({ selection: { kernel: { sigma: 'median' } }, engine: { extractor: 'sentences' } })).toBe(key);
});

test('it changes with whatever the figures depend on', () => {
  const keys = [
    keyOf({}),
    keyOf({ selection: { size: { keyPoints: 5 } } }),
    keyOf({ selection: { size: { keyPoints: 12 } } }),
    keyOf({ selection: { sources: { weight: 0 } } }),
    keyOf({ selection: { relevance: { estimate: false } } }),
    keyOf({ selection: { seed: 2 } }),
    keyOf({ selection: { relevance: { gate: null } } }),
    keyOf({ selection: { relevance: { weight: 0.6 } } }),
    keyOf({ selection: { coverage: { weight: 100 } } }),
    keyOf({ summary: { format: 'bullets' } }),
    keyOf({ summary: { maxWords: 90 } }),
    keyOf({}, { ...DATUM, intent: 'Another question?' }),
    keyOf({}, { ...DATUM, documents: CITY.slice(1) }),
    keyOf({}, { ...DATUM, insights: [{ id: 'i', text: 'Sales fell.' }] }),
    keyOf({}, { ...DATUM, questions: [{ question: 'Q?', answer: 'A.', document: 'shops' }] }),
    keyOf({}, DATUM, '2'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('prompts and the model count where a model is asked, and nowhere else', () => {
  const { deps } = judging(() => '');
  const prompt = PROMPTS.get('write');
  if (prompt === undefined) throw new Error('there is no such prompt');
  const prompts = new Map([...PROMPTS, ['write', { ...prompt, hash: 'another' }]]);
  const others = { ...deps, models: { ...deps.models, prompts } };
  const written = { engine: { writer: 'llm' } } as const;
  expect(keyOf(written, DATUM, '1', deps)).not.toBe(keyOf(written, DATUM, '1', others));
  expect(keyOf({}, DATUM, '1', deps)).toBe(keyOf({}, DATUM, '1', others));
  const warmer = { engine: { writer: 'llm', stages: { write: { temperature: 1 } } } } as const;
  expect(keyOf(warmer, DATUM, '1', deps)).not.toBe(keyOf(written, DATUM, '1', deps));
  const uses = [written, {}].map((options) =>
    planComparison([{ name: 'x', options, needsModel: true }], [DATUM], deps, '1'),
  );
  expect(uses.map(([{ usesModel }]) => usesModel)).toEqual([true, false]);
});

test('every arm over every datum, the arms of a datum together', () => {
  const arms = ['x', 'y'].map(
    (name): Arm => ({ name, options: { selection: { seed: name.length } }, needsModel: false }),
  );
  const planned = planComparison(arms, [DATUM, { ...DATUM, id: 'again' }], testDeps(), '1');
  expect(planned.map(({ arm, datum }) => `${datum.id} ${arm.name}`)).toEqual([
    'city x',
    'city y',
    'again x',
    'again y',
  ]);
  expect(new Set(planned.map(({ reading }) => reading)).size).toBe(1);
  expect(planned.every(({ usesModel }) => !usesModel)).toBe(true);
});

test('an option that cannot be had is told', () => {
  expect(() => keyOf({ engine: { extractor: 'llm' } })).toThrow('needs a language model');
  expect(() => keyOf({ engine: { encoder: 'nope' } })).toThrow('There is no encoder "nope"');
});
