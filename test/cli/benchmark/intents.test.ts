import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { intentsCommand } from '../../../src/cli/benchmark/makers.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import type { Reranker } from '../../../src/models/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import type { Script } from '../../support/scripted-model-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { messagesOf } from './asked-requests.ts';
import { partsWithModel, runCommand } from './run-command.ts';

const INTENTS = ['What does the ferry strike cost passengers?', 'Which wages do the ferry crews demand?'];
const QUESTIONS = [
  'What does a ticket cost passengers in the ferry strike?',
  'What does the ferry strike cost the passengers of Sund?',
  'Which wages do the crews of the ferry demand?',
  'Who painted the harbour mural?',
];

const question = (text: string) => ({ question: text, answer: 'so much', document: 'd', position: 0 });
const SET: BenchmarkSet = {
  name: 'ferries',
  collections: [
    {
      id: 'strike',
      documents: [{ id: 'd', text: 'The ferry crews strike for wages.' }],
      questions: QUESTIONS.map(question),
    },
    { id: 'unasked', documents: [{ id: 'd', text: 'Nothing.' }] },
  ],
  cases: [{ id: 'strike', collection: 'strike', questions: QUESTIONS.map(question) }],
  made: [],
};

function setFile(set: unknown = SET): string {
  const path = join(temporaryFolder(), 'set.json');
  writeFileSync(path, JSON.stringify(set));
  return path;
}

const between = (shown: string, kind: string) => new RegExp(`BEGIN ${kind} \\w+>>>\\n(.*)\\n`).exec(shown)?.[1] ?? '';

/** YES to the questions that ask for money as the intent does; where it is not sure, it says so in its probabilities. */
const script: Script = ({ body }) => {
  const shown = messagesOf(body);
  if (!shown.includes('Answer YES or NO.')) return { text: JSON.stringify({ intents: INTENTS }) };
  const [intent, asked] = [between(shown, 'intent'), between(shown, 'question')];
  if (asked.includes('mural')) return { text: 'Perhaps.' };
  const isYes = ['cost', 'wages'].some((word) => intent.includes(word) && asked.includes(word));
  const likely = asked.includes('ticket') ? 0.55 : 0.9;
  const top = { Yes: Math.log(isYes ? likely : 0.1), No: Math.log(isYes ? 1 - likely : 0.9) };
  return { text: isYes ? 'YES' : 'NO', logprobs: [top] };
};

const relevantOf = ({ cases }: BenchmarkSet) =>
  cases.map(({ id, questions = [] }) => [id, questions.map(({ relevant }) => relevant)]);

test('marks the questions that are relevant by the cosines of the default encoder', async () => {
  const path = setFile();
  const { deps } = await partsWithModel(script);
  const args = [path, '--out', `${path}.out`, '--intents', '2', '--least', '1', '--threshold', '0.45', '--yes'];
  const { code, stderr } = await runCommand(intentsCommand, args, deps);
  expect(code).toBe(0);
  const made = readSet(`${path}.out`);
  expect(relevantOf(made)).toEqual([
    ['strike', [undefined, undefined, undefined, undefined]],
    ['strike/intent-1', [true, true, false, false]],
    ['strike/intent-2', [false, false, true, false]],
  ]);
  expect(made.cases[1]).toMatchObject({ collection: 'strike', intent: INTENTS[0] });
  expect(made.cases[1].questions?.map(({ question: text }) => text)).toEqual(QUESTIONS);
  expect(made.made).toMatchObject([
    {
      step: 'intents',
      options: { intents: 2, threshold: 0.45, least: 1, scorer: 'hashed-words/1' },
      counts: {
        collections: 1,
        collectionsWithoutQuestions: 1,
        intents: 2,
        kept: 2,
        dropped: 0,
        relevant: 3,
        unscored: 0,
        calls: 1,
      },
    },
  ]);
  expect(stderr).toContain(
    'Kept 2 of 2 intents (collections: 1): those with 1 relevant questions or more, scored above 0.45 by hashed-words/1.',
  );
  expect(stderr).not.toContain('none was measured');
  expect(stderr).toContain('Collections left out, as they have no questions: 1.');
  // Made again from what it made, it takes the place of it.
  const again = await runCommand(intentsCommand, [`${path}.out`, ...args.slice(3)], deps);
  const twice: BenchmarkSet = JSON.parse(again.stdout);
  expect(twice.cases).toEqual(made.cases);
  expect(twice.made).toHaveLength(2);
});

