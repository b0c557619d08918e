import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pageFile, withTable } from '../../scripts/write-strategies.ts';
import { FORMATS } from '../../src/contract/index.ts';
import { optionName } from '../../src/page/comparing/words-of-options.ts';
import type { DigestOptions } from '../../src/page/digest-options.ts';
import {
  asksModel,
  engineKindOf,
  formatNamed,
  otherOptions,
  sizeKindOf,
  withEngine,
  withEngineKind,
  withoutOthers,
  withPreset,
  withRelevanceWeight,
  withSelection,
  withSizeKind,
  withStrategy,
  withSummary,
} from '../../src/page/parts/change-options.ts';
import { OWN_LABELS, STRATEGY_GROUPS, strategyIn } from '../../src/page/parts/strategies.ts';
import { MODEL_STRATEGIES, OWN_DEFAULTS, STRATEGY_NAMES, strategies } from '../../src/selection/index.ts';

const LISTED = STRATEGY_GROUPS.flatMap((group) => group.strategies);
const EMBEDDED = { extractor: 'sentences', writer: 'compose' } as const;

describe('the strategies of the form', () => {
  test('are those of the service, with what each takes', () => {
    expect(LISTED.map(({ name }) => name).sort()).toEqual([...STRATEGY_NAMES].sort());
    for (const { name, sizes, isSampled, asksModel: isModels, line } of LISTED) {
      const served = strategies[name];
      expect([name, ...sizes]).toEqual([name, ...served.sizes.filter((size) => size !== 'none')]);
      expect([name, isModels]).toEqual([name, MODEL_STRATEGIES.includes(name)]);
      // A baseline by lot is drawn once and not again and again, and still follows its seed.
      expect([name, isSampled]).toEqual([name, served.isSampled || name === 'random']);
      expect(line.length).toBeGreaterThan(20);
    }
    expect(['', ...FORMATS].map(formatNamed)).toEqual([undefined, ...FORMATS]);
  });

  test('are written from the registry, as the table of the API page is', () => {
    const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(read('src/page/parts/strategies.json')).toBe(pageFile());
    expect(read('docs/api.md')).toBe(withTable(read('docs/api.md')));
    expect(read('docs/api.md')).toContain('| `mmr` | maximal marginal relevance, `mmr.lambda` |');
    expect(withTable('before\n| `selection.strategy` | x |\n| old |\n\nafter')).toMatch(/^before\n(?:\|.*\n)+\nafter$/);
  });

  test('have a label for every option of their own', () => {
    for (const [key, defaults] of Object.entries(OWN_DEFAULTS)) {
      expect([key, Object.keys(OWN_LABELS[key])]).toEqual([key, Object.keys(defaults)]);
    }
    expect(optionName('selection.mmr.lambda')).toBe('Relevance against variety (MMR)');
  });

  test('are told by the options and by their preset', () => {
    expect(strategyIn().name).toBe('dpp-map');
    expect(strategyIn({ preset: 'published' }).name).toBe('dpp-sample');
    expect(strategyIn({ preset: 'published', strategy: 'mmr' }).name).toBe('mmr');
  });
});

