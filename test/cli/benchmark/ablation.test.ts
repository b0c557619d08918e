import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ablationCommand } from '../../../src/cli/benchmark/ablation.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { renderPrompt } from '../../../src/models/language/prompt.ts';
import { askedIn, dataIn, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { PROMPTS } from '../../support/prompts.ts';
import type { RecordedRequest, Script } from '../../support/scripted-model-server.ts';
import { partsWithModel, runCommand } from './run-command.ts';
import { folderOf, setsOf } from './run-samples.ts';

const SAID = [
  ['Alvik', 'The harbour of Alvik froze for nineteen days.', 'Ferries to Alvik carried coal instead of guests.'],
  ['Bramley', 'Bakers in Bramley raised the price of rye bread.', 'The mill of Bramley burned down in March.'],
  ['Corvino', 'A comet was seen above Corvino at dawn.', 'The observatory of Corvino sold two hundred tickets.'],
  ['Dunmore', 'The library of Dunmore lends violins.', 'A teacher in Dunmore repaired forty cellos.'],
];
/** In an order that neither names nor hashes have. */
const DOCUMENTS = [2, 0, 3, 1].map((place) => ({ id: SAID[place][0], text: SAID[place].slice(1).join(' ') }));
const QUESTIONS = DOCUMENTS.flatMap(({ id, text }, position) =>
  text
    .split(/(?<=\.) /)
    .map((answer, place) => ({ question: `What is said of ${id}, ${place}?`, answer, document: id, position })),
);
const INTENT = 'What happened in Alvik?';

const SET: BenchmarkSet = {
  name: 'towns',
  collections: [{ id: 'towns', documents: DOCUMENTS, questions: QUESTIONS }],
  cases: [
    {
      id: 'towns/1',
      collection: 'towns',
      intent: INTENT,
      questions: QUESTIONS.map((question) => ({ ...question, relevant: question.document === 'Alvik' })),
    },
  ],
  made: [],
};

const LIE = 'The mayor of Alvik resigned.';

/** Reads and chooses well, and adds a lie to what it writes. */
const lying: Script = goodBut(['write'], (request) => {
  const reply = good(request);
  return { text: `${'text' in reply ? reply.text : ''} ${LIE} [1]` };
});

interface Ran {
  readonly stdout: string;
  readonly folder: string;
  readonly requests: readonly RecordedRequest[];
}

const ENCODERS = {
  kernel: new HashedWordsEncoder({ id: 'kernel/1' }),
  asked: new HashedWordsEncoder({ id: 'asked/1' }),
};

async function ablation(script: Script, set: BenchmarkSet = SET, ...args: string[]): Promise<Ran> {
  const { deps, server } = await partsWithModel(script, { engine: new InProcessEngine(ENCODERS) });
  const folder = folderOf({ 'set.json': set });
  const given = [join(folder, 'set.json'), '--out', join(folder, 'out'), '--yes', ...args];
  const { code, stdout, stderr } = await runCommand(ablationCommand, given, deps);
  expect(code, stderr).toBe(0);
  return { stdout, folder: join(folder, 'out'), requests: server.requests };
}

/** The system message of a prompt, which has no variables. */
const systemOf = (id: string) => {
  const prompt = PROMPTS.get(id);
  if (prompt === undefined) throw new Error(`no prompt ${id}`);
  return renderPrompt(prompt, Object.fromEntries(prompt.variables.map((name) => [name, ''])))[0].content;
};
const askedBy = (requests: readonly RecordedRequest[], id: string) =>
  requests.filter(({ body }) => body.messages?.[0]?.content === systemOf(id));

test('every arm asks by its own prompt, at temperature 0.7, and shows everything in the given order', async () => {
  const { requests } = await ablation(good);
  const inOrder = DOCUMENTS.map(({ text }) => text);
  for (const id of ['published-naive', 'published-naive-relevant']) {
    const [asked, ...more] = askedBy(requests, id);
    expect(more).toEqual([]);
    expect(dataIn(asked, 'document').map(({ text }) => text)).toEqual(inOrder);
    expect(dataIn(asked, 'question').map(({ text }) => text)).toEqual(id.endsWith('relevant') ? [INTENT] : []);
  }
  // Once without an intent, and once with one that it does not heed.
  for (const [id, calls] of [
    ['published-select', 2],
    ['published-select-relevant', 1],
  ] as const) {
    const asked = askedBy(requests, id);
    expect(asked).toHaveLength(calls);
    for (const each of asked) {
      expect(dataIn(each, 'article').map(({ text }) => text)).toEqual(inOrder);
      const listed = dataIn(each, 'key points')[0]
        .text.split('\n')
        .map((line) => line.replace(/^\d+\. /, ''));
      expect(listed).toEqual(inOrder.flatMap((text) => text.split(/(?<=\.) /)));
      expect(dataIn(each, 'question')).toHaveLength(id.endsWith('relevant') ? 1 : 0);
    }
  }
  expect(
    askedBy(requests, 'published-extract')
      .map((each) => dataIn(each, 'document')[0].text)
      .sort(),
  ).toEqual([...inOrder].sort());
  const written = askedBy(requests, 'published-write');
  const whole = written.filter((each) => givenPoints(each).flat().length === 8);
  expect(whole.length).toBeGreaterThan(0);
  expect(
    givenPoints(whole[0])
      .flat()
      .map(({ text }) => text),
  ).toEqual(inOrder.flatMap((text) => text.split(/(?<=\.) /)));
  for (const each of written) expect(dataIn(each, 'question')).toEqual([]);
  const others = requests.filter((each) => !['judge', 'write-again'].includes(askedIn(each)));
  expect(new Set(others.map(({ body }) => body.temperature))).toEqual(new Set([0.7]));
  expect(others).toHaveLength(
    ['naive', 'naive-relevant', 'select', 'select-relevant', 'extract', 'write'].flatMap((id) =>
      askedBy(requests, `published-${id}`),
    ).length,
  );
});

test('what the model wrote is scored as it came, beside what was verified of it', async () => {
  const { deps } = await partsWithModel(lying);
  const { sets, code, stderr } = await setsOf({
    systems: [
      { name: 'All', arm: 'all-key-points' },
      { name: 'Naive', arm: 'naive' },
    ],
    sets: [{ files: ['towns.json'] }],
    files: { 'towns.json': { ...SET, cases: SET.cases.slice(0, 1) } },
    args: ['--yes'],
    deps,
  });
  expect(code, stderr).toBe(0);
  const words = (arm: string) => sets[0].outputs.find((output) => output.arm === arm)?.figures['digest.words'] ?? 0;
  expect(sets[0].arms.map(({ name }) => name)).toEqual(['All', 'All, verified', 'Naive', 'Naive, verified']);
  expect(words('All') - words('All, verified')).toBe(LIE.split(' ').length);
  expect(words('Naive')).toBe(words('Naive, verified'));
});

test('tables and figures are printed and written, of an arm that loses what comes last too', async () => {
  const first: Script = goodBut(['naive'], (request) => {
    const [{ number, text }] = dataIn(request, 'document');
    return { text: JSON.stringify({ sentences: [{ text, quotes: [{ document: number, quote: text }] }] }) };
  });
  const { stdout, folder } = await ablation(first);
  for (const title of ['Tables 1 and 2', 'Table 3', 'Table 4', 'Figure 2', 'Figure 3']) expect(stdout).toContain(title);
  expect(readFileSync(join(folder, 'tables.txt'), 'utf8')).toBe(stdout);
  const { sets } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const curveOf = (name: string) =>
    sets[0].curves
      .find(({ system }: { system: string }) => system === name)
      .bins.flatMap(({ coverage }: { coverage: { value: number | null } }) => coverage.value ?? []);
  expect(curveOf('Naive LLM')).toEqual([100, 0, 0, 0]);
  expect(curveOf('All key points')).toEqual([100, 100, 100, 100]);
  const lines = readFileSync(join(folder, 'outputs.jsonl'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(2 * (9 + 7));
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('LLM-selected, relevant');
  expect(stdout).toMatch(/^towns\ntowns, without an intent: .*; 1 case; 1 collection; 4 documents; 8 questions\n/);
  expect(stdout).toContain('coverage by the embedded judge with ');
  // With what the figures were made: models, temperatures, seeds and prompts.
  const { hash } = PROMPTS.get('published-write') ?? { hash: '' };
  expect(stdout.split('made by Tessera ')[1]).toContain(
    `write: m, temperature 0.7, seed 1, prompt published-write ${hash.slice(0, 8)}`,
  );
  const row = (table: string, arm: string) =>
    stdout
      .split(table)[1]
      .split('\n')
      .find((line) => line.startsWith(arm))
      ?.split(/ {3,}/) ?? [];
  expect(row('Tables 1 and 2', 'Naive LLM').slice(1, 3)).toEqual(['1', '25.0*']);
  expect(row('Figure 3', 'All key points').slice(1, 3)).toEqual(['1', '100.0*']);
  expect(row('Figure 2', '(documents)').slice(1).map(Number)).toEqual(
    Array.from({ length: 10 }, (_, bin) => [1, 3, 6, 8].filter((place) => place === bin).length),
  );
});

test('encoders of kernel and of relevance are named with the systems, and lengths are compared with the baseline', async () => {
  const { stdout, folder } = await ablation(good, SET, '--kernel-encoder', 'kernel', '--relevance-encoder', 'asked');
  const { sets } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const told = JSON.stringify(sets.map(({ outputs: _, ...set }: { outputs: object }) => set));
  for (const id of ['kernel/1', 'asked/1']) {
    expect(told, id).toContain(id);
    expect(stdout.split('made by Tessera ')[1], id).toContain(id);
  }
  const [, ...tables] = stdout.split(/^(?=Table 3\. Lengths)/m);
  expect(tables).toHaveLength(2);
  for (const table of tables) {
    const [, heads, ...rows] = table.split('\n');
    const columns = heads.split(/ {3,}/);
    const [, baseline] = /less "([^"]+)"/.exec(heads) ?? [];
    expect(columns.filter((head) => head === `less "${baseline}"`)).toHaveLength(2);
    expect(columns.filter((head) => head === 'p, Holm')).toHaveLength(2);
    const cellsOf = (arm: string) => rows.find((row) => row.startsWith(`${arm}  `))?.split(/ {3,}/) ?? [];
    const [words, less] = ['words', `less "${baseline}"`].map((head) => columns.indexOf(head));
    const number = (cell = '') => Number.parseFloat(cell);
    // Of one case a paired difference is that of the means.
    for (const arm of ['All key points', 'Random']) {
      const expected = number(cellsOf(arm)[words]) - number(cellsOf(baseline)[words]);
      expect(number(cellsOf(arm)[less])).toBe(expected);
    }
  }
  await expect(ablation(good, SET, '--kernel-encoder', 'none')).rejects.toThrow('There is no encoder "none"');
});

test('the random arm selects as many key points of a case as the DPP of its table; with --key-points both select so many', async () => {
  interface Output {
    readonly arm: string;
    readonly datum: string;
    readonly figures: Readonly<Record<string, number>>;
  }
  const selected = async (set: BenchmarkSet, ...args: string[]) => {
    const { folder } = await ablation(good, set, ...args);
    const { sets } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
    return sets.map(({ outputs }: { outputs: Output[] }) =>
      Object.fromEntries(outputs.map(({ arm, datum, figures }) => [`${datum}: ${arm}`, figures['digest.selected']])),
    );
  };
  const few = DOCUMENTS.slice(0, 3);
  const [whole, asking] = await selected({
    ...SET,
    collections: [...SET.collections, { id: 'few', documents: few, questions: QUESTIONS.slice(0, 6) }],
  });
  for (const id of ['towns', 'few']) {
    for (const text of ['', ', verified']) {
      expect(whole[`${id}: Random${text}`]).toBe(whole[`${id}: DPP, sigma 1${text}`]);
    }
  }
  expect(whole['few: DPP, sigma 1']).not.toBe(whole['towns: DPP, sigma 1']);
  expect(asking['towns/1: Random']).toBe(asking['towns/1: DPP, relevant, sigma 1']);
  expect(asking['towns/1: Random']).not.toBe(8);

  for (const part of await selected({ ...SET, cases: [] }, '--key-points', '3')) {
    const drawn = Object.entries(part).filter(([name]) => /: (?:Random|DPP)/.test(name));
    expect(drawn.length).toBeGreaterThan(5);
    expect(new Set(drawn.map(([, count]) => count))).toEqual(new Set([3]));
  }
});

test('both parts are announced as one, by the name of the command, and agreed to once', async () => {
  const { deps } = await partsWithModel(good);
  const folder = folderOf({ 'set.json': SET });
  const args = [join(folder, 'set.json'), '--out', join(folder, 'out')];
  const refused = await runCommand(ablationCommand, args, deps, { typed: 'n\n' });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  const { code, stderr } = await runCommand(ablationCommand, args, deps, { typed: 'y\n' });
  expect(code, stderr).toBe(0);
  expect(stderr.match(/Go on\?/g)).toHaveLength(1);
  expect(stderr.match(/^benchmark \w+: about \d+ calls/gm)).toEqual([
    expect.stringMatching(/^benchmark ablation: about \d+ calls/),
  ]);
  expect(stderr).not.toContain('benchmark run');
  const records = readFileSync(join(folder, 'out', 'records.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const ids = records.map((line) => JSON.parse(line).id);
  expect(new Set(ids)).toEqual(new Set(['towns, without an intent: towns', 'towns, with intents: towns/1']));
});

test('a set without questions is refused, and so is a service without a model', async () => {
  const { deps } = await partsWithModel(good);
  const folder = folderOf({ 'set.json': { name: 's', collections: [{ id: 'c', documents: DOCUMENTS }], cases: [] } });
  const run = runCommand(ablationCommand, [join(folder, 'set.json'), '--out', folder], deps);
  await expect(run).rejects.toThrow(/has no questions/);
  const full = folderOf({ 'set.json': SET });
  await expect(runCommand(ablationCommand, [join(full, 'set.json'), '--out', full])).rejects.toThrow(/language model/);
  await expect(runCommand(ablationCommand, [join(full, 'set.json')])).rejects.toThrow(/--out/);
});
