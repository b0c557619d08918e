import { expect, test } from 'vitest';
import type { VariantOptions } from '../../../src/contract/index.ts';
import type { DigestDeps } from '../../../src/digest/index.ts';
import type { BenchmarkCase, Collection } from '../../../src/lab/benchmark-set.ts';
import { judgeIdentity } from '../../../src/lab/results/judge-identity.ts';
import { collectionHash, documentsHash, type PlannedOutput, planRun } from '../../../src/lab/run/plan-run.ts';
import { IN_TURN } from '../../../src/lab/run/run-outputs.ts';
import type { DigestSystem } from '../../../src/lab/run/system.ts';
import { judging } from '../../evaluation/model/judging.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { testDeps } from '../../support/test-deps.ts';

interface Datum extends Omit<BenchmarkCase, 'collection'>, Pick<Collection, 'documents'> {}

const DATUM: Datum = { id: 'city', documents: CITY, intent: CITY_INTENT };

async function planned(
  systems: readonly DigestSystem[],
  data: readonly Datum[] = [DATUM],
  deps: DigestDeps = testDeps(),
): Promise<readonly PlannedOutput[]> {
  const cases = data.map(({ documents: _, ...each }) => ({ ...each, collection: each.id }));
  const collections = data.map(({ id, documents }) => ({ id, documents }));
  const options = { judge: judgeIdentity({ judge: 'embedded' }, deps), signal: new AbortController().signal };
  const all = await planRun({ path: 'run.json', systems }, { name: 's', collections, cases, made: [] }, deps, options);
  if (all === null) throw new Error('nothing has stopped it');
  return all;
}

async function keyOf(options: VariantOptions, datum = DATUM, deps?: DigestDeps): Promise<string> {
  const [{ key }] = await planned([{ name: 'any', options, needsModel: false }], [datum], deps);
  return key;
}

test('a key stands for the options as they are resolved', async () => {
  const key = await keyOf({});
  expect(await keyOf({})).toBe(key);
  expect(await keyOf({ selection: { strategy: 'dpp-map', size: 'auto' }, engine: {} })).toBe(key);
  expect(await keyOf({ selection: { kernel: { sigma: 'median' } }, engine: { extractor: 'sentences' } })).toBe(key);
});

test('it changes with whatever the figures depend on', async () => {
  const keys = await Promise.all([
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
    keyOf({}, { ...DATUM, questions: [{ question: 'Q?', answer: 'A.', document: 'shops', position: 1 }] }),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  const [one, other] = await planned(
    [{ name: 'any', options: {}, needsModel: false }],
    [DATUM, { ...DATUM, id: 'other', intent: 'Another question?' }],
  );
  expect(other.outputKey).not.toBe(one.outputKey);
});

test('prompts and the model count where a model is asked, and nowhere else', async () => {
  const { deps } = judging(() => '');
  const prompt = PROMPTS.get('write');
  if (prompt === undefined) throw new Error('there is no such prompt');
  const prompts = new Map([...PROMPTS, ['write', { ...prompt, hash: 'another' }]]);
  const others = { ...deps, models: { ...deps.models, prompts } };
  const written = { engine: { writer: 'llm' } } as const;
  expect(await keyOf(written, DATUM, deps)).not.toBe(await keyOf(written, DATUM, others));
  expect(await keyOf({}, DATUM, deps)).toBe(await keyOf({}, DATUM, others));
  const warmer = { engine: { writer: 'llm', stages: { write: { temperature: 1 } } } } as const;
  expect(await keyOf(warmer, DATUM, deps)).not.toBe(await keyOf(written, DATUM, deps));
  const uses = await Promise.all(
    [written, {}].map((options) => planned([{ name: 'x', options, needsModel: true }], [DATUM], deps)),
  );
  expect(uses.map(([{ asksModel }]) => asksModel)).toEqual([true, false]);
});

test('every arm over every datum, the arms of a datum together', async () => {
  const arms = ['x', 'y'].map(
    (name): DigestSystem => ({ name, options: { selection: { seed: name.length } }, needsModel: false }),
  );
  const all = await planned(arms, [DATUM, { ...DATUM, id: 'again' }]);
  expect(all.map(({ arm, datum }) => `${datum} ${arm}`)).toEqual(['city x', 'city y', 'again x', 'again y']);
  const stages = IN_TURN.stages?.(all) ?? [];
  // Of each way of reading the first output goes ahead, alone.
  expect(stages.map((stage) => stage.map(({ arm, datum }) => `${datum} ${arm}`))).toEqual([
    ['city x'],
    ['city y'],
    ['again x'],
    ['again y'],
  ]);
});

test('an option that cannot be had is told', async () => {
  await expect(keyOf({ engine: { extractor: 'llm' } })).rejects.toThrow('needs a language model');
  await expect(keyOf({ engine: { encoder: 'nope' } })).rejects.toThrow('There is no encoder "nope"');
});

test('equal documents have one hash, and every difference another', () => {
  const [one, two] = CITY;
  const others = [[two, one], [one], [one, two, two], [one, { ...two, title: '' }], [one, { ...two, id: 'd' }]];
  expect(documentsHash([{ ...one }, two])).toBe(documentsHash([one, two]));
  expect(new Set([[one, two], ...others].map(documentsHash)).size).toBe(others.length + 1);
  const collection = { id: 'c', topic: 'foxes', documents: CITY };
  const collections = [collection, { ...collection, topic: 'dogs' }, { ...collection, questions: [] }];
  expect(new Set(collections.map(collectionHash)).size).toBe(3);
});

test('a document of which nothing is shown counts as given: shares of documents are lower by it, and a warning names it', async () => {
  const shown = {
    name: 'any',
    options: {},
    needsModel: false,
    retrieval: { by: 'full', show: { summary: 20 } },
  } as const;
  const outputOf = async (documents: Datum['documents']) => {
    const [one] = await planned([shown], [{ ...DATUM, documents }]);
    return one.output(new AbortController().signal, undefined);
  };
  const [whole, more] = [await outputOf(CITY), await outputOf([{ id: 'blank', text: '\u2026' }, ...CITY])];
  expect(more.given).toEqual(['blank', ...CITY.map(({ id }) => id)]);
  expect(more.sentences).toEqual(whole.sentences);
  for (const key of ['digest.documentCoverage', 'digest.citedDocuments']) {
    const share = whole.figures[key] ?? 0;
    expect(share).toBeGreaterThan(0);
    expect(more.figures[key], key).toBeCloseTo((share * CITY.length) / (CITY.length + 1), 12);
  }
  // Others say nothing of the intent, and are blank too.
  const blankIn = ({ warnings }: typeof whole) =>
    /count as given: (.*)\.$/.exec(warnings.at(-1) ?? '')?.[1].split(', ');
  expect(blankIn(more)).toEqual(['blank', ...(blankIn(whole) ?? [])]);
  const cited = more.sentences.flatMap(({ documents }) => documents);
  expect(cited.filter((id) => blankIn(more)?.includes(id))).toEqual([]);
  expect((await outputOf([{ id: 'blank', text: '\u2026' }])).sentences).toEqual([]);
});
