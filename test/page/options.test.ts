import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withTable } from '../../scripts/write-strategies.ts';
import {
  asksModel,
  type DigestOptions,
  describeOption,
  describeOptions,
  ENGINES,
  engineKindOf,
  leavesOf,
  optionName,
  optionsFrom,
  strategyIn,
  withOptions,
} from '../../src/page/parts/options.ts';
import { OWN_LABELS, STRATEGIES } from '../../src/page/parts/strategies.ts';
import { MODEL_STRATEGIES, OWN_DEFAULTS, STRATEGY_NAMES, strategies } from '../../src/selection/index.ts';

describe('the strategies of the form', () => {
  test('are those of the service, with their sizes and labels', () => {
    expect(STRATEGIES.map(({ name }) => name).sort()).toEqual([...STRATEGY_NAMES].sort());
    for (const { name, sizes, isSampled, asksModel: isModels } of STRATEGIES) {
      const served = strategies[name];
      expect([name, ...sizes]).toEqual([name, ...served.sizes.filter((size) => size !== 'none')]);
      expect([name, isModels]).toEqual([name, MODEL_STRATEGIES.includes(name)]);
      expect([name, isSampled]).toEqual([name, served.isSampled || name === 'random']);
    }
    for (const [key, defaults] of Object.entries(OWN_DEFAULTS)) {
      expect([key, Object.keys(OWN_LABELS[key])]).toEqual([key, Object.keys(defaults)]);
    }
    expect(optionName('selection.mmr.lambda')).toBe('Relevance against variety');
  });

  test('are those in the table of the API page', () => {
    const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(read('docs/api.md')).toBe(withTable(read('docs/api.md')));
    expect(withTable('before\n| `selection.strategy` | x |\n| old |\n\nafter')).toMatch(/^before\n(?:\|.*\n)+\nafter$/);
  });
});

test('the strategy is the one that is named, or that of the preset', () => {
  expect(strategyIn().name).toBe('dpp-map');
  expect(strategyIn({ preset: 'published' }).name).toBe('dpp-sample');
  expect(strategyIn({ preset: 'published', strategy: 'mmr' }).name).toBe('mmr');
});

describe('setting options', () => {
  test.each<[string, DigestOptions, Record<string, unknown>, DigestOptions]>([
    ['leaves no empty objects', { summary: { format: 'bullets' } }, { 'summary.format': undefined }, {}],
    ['keeps null, which is no default', {}, { 'summary.maxWords': null }, { summary: { maxWords: null } }],
    [
      'keeps what it does not change',
      { selection: { kernel: { sigma: 1 }, relevance: { gate: null } } },
      { 'selection.relevance.weight': 0.9 },
      { selection: { kernel: { sigma: 1 }, relevance: { gate: null, weight: 0.9 } } },
    ],
    [
      'drops a size that the strategy does not take',
      { selection: { size: { words: 100 } } },
      { 'selection.strategy': 'k-dpp' },
      { selection: { strategy: 'k-dpp' } },
    ],
    [
      'drops the seed if nothing is random',
      { selection: { strategy: 'k-dpp', seed: 7 } },
      { 'selection.strategy': 'mmr' },
      { selection: { strategy: 'mmr' } },
    ],
    [
      'drops the model if nothing asks it',
      { engine: { writer: 'llm', model: 'gemma3' } },
      { 'engine.writer': undefined },
      {},
    ],
    [
      'takes one engine for both steps',
      { engine: { encoder: 'mine', writer: 'llm', model: 'gemma3' } },
      ENGINES.embedded,
      { engine: { encoder: 'mine', extractor: 'sentences', writer: 'compose' } },
    ],
  ])('%s', (_, options, changes, expected) => {
    const before = structuredClone(options);
    expect(withOptions(options, changes)).toEqual(expected);
    expect(options).toEqual(before);
  });

  test('keeps the model if the service asks one by default', () => {
    const defaults = { extractor: 'sentences', writer: 'llm' } as const;
    const written: DigestOptions = { engine: { writer: 'llm', model: 'm' } };
    expect(withOptions(written, { 'engine.writer': undefined }, defaults)).toEqual({ engine: { model: 'm' } });
    expect([asksModel({}), asksModel({}, defaults)]).toEqual([false, true]);
    expect(asksModel({ selection: { strategy: 'llm' } })).toBe(true);
  });
});

test('the engine is named if both steps have the same one', () => {
  expect(engineKindOf({ engine: {} })).toBe(undefined);
  expect(engineKindOf({ engine: { extractor: 'sentences', writer: 'compose' } })).toBe('embedded');
  expect(engineKindOf({ engine: { extractor: 'llm', writer: 'llm' } })).toBe('llm');
  expect(engineKindOf({ engine: { extractor: 'auto', writer: 'llm' } })).toBe('llm');
  expect(engineKindOf({ engine: { extractor: 'llm', writer: 'compose' } })).toBe('mixed');
});

describe('leaves', () => {
  const left: DigestOptions = {
    selection: { strategy: 'mmr', size: { keyPoints: 5 }, relevance: { weight: 0.2, gate: null } },
    summary: { format: 'bullets' },
  };
  const right: DigestOptions = {
    selection: { strategy: 'mmr', size: { words: 5 }, relevance: { weight: 0.7, gate: null } },
    summary: { format: 'bullets', maxWords: 100 },
  };

  test('are paths with values, of which the options can be made again', () => {
    expect(leavesOf(left)).toEqual([
      ['selection.strategy', 'mmr'],
      ['selection.size', { keyPoints: 5 }],
      ['selection.relevance.weight', 0.2],
      ['selection.relevance.gate', null],
      ['summary.format', 'bullets'],
    ]);
    for (const options of [left, right, {}]) expect(optionsFrom(leavesOf(options))).toEqual(options);
  });

  test('are described', () => {
    expect(describeOptions({ selection: { size: { words: 90 }, mmr: { lambda: 0.25 } } })).toBe(
      'Size: 90 words; Relevance against variety: 0.25',
    );
    expect(['selection.relevance.weight', 'summary.maxWords'].map(optionName)).toEqual([
      'Relevance weight',
      'Max words',
    ]);
    expect([{ keyPoints: 1 }, { keyPoints: 2 }, { words: 1 }].map(describeOption)).toEqual([
      ...['1 key point', '2 key points', '1 word'],
    ]);
    expect(describeOptions({ selection: { strategy: 'mmr', kernel: { sigma: 1 }, relevance: { gate: null } } })).toBe(
      'Strategy: relevance minus repetition; Comparison width: 1; Relevance cut-off: none',
    );
    expect(describeOptions({})).toBeNull();
    expect([undefined, null, true, 0.123456, ['a', 2], [], { percentile: 80 }].map(describeOption)).toEqual([
      ...['not set', 'none', 'yes', '0.123', 'a; 2', 'none', 'percentile 80'],
    ]);
  });
});
