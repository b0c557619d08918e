import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { retrieveCommand } from '../../../src/cli/benchmark/retrieve.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const texts = [
  'The river fox crossed the bridge.',
  'Grain prices stayed as they were.',
  'A fox by the river slept all day.',
  'The mill was sold to a new owner.',
];

const set: BenchmarkSet = {
  name: 'small',
  collections: [{ id: 'c', documents: texts.map((text, place) => ({ id: `d${place}`, text })) }],
  cases: [
    {
      id: 'foxes',
      collection: 'c',
      intent: 'Where is the river fox?',
      insights: [
        { id: 'i', text: 'It crossed.', documents: ['d0'] },
        { id: 'j', text: 'It is at the river.', documents: ['d0', 'd2'] },
      ],
    },
    { id: 'mill', collection: 'c', intent: 'Who owns the mill?', passages: [{ document: 'd3', start: 0, end: 10 }] },
  ],
  made: [],
};

/** One document of two sentences, of which the budget of a test holds the first. */
const cutSet = {
  ...set,
  collections: [{ id: 'c', documents: [{ id: 'd0', text: `${texts[0]} ${texts[1]}` }] }],
  cases: [{ id: 'one', collection: 'c', intent: 'Fox?', passages: [{ document: 'd0', start: 0, end: 10 }] }],
};

function fileOf(value: unknown): string {
  const path = join(temporaryFolder(), 'set.json');
  writeFileSync(path, JSON.stringify(value));
  return path;
}

/** Cells of the rows of the table, by retriever. */
function rowsOf(stdout: string): Record<string, string[]> {
  const rows = stdout
    .split('\n\n')[0]
    .split('\n')
    .map((row) => row.split(/ {2,}/));
  return Object.fromEntries(rows.map(([name, ...cells]) => [name, cells]));
}

describe('benchmark retrieve', () => {
  test('says how much each retriever finds', async () => {
    // One text is 8 or 9 tokens long.
    const { code, stdout, stderr } = await runCommand(retrieveCommand, [fileOf(set), '--budget', '9']);
    const rows = rowsOf(stdout);
    expect(code).toBe(0);
    expect(Object.keys(rows)).toEqual([
      'retriever',
      'random',
      'keywords',
      'bm25',
      'embedding hashed-words',
      'oracle',
      'full',
    ]);
    // Of the foxes one document of two is taken, which tells two of the three; of the mill the only one.
    expect(rows.oracle).toEqual(['0.750', '0.833', '1.000', '1.0', '9']);
    const whole = Math.ceil(Buffer.byteLength(texts.join('')) / 4);
    expect(rows.full).toEqual(['1.000', '1.000', '0.375', '4.0', `${whole}`]);
    expect(rows.bm25?.[0]).toBe('0.750');
    expect(stdout).toContain('Means over 2 cases, within 9 tokens');
    expect(stderr).toContain('retrieving 12/12');
  });

  test('gives the figures of every case as JSON, the same for the same seed', async () => {
    const args = [fileOf(set), '--by', 'random', '--by', 'oracle', '--by', 'random', '--budget', '17', '--json'];
    const { stdout } = await runCommand(retrieveCommand, args);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({ set: 'small', budget: 17, seed: 1 });
    expect(answer.retrievers.map(({ retrieval }: { retrieval: { by: string } }) => retrieval.by)).toEqual([
      'random',
      'oracle',
    ]);
    // Half of a document that is cut counts half.
    const cut = await runCommand(retrieveCommand, [fileOf(cutSet), '--by', 'oracle', '--budget', '9', '--json']);
    const [{ documents, weighted }] = JSON.parse(cut.stdout).retrievers[0].cases;
    expect(documents).toBeLessThan(1);
    expect(weighted).toBeCloseTo(documents, 12);
    const [foxes, mill] = answer.retrievers[1].cases;
    expect(foxes).toEqual({ case: 'foxes', documents: 1, weighted: 1, precision: 1, taken: 2, tokens: 17 });
    expect(mill).toMatchObject({ case: 'mill', documents: 1, precision: 0.5, taken: 2 });
    expect((await runCommand(retrieveCommand, args)).stdout).toBe(stdout);
    const seeds = await Promise.all(
      [2, 3, 4, 5].map((seed) => runCommand(retrieveCommand, [...args, '--seed', `${seed}`])),
    );
    expect(
      new Set(seeds.map((each) => JSON.stringify(JSON.parse(each.stdout).retrievers[0].cases))).size,
    ).toBeGreaterThan(1);
  });

  test('leaves out cases that cannot be scored, and says so', async () => {
    const lacking = {
      ...set,
      cases: [
        ...set.cases,
        { id: 'all', collection: 'c', passages: set.cases[1]?.passages },
        { id: 'x', collection: 'c' },
      ],
    };
    const { stdout, stderr } = await runCommand(retrieveCommand, [fileOf(lacking)]);
    expect(stderr).toContain('2 of 4 cases are left out');
    expect(stderr).toContain('has an intent, as retrieval by "keywords" needs');
    expect(stdout).toContain('Means over 2 cases');
    const oracle = await runCommand(retrieveCommand, [fileOf(lacking), '--by', 'oracle']);
    expect(oracle.stdout).toContain('Means over 3 cases');
    const unasked = { ...lacking, cases: lacking.cases.slice(2) };
    expect(Object.keys(rowsOf((await runCommand(retrieveCommand, [fileOf(unasked)])).stdout))).toEqual([
      'retriever',
      'random',
      'oracle',
      'full',
    ]);
  });

  test.each<[string[], RegExp]>([
    [[], /Name a file that holds a benchmark set/],
    [['--by', 'magic'], /--by is one of random, keywords, .*not "magic"/],
    [['--budget', '0'], /--budget is a whole number from 1/],
    [['--seed', '-1'], /--seed/],
    [['--name', 'none'], /no encoder or reranker "none" here; there is "hashed-words"/],
    [['--by', 'bm25', '--name', 'hashed-words'], /--name hashed-words is for --by embedding/],
    [['--by', 'reranker'], /no reranker here/],
    [['--strange'], /strange/],
  ])('refuses %j', async (flags, message) => {
    const args = flags.length === 0 ? [] : [fileOf(set), ...flags];
    const failure = runCommand(retrieveCommand, args);
    await expect(failure).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  });

  test('refuses a set that says nowhere what matters, and one that is none', async () => {
    const bare = { ...set, cases: [{ id: 'x', collection: 'c', intent: 'What?' }] };
    await expect(runCommand(retrieveCommand, [fileOf(bare)])).rejects.toThrow(
      /holds no case that knows which documents matter/,
    );
    await expect(runCommand(retrieveCommand, [fileOf({ name: 'x' })])).rejects.toMatchObject({ code: 'bad-records' });
  });
});
