import { describe, expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { dataIn } from '../../support/good-model.ts';
import type { Script } from '../../support/scripted-model-server.ts';
import { partsWithModel } from './run-command.ts';
import { figuresIn, setsOf } from './run-samples.ts';

const SAID = [
  'The harbour of Alvik froze for nineteen days.',
  'Bakers in Bramley raised the price of rye bread.',
  'A comet was seen above Corvino at dawn.',
  'The library of Dunmore lends violins.',
  'Engineers in Elmira replaced forty bridges.',
  'Farmers near Fulda planted blue lupins.',
  'The museum of Girona bought a sundial.',
  'Hikers on Hven counted wild orchids.',
];
const DOCUMENTS = SAID.map((text, place) => ({ id: `d${place}`, text }));
const whole = (place: number) => ({ document: `d${place}`, start: 0, end: SAID[place].length });

/** Two of eight documents matter; in each case others. */
const MATTER = [
  [1, 6],
  [4, 2],
];

const SET: BenchmarkSet = {
  name: 'eight',
  collections: [{ id: 'c', documents: DOCUMENTS }],
  cases: MATTER.map((matter) => ({
    id: `case ${matter}`,
    collection: 'c',
    intent: 'What happened?',
    insights: matter.map((place) => ({ id: `i${place}`, text: SAID[place], documents: [`d${place}`] })),
    passages: matter.map((place) => ({ ...whole(place), insights: [`i${place}`] })),
    questions: SAID.map((text, place) => ({
      question: `What is said of d${place}?`,
      answer: text,
      document: `d${place}`,
      position: 1,
      relevant: matter.includes(place),
    })),
  })),
  made: [],
};

type Shown = ReturnType<typeof dataIn>;

/** Quotes some of the documents that it is shown. */
const quoting =
  (some: (shown: Shown) => Shown): Script =>
  (request) => {
    const sentences = some(dataIn(request, 'document')).map(({ number, text }) => ({
      text,
      quotes: [{ document: number, quote: text }],
    }));
    return { text: JSON.stringify({ sentences }) };
  };

async function runOf(script: Script) {
  const { deps, server } = await partsWithModel(script);
  const naive = { name: 'naive', options: { selection: { strategy: 'naive' }, summary: { maxWords: null } } };
  const systems = [{ ...naive, retrieval: { by: 'full' }, orders: true, requires: 'model' }];
  const { sets, code, stderr } = await setsOf({
    systems,
    sets: [{ files: ['eight.json'] }],
    files: { 'eight.json': SET },
    args: ['--yes'],
    deps,
  });
  expect(code, stderr).toBe(0);
  return { set: sets[0], server };
}

type Bins = readonly { readonly coverage: { readonly value: number | null } }[];

test('the curves and the sensitivity of a model that favours the first documents are found', async () => {
  const { set, server } = await runOf(quoting((shown) => shown.slice(0, 2)));
  const figures = figuresIn(set);
  for (const { id } of SET.cases) {
    expect(figures[`${id}: naive, top`]['labelled.coverage']).toBe(100);
    expect(figures[`${id}: naive, bottom`]['labelled.coverage']).toBe(0);
  }
  expect(set.sensitivities.map(({ system }) => system)).toEqual(['naive']);
  expect(set.sensitivities[0].sensitivity.value).toBeGreaterThanOrEqual(50);
  // Eight documents stand at 1/16, 3/16, …: the first two are told, whichever they are.
  for (const { bins } of set.curves) {
    const values = (bins as Bins).map(({ coverage }) => coverage.value);
    expect(values).toEqual(
      [100, 100, null, 0, 0, 0, 0, null, 0, 0].map((value, bin) => (values[bin] === null ? null : value)),
    );
    expect(values.filter((value) => value !== null).length).toBeGreaterThanOrEqual(8);
  }
  // What is labelled first or last was shown so; "random" is an order of its own.
  const shown = server.requests.map((request) => dataIn(request, 'document').map(({ text }) => SAID.indexOf(text)));
  for (const matter of MATTER) {
    const sorted = matter.toSorted((a, b) => a - b);
    const others = SAID.map((_, place) => place).filter((place) => !matter.includes(place));
    expect(shown).toContainEqual([...sorted, ...others]);
    expect(shown).toContainEqual([...others, ...sorted]);
  }
  expect(shown).toHaveLength(3 * MATTER.length);
  for (const order of shown) expect(order.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

describe('outputs of another system', () => {
  const others = (matter: readonly number[]) =>
    SAID.map((_, place) => place).filter((place) => !matter.includes(place));
  const idsOf = (places: readonly number[]) => places.map((place) => `d${place}`);
  /** Of a system that tells what it was shown first, with what it was shown. */
  const lines = MATTER.flatMap((matter) => {
    const shown = {
      top: [...matter, ...others(matter)],
      bottom: [...others(matter), ...matter],
      random: [0, ...matter],
    };
    return Object.entries(shown).map(([order, places]) => ({
      ...{ case: `case ${matter}`, order, given: idsOf(places) },
      sentences: places
        .slice(0, 2)
        .map((place) => ({ text: SAID[place], documents: [`d${place}`], quote: whole(place) })),
    }));
  });
  const run = (given: readonly object[], system: object = { orders: true }) =>
    setsOf({
      systems: [{ name: 'theirs', outputs: 'theirs.jsonl', ...system }],
      sets: [{ files: ['eight.json'] }],
      files: { 'eight.json': SET, 'theirs.jsonl': given.map((line) => JSON.stringify(line)).join('\n') },
    });

  test('with the order of each line are three systems with one sensitivity', async () => {
    const { sets } = await run(lines);
    expect(sets[0].arms.map(({ name }) => name)).toEqual(['theirs, top', 'theirs, bottom', 'theirs, random']);
    const figures = figuresIn(sets[0]);
    expect(figures['case 1,6: theirs, top']['labelled.coverage']).toBe(100);
    expect(figures['case 1,6: theirs, bottom']['labelled.coverage']).toBe(0);
    // Anywhere: one of the two insights of each case is among the first two documents.
    expect(sets[0].sensitivities).toMatchObject([{ system: 'theirs', sensitivity: { value: 50 } }]);
  });

  test('whose orders are missing or not asked for are refused with what to write', async () => {
    const [{ order: _, ...unordered }] = lines;
    const refused: [object[], object, string][] = [
      [[unordered], {}, '/order goes with "orders": true, as one of top, bottom, random'],
      [[lines[0]], { orders: undefined }, '/order goes with "orders": true'],
      [[lines[0], lines[0]], {}, '/case was answered before in this order'],
    ];
    for (const [given, system, detail] of refused) {
      await expect(run(given, { orders: true, ...system })).rejects.toThrow(detail);
    }
  });
});
