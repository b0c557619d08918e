import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { questionsCommand } from '../../../src/cli/benchmark/makers.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import type { Script } from '../../support/scripted-model-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { messagesOf } from './asked-requests.ts';
import { partsWithModel, runCommand } from './run-command.ts';

const towns = ['Alm', 'Brok', 'Cern', 'Dorf', 'Elm'];
const text = (town: string) =>
  Array.from({ length: 12 }, (_, n) => `In ${1900 + n} the mill of ${town} ground ${100 + n} tons of rye.`).join(' ');
const SET: BenchmarkSet = {
  name: 'mills',
  collections: [
    { id: 'north', documents: towns.slice(0, 3).map((town) => ({ id: town, text: text(town) })) },
    {
      id: 'south',
      documents: towns.slice(3).map((town) => ({ id: town, title: `The mill of ${town}`, text: text(town) })),
    },
  ],
  cases: [{ id: 'all of it', collection: 'south', reference: 'Mills ground rye.' }],
  made: [],
};

/** Questions on what the request shows; the town of Brok has two of four that can be used at first, Elm is never readable. */
const script: Script = ({ body }) => {
  const shown = messagesOf(body);
  const town = /mill of (\w+) ground/.exec(shown)?.[1] ?? '';
  if (town === 'Elm') return { text: 'I would rather not.' };
  const count = Number(/questions to write: (\d+)/.exec(shown)?.[1]);
  const isMore = shown.includes('Could not be used:');
  const questions = Array.from({ length: count }, (_, n) => ({
    question: `How much rye did the mill of ${town} grind in ${1900 + n + (isMore ? 6 : 0)}?`,
    answer: town === 'Brok' && !isMore && n > 1 ? 'gold' : `${100 + n + (isMore ? 6 : 0)} tons`,
  }));
  return { text: JSON.stringify({ questions }), delay: town === 'Alm' ? 5 : 0 };
};

function setFile(set: unknown = SET): string {
  const path = join(temporaryFolder(), 'set.json');
  writeFileSync(path, JSON.stringify(set));
  return path;
}

test('makes questions for every document, and a case that asks them all', async () => {
  const path = setFile();
  const out = `${path}.out`;
  const { deps, server } = await partsWithModel(script);
  const { code, stderr } = await runCommand(questionsCommand, [path, '--questions', '4', '--out', out, '--yes'], deps);
  expect(code).toBe(0);
  const made = readSet(out);
  expect(
    made.collections.map(({ questions = [] }) => questions.map(({ document, position }) => [document, position])),
  ).toEqual([
    ['Alm', 'Brok', 'Cern'].flatMap((town, place) => new Array(4).fill([town, place])),
    new Array(4).fill(['Dorf', 0]),
  ]);
  expect(
    made.cases.map(({ id, collection, intent, questions }) => [id, collection, intent, questions?.length]),
  ).toEqual([
    ['all of it', 'south', undefined, 4],
    ['north', 'north', undefined, 12],
  ]);
  expect(made.cases[1].questions).toEqual(made.collections[0].questions);
  expect(made.collections[0].questions?.[0]).toEqual({
    question: 'How much rye did the mill of Alm grind in 1900?',
    answer: '100 tons',
    kind: 'fact',
    document: 'Alm',
    position: 0,
  });
  const [making] = made.made;
  expect(making).toMatchObject({
    step: 'questions',
    model: { model: 'm', temperature: 0, seed: 1 },
    options: { questions: 4, limit: null },
    counts: {
      documents: 5,
      questions: 16,
      ungrounded: 2,
      shortDocuments: 1,
      missing: 4,
      calls: 6,
      malformed: 1,
      askedAgain: 1,
    },
  });
  expect(Object.keys(making.prompts)).toEqual(['benchmark-questions', 'benchmark-questions-more']);
  // Five documents, one of them asked again for its form, another for more.
  expect(server.requests).toHaveLength(7);
  expect(stderr).toContain('benchmark questions: about 5 calls of m');
  expect(stderr).toContain(
    'Questions: 16 (documents: 5).\nDropped, with an answer in words that the document does not hold: 2.\n',
  );
  expect(stderr).toContain('Documents with fewer questions than wanted: 1.\nQuestions missing in all: 4.');
});

test('--limit reads the first documents, and leaves other collections as they are', async () => {
  const { deps, server } = await partsWithModel(script);
  const path = setFile();
  const { stdout } = await runCommand(questionsCommand, [path, '--limit', '1', '--questions', '2', '--yes'], deps);
  const made: BenchmarkSet = JSON.parse(stdout);
  expect(server.requests).toHaveLength(1);
  expect(made.collections.map(({ questions }) => questions?.length)).toEqual([2, undefined]);
  expect(made.cases.map(({ id }) => id)).toEqual(['all of it', 'north']);
  expect(made.made[0].options).toMatchObject({ limit: 1 });
  // Of what an earlier run made, documents that are not read now keep theirs.
  const whole = await runCommand(questionsCommand, [path, '--questions', '3', '--yes'], deps);
  const {
    code,
    stdout: again,
    stderr,
  } = await runCommand(
    questionsCommand,
    [setFile(JSON.parse(whole.stdout)), '--limit', '1', '--questions', '2', '--yes'],
    deps,
  );
  const counted = (JSON.parse(again) as BenchmarkSet).collections.map(({ questions = [] }) =>
    questions.map(({ document }) => document).join(' '),
  );
  expect([code, counted]).toEqual([0, ['Alm Alm Brok Brok Brok Cern Cern Cern', 'Dorf Dorf Dorf']]);
  expect(stderr).toContain('Earlier questions that stay, of documents not read now or that gave none: 9.');
});

test.each([
  [['--questions', '0'], /--questions is a whole number from 1, not "0"/],
  [['--limit', 'all'], /--limit is a whole number from 1, not "all"/],
  [['--colour', 'red'], /--colour/],
  [['second.json'], /one only/],
])('refuses %j', async (more, message) => {
  await expect(runCommand(questionsCommand, [setFile(), ...more])).rejects.toThrow(message);
});

test('a file that cannot be written is refused before anything is asked', async () => {
  const { deps, server } = await partsWithModel(script);
  const nowhere = join(temporaryFolder(), 'no', 'out.json');
  const refused = runCommand(questionsCommand, [setFile(), '--yes', '--out', nowhere], deps);
  await expect(refused).rejects.toThrow(/cannot be written/);
  expect(server.requests).toEqual([]);
});