test('asks the language model with --scorer llm, and weighs its word', async () => {
  const { deps, server } = await partsWithModel(script);
  const args = [setFile(), '--intents', '2', '--least', '1', '--scorer', 'llm', '--yes'];
  const { stdout, stderr } = await runCommand(intentsCommand, args, deps);
  const made: BenchmarkSet = JSON.parse(stdout);
  // The question about a ticket has a share of 0.55, below the 0.6 of the paper.
  expect(relevantOf(made).slice(1)).toEqual([
    ['strike/intent-1', [false, true, false, false]],
    ['strike/intent-2', [false, false, true, false]],
  ]);
  expect(made.made[0]).toMatchObject({
    options: { threshold: 0.6, scorer: 'llm' },
    counts: { calls: 9, malformed: 2, unscored: 2, unweighed: 0, relevant: 2 },
  });
  expect(Object.keys(made.made[0].prompts)).toEqual(['benchmark-intents', 'benchmark-relevance']);
  expect(server.requests).toHaveLength(11);
  expect(stderr).toContain('about 9 calls');
  expect(stderr).toContain('as the model gave no readable answer: 2.');
});

test('counts words without probabilities as yes or no, and says so', async () => {
  const bare: Script = async (request, index) => {
    const reply = await script(request, index);
    return 'text' in reply && 'logprobs' in reply ? { text: reply.text ?? '' } : reply;
  };
  const { deps } = await partsWithModel(bare);
  const args = [setFile(), '--intents', '2', '--least', '1', '--scorer', 'llm', '--yes'];
  const { stdout, stderr } = await runCommand(intentsCommand, args, deps);
  const made: BenchmarkSet = JSON.parse(stdout);
  expect(relevantOf(made)[1]).toEqual(['strike/intent-1', [true, true, false, false]]);
  expect(made.made[0].counts).toMatchObject({ unweighed: 6, unscored: 2 });
  expect(stderr).toContain('no threshold between them matters: 6.');
});

test('asks a reranker with the intent and all questions', async () => {
  const asked: [string, readonly string[]][] = [];
  const reranker: Reranker = {
    profile: { id: 'rerank/host/model', languages: null, matched: 0.5 },
    score: async (query, texts) => {
      asked.push([query, texts]);
      return Float64Array.from(texts, (_, n) => 4 - 2 * n);
    },
  };
  const { deps } = await partsWithModel(script, { engine: new InProcessEngine({}, { cross: reranker }) });
  const args = [setFile(), '--intents', '1', '--least', '1', '--scorer', 'cross', '--threshold=-1', '--yes'];
  const without = args.filter((arg) => !arg.startsWith('--threshold'));
  await expect(runCommand(intentsCommand, without, deps)).rejects.toThrow(/"cross" is a reranker.*say --threshold/);
  const made: BenchmarkSet = JSON.parse((await runCommand(intentsCommand, args, deps)).stdout);
  expect(asked).toEqual([[INTENTS[0], QUESTIONS]]);
  expect(relevantOf(made)[1]).toEqual(['strike/intent-1', [true, true, true, false]]);
  expect(made.made[0].options).toMatchObject({ scorer: 'rerank/host/model', threshold: -1 });
});

test('says where the encoder does not know the language of an intent', async () => {
  const english = new HashedWordsEncoder({ id: 'english/1', languages: ['eng'] });
  const chinese: Script = () => ({
    text: JSON.stringify({
      intents: ['渡轮罢工给乘客带来多少费用？'],
    }),
  });
  const { deps } = await partsWithModel(chinese, { engine: new InProcessEngine({ english }) });
  const args = [setFile(), '--intents', '1', '--least', '0', '--scorer', 'english', '--yes'];
  const { stdout, stderr } = await runCommand(intentsCommand, args, deps);
  expect(JSON.parse(stdout).made[0].counts).toMatchObject({ foreignIntents: 1 });
  expect(stderr).toContain('The threshold 0.6 is a cosine found for another encoder: for english/1 none was measured');
  expect(stderr).toContain(
    'Intents in a language that the scorer was not trained for, about which its scores tell little: 1.',
  );
});

test.each([
  [['--intents', '0'], /--intents is a whole number from 1/],
  [['--least', '1.5'], /--least is a whole number from 0/],
  [['--threshold', 'high'], /--threshold is a number, not "high"/],
  [['--scorer'], /--scorer/],
])('refuses %j', async (more, message) => {
  await expect(runCommand(intentsCommand, [setFile(), ...more])).rejects.toThrow(message);
});

test('refuses sets without questions, and scorers that there are not', async () => {
  const bare = { ...SET, collections: SET.collections.slice(1), cases: [] };
  await expect(runCommand(intentsCommand, [setFile(bare)])).rejects.toThrow(
    /no questions; run benchmark questions first/,
  );
  const scorer = runCommand(intentsCommand, [setFile(), '--scorer', 'bert']);
  await expect(scorer).rejects.toThrow(/"bert"; there is "hashed-words", "llm"/);
});