describe('changing options', () => {
  test('leaves no empty objects behind', () => {
    const set = withRelevanceWeight(withSummary({}, { format: 'bullets' }), 0.3);
    expect(set).toEqual({ selection: { relevance: { weight: 0.3 } }, summary: { format: 'bullets' } });
    const back = withSummary(withRelevanceWeight(set, undefined), { format: undefined });
    expect(JSON.stringify(back)).toBe('{}');
  });

  test('keeps null, which is no default', () => {
    expect(withSummary({}, { maxWords: null })).toEqual({ summary: { maxWords: null } });
  });

  test('keeps what it does not change', () => {
    const options: DigestOptions = { selection: { kernel: { sigma: 1 }, relevance: { gate: null } } };
    expect(withRelevanceWeight(options, 0.9)).toEqual({
      selection: { kernel: { sigma: 1 }, relevance: { gate: null, weight: 0.9 } },
    });
    expect(options).toEqual({ selection: { kernel: { sigma: 1 }, relevance: { gate: null } } });
  });

  test.each([
    ['a size in words', 'k-dpp', { words: 100 }, undefined],
    ['a number of points', 'k-dpp', { keyPoints: 3 }, { keyPoints: 3 }],
    ['any size', 'dpp-sample', 'auto', undefined],
    ['the size auto', 'mmr', 'auto', 'auto'],
  ] as const)('takes %s along to %s where it takes that', (_, strategy, size, kept) => {
    const options = withStrategy({ selection: { size } }, strategy);
    expect(options.selection?.size).toEqual(kept);
  });

  test('lets a seed go where nothing is drawn', () => {
    const drawn = withSelection(withStrategy({}, 'k-dpp'), { seed: 7 });
    expect(drawn.selection).toEqual({ strategy: 'k-dpp', seed: 7 });
    expect(withStrategy(drawn, 'dpp-sample').selection?.seed).toBe(7);
    expect(withStrategy(drawn, 'mmr').selection?.seed).toBeUndefined();
  });

  test('takes the published settings to the letter, and off again', () => {
    const options = withPreset({ selection: { strategy: 'mmr', size: 'auto' }, summary: { maxWords: 9 } }, 'published');
    expect(options).toEqual({ selection: { preset: 'published' }, summary: { maxWords: 9 } });
    expect(withPreset(options, undefined)).toEqual({ summary: { maxWords: 9 } });
  });

  test('gives a kind of size a number to begin with', () => {
    expect(sizeKindOf(withSizeKind({}, 'words').selection?.size)).toBe('words');
    expect(sizeKindOf(withSizeKind({}, 'keyPoints').selection?.size)).toBe('keyPoints');
    expect(withSizeKind(withSizeKind({}, 'auto'), undefined)).toEqual({});
  });

  test('names a model while one is asked', () => {
    const written = withEngine(withEngine({}, { writer: 'llm' }, EMBEDDED), { model: 'gemma3' }, EMBEDDED);
    expect(written).toEqual({ engine: { writer: 'llm', model: 'gemma3' } });
    expect(asksModel(written)).toBe(true);
    expect(withEngine(written, { writer: undefined }, EMBEDDED)).toEqual({});
    const default_ = { extractor: 'sentences', writer: 'llm' } as const;
    expect(withEngine(written, { writer: undefined }, default_)).toEqual({ engine: { model: 'gemma3' } });
    expect(withStrategy({ selection: { strategy: 'llm' }, engine: { model: 'm' } }, 'mmr')).toEqual({
      selection: { strategy: 'mmr' },
    });
  });

  test('takes one engine for both steps, and says where they differ', () => {
    const embedded = withEngineKind({ engine: { encoder: 'mine' } }, 'embedded');
    expect(embedded).toEqual({ engine: { encoder: 'mine', extractor: 'sentences', writer: 'compose' } });
    expect(withEngineKind(embedded, undefined)).toEqual({ engine: { encoder: 'mine' } });
    const kinds = [{}, embedded, withEngineKind({}, 'llm'), withEngine({}, { writer: 'llm' })].map(engineKindOf);
    expect(kinds).toEqual([undefined, 'embedded', 'llm', 'mixed']);
    // The model goes with what asks it.
    const asked = withEngine(withEngineKind({}, 'llm'), { model: 'm' });
    expect(withEngineKind(asked, 'embedded')).toEqual({ engine: { extractor: 'sentences', writer: 'compose' } });
  });

  test('lists and takes off what there is no field for', () => {
    const options: DigestOptions = {
      selection: { strategy: 'mmr', mmr: { lambda: 0.2 }, relevance: { weight: 0.4, gate: null } },
      engine: { encoder: 'mine', stages: { write: { model: 'm' } } },
      summary: { maxWords: 80 },
    };
    expect(otherOptions(options)).toEqual([
      { name: 'selection.mmr.lambda', value: '0.2' },
      { name: 'selection.relevance.gate', value: 'null' },
      { name: 'engine.stages.write.model', value: 'm' },
    ]);
    expect(withoutOthers(options)).toEqual({
      selection: { strategy: 'mmr', relevance: { weight: 0.4 } },
      engine: { encoder: 'mine' },
      summary: { maxWords: 80 },
    });
    expect(otherOptions(withoutOthers(options))).toEqual([]);
  });
});
