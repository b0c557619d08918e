import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAKERS } from '../../../src/cli/benchmark/makers.node.ts';
import { runCommand as benchmarkRun } from '../../../src/cli/benchmark/run.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import type { Reranker } from '../../../src/models/index.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { messagesOf, type Reply, type RequestBody, type Script } from '../../support/scripted-model-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { partsWithModel, runCommand } from './run-command.ts';

function fileOf(value: unknown, name = 'set.json'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

const blockOf = (shown: string, kind: string) => new RegExp(`BEGIN ${kind} \\w+>>>\\n(.*)\\n`).exec(shown)?.[1] ?? '';
const json = (value: unknown): Reply => ({ text: JSON.stringify(value) });

/** Answers by what is asked for, in the words of the prompts. */
function scripted(answers: Readonly<Record<string, (shown: string, body: RequestBody) => Reply>>): Script {
  return ({ body }) => {
    const shown = messagesOf(body);
    const [, answer] = Object.entries(answers).find(([words]) => shown.includes(words)) ?? [];
    if (answer === undefined) throw new Error(`nothing answers ${shown.slice(0, 200)}`);
    return answer(shown, body);
  };
}

/** A word with its probability. */
const weighed = (yes: number): Reply => ({
  text: yes > 0.5 ? 'YES' : 'No',
  logprobs: [{ ' Yes': Math.log(yes * 0.6), YES: Math.log(yes * 0.4), No: Math.log(1 - yes) }],
});

const MILLS: BenchmarkSet = {
  name: 'mills',
  collections: [
    { id: 'north', documents: [town('Alm'), town('Brok')] },
    { id: 'south', documents: [town('Elm')] },
  ],
  cases: [{ id: 'all of it', collection: 'south', reference: 'Mills ground rye.' }],
  made: [],
};

function town(id: string) {
  const years = Array.from({ length: 8 }, (_, n) => `In ${1900 + n} the mill of ${id} ground ${100 + n} tons of rye.`);
  return { id, text: years.join(' ') };
}

const asksMills = scripted({
  'questions to write': (shown) => {
    const of = /mill of (\w+) ground/.exec(shown)?.[1] ?? '';
    if (of === 'Elm') return { text: 'I would rather not.' };
    const count = Number(/questions to write: (\d+)/.exec(shown)?.[1]);
    const questions = Array.from({ length: count }, (_, n) => ({
      question: `How much rye did the mill of ${of} grind in ${1900 + n}?`,
      answer: of === 'Brok' && n > 1 ? '' : `${100 + n} tons`,
    }));
    return json({ questions });
  },
});

test('questions: of every document, with a case that asks them all', async () => {
  const [path, out] = [fileOf(MILLS), join(temporaryFolder(), 'out.json')];
  const { deps, server } = await partsWithModel(asksMills);
  const args = ['--questions', '4', '--yes'];
  const { code, stdout, stderr } = await runCommand(MAKERS.questions, [path, ...args, '--out', out], deps);
  expect([code, stdout]).toEqual([0, '']);
  const made = readSet(out);
  const places = (set: BenchmarkSet) =>
    set.collections.map(({ questions = [] }) => questions.map(({ document, position }) => `${document} ${position}`));
  expect(places(made)).toEqual([['Alm 0', 'Alm 0', 'Alm 0', 'Alm 0', 'Brok 1', 'Brok 1'], []]);
  expect(made.cases).toEqual([
    MILLS.cases[0],
    { id: 'north', collection: 'north', questions: made.collections[0].questions },
  ]);
  expect(made.made).toMatchObject([
    {
      ...{ step: 'questions', model: { model: 'm', temperature: 0, seed: 1 }, options: { questions: 4 } },
      counts: { questions: 6, empty: 2, missing: 6, calls: 3, malformed: 1 },
    },
  ]);
  expect(Object.keys(made.made[0].prompts)).toEqual(['benchmark-questions']);
  // One document is asked again for its form.
  expect(server.requests).toHaveLength(4);
  expect(stderr).toContain('benchmark questions: about 3 calls of m');
  expect(stderr).toContain('empty: 2\nmissing: 6\nquestions: 6\n');
});

const INTENTS = ['What does the ferry strike cost passengers?', 'Which wages do the ferry crews demand?'];
const QUESTIONS = [
  'What does a ticket cost passengers in the ferry strike?',
  'What does the ferry strike cost the passengers of Sund?',
  'Which wages do the crews of the ferry demand?',
  'Who painted the harbour mural?',
];
const FERRIES: BenchmarkSet = {
  name: 'ferries',
  collections: [
    {
      id: 'strike',
      documents: [{ id: 'd', text: 'The ferry crews strike for wages.' }],
      questions: QUESTIONS.map((question) => ({ question, answer: 'so much', document: 'd', position: 0 })),
    },
    { id: 'unasked', documents: [{ id: 'd', text: 'Nothing.' }] },
  ],
  cases: [],
  made: [],
};
/** YES to the questions that ask for money as the intent does, unsure of the ticket. */
const asksFerries = scripted({
  'Answer YES or NO.': (shown) => {
    const [intent, asked] = [blockOf(shown, 'intent'), blockOf(shown, 'question')];
    if (asked.includes('mural')) return { text: 'Perhaps.' };
    const isYes = ['cost', 'wages'].some((word) => intent.includes(word) && asked.includes(word));
    return weighed(isYes ? (asked.includes('ticket') ? 0.55 : 0.9) : 0.1);
  },
  'intents to write': () => json({ intents: INTENTS }),
});

const relevantOf = ({ cases }: BenchmarkSet) =>
  cases.map(({ id, questions = [] }) => [id, questions.map(({ relevant }) => Number(relevant)).join('')]);

async function intentsBy(script: Script, flags: readonly string[], engine?: InProcessEngine) {
  const { deps } = await partsWithModel(script, engine === undefined ? {} : { engine });
  const args = [fileOf(FERRIES), '--intents', '2', '--least', '1', '--yes', ...flags];
  const { stdout, stderr } = await runCommand(MAKERS.intents, args, deps);
  const set: BenchmarkSet = JSON.parse(stdout);
  return { relevant: relevantOf(set), ...set.made[0], stderr };
}

test('intents: by the cosines of the default encoder, or the words of the language model with their probabilities', async () => {
  const embedded = await intentsBy(asksFerries, ['--threshold', '0.45']);
  expect(embedded).toMatchObject({
    relevant: [
      ['strike/intent-1', '1100'],
      ['strike/intent-2', '0010'],
    ],
    options: { intents: 2, threshold: 0.45, least: 1, scorer: 'hashed-words/1' },
    counts: { kept: 2, relevant: 3, calls: 1 },
  });
  // The question about a ticket has a share of 0.55, below the 0.6 of the paper.
  const asked = await intentsBy(asksFerries, ['--scorer', 'llm']);
  expect(asked).toMatchObject({
    relevant: [
      ['strike/intent-1', '0100'],
      ['strike/intent-2', '0010'],
    ],
    options: { threshold: 0.6, scorer: 'llm' },
    counts: { calls: 9, malformed: 2, relevant: 2 },
  });
  expect(asked.stderr).toContain('about 9 calls');
  const bare: Script = async (request, index) => {
    const reply = await asksFerries(request, index);
    return 'text' in reply && 'logprobs' in reply ? { text: reply.text ?? '' } : reply;
  };
  const unweighed = await intentsBy(bare, ['--scorer', 'llm']);
  expect([unweighed.relevant[0][1], unweighed.counts.unweighed]).toEqual(['1100', 6]);
});

test('intents: a reranker scores by a threshold that is said; intents in a foreign language are counted', async () => {
  const asked: [string, readonly string[]][] = [];
  const cross: Reranker = {
    profile: { id: 'rerank/host/model', languages: null, matched: 0.5 },
    score: async (query, texts) => {
      asked.push([query, texts]);
      return Float64Array.from(texts, (_, n) => 4 - 2 * n);
    },
  };
  const engine = new InProcessEngine({}, { cross });
  await expect(intentsBy(asksFerries, ['--scorer', 'cross'], engine)).rejects.toThrow(/is a reranker.*say --threshold/);
  const made = await intentsBy(asksFerries, ['--scorer', 'cross', '--threshold=-1'], engine);
  // Scored once: nothing is scored for the estimate.
  expect(asked).toEqual(INTENTS.map((intent) => [intent, QUESTIONS]));
  expect(made).toMatchObject({ relevant: [['', '1110'].with(0, 'strike/intent-1'), ['strike/intent-2', '1110']] });
  const english = new HashedWordsEncoder({ id: 'english/1', languages: ['eng'] });
  const chinese = scripted({ 'intents to write': () => json({ intents: ['渡轮罢工给乘客带来多少费用？'] }) });
  const foreign = await intentsBy(chinese, ['--scorer', 'english', '--least', '0'], new InProcessEngine({ english }));
  expect(foreign.counts.foreignIntents).toBe(1);
});

const ISLAND: BenchmarkSet = {
  name: 'island',
  collections: [
    {
      id: 'papers',
      documents: [
        { id: 'post', text: 'The ferry does not run from November to March. The island has one shop. Bread is dear.' },
        { id: 'echo', text: 'A ticket for the ferry costs 12 crowns. From November to March the ferry does not run.' },
      ],
    },
  ],
  cases: [
    { id: 'reach', collection: 'papers', intent: 'How does one get to the island?' },
    { id: 'all', collection: 'papers', reference: 'An island.' },
  ],
  made: [],
};
/** Probability that what is in a point is useful. */
const USEFUL = { shop: 0.3, Bread: 0.1, ticket: 0.7, ferry: 0.95 };
const asksIsland = scripted({
  'List its key points': () => json({ keyPoints: [] }),
  'Does the text say all': (shown) => {
    const claim = blockOf(shown, 'claim');
    const isTold = shown.split(claim).length > 2;
    return json({ evidence: isTold ? claim : '', verdict: isTold ? 'YES' : 'NO' });
  },
  'Does this key point help': (shown) => {
    const [, yes] = Object.entries(USEFUL).find(([word]) => blockOf(shown, 'point').includes(word)) ?? ['', 0.5];
    return weighed(yes);
  },
  'Which of these points': (shown) => {
    const winter = [...shown.matchAll(/^(\d+)\. .*November to March.*\.$/gm)].map(([, number]) => Number(number));
    return json({ groups: [{ points: [...winter.slice(-2), 99] }] });
  },
  'Found already': () => json({ keyPoints: [] }),
  'BEGIN document': (_, { messages = [] }) => {
    const sentences = blockOf(messages[1].content, 'document').match(/[^.]+\./g) ?? [];
    return json({ keyPoints: sentences.map((each) => ({ text: each.trim(), quotes: [each.trim()] })) });
  },
});

test('key-points: merged over documents, weighed by probabilities; people’s points are recalled by benchmark run', async () => {
  const { deps } = await partsWithModel(asksIsland);
  const { stdout } = await runCommand(MAKERS['key-points'], [fileOf(ISLAND), '--yes'], deps);
  const set: BenchmarkSet = JSON.parse(stdout);
  const [reach, all] = set.cases;
  expect(reach.keyPoints?.map(({ text, spans = [] }) => [text, spans.map(({ document }) => document)])).toEqual([
    ['The ferry does not run from November to March.', ['post', 'echo']],
    ['A ticket for the ferry costs 12 crowns.', ['echo']],
  ]);
  // YES over YES and NO.
  for (const [place, yes] of [0.95, 0.7].entries()) expect(reach.keyPoints?.[place].usefulness).toBeCloseTo(yes, 12);
  expect(all).toEqual(ISLAND.cases[1]);
  expect(set.made[0]).toMatchObject({
    options: { rounds: 3, threshold: 0.7, context: 8000 },
    counts: { extracted: 5, merged: 1, filtered: 2, kept: 2 },
  });
  const stricter = await runCommand(MAKERS['key-points'], [fileOf(ISLAND), '--threshold', '1'], deps);
  expect(stricter).toMatchObject({ code: 1, stdout: '' });
  expect(stricter.stderr).toMatch(/nothing to ask[\s\S]*empty cases: 1\n[\s\S]*Nothing was made/);

  const folder = temporaryFolder();
  const people = ['The ferry does not run from November to March.', 'There is a bridge to Denmark.'];
  const asked = { ...reach, keyPoints: people.map((text) => ({ text })) };
  const files = {
    'people.json': { ...ISLAND, cases: [asked] },
    'made.jsonl': { case: 'reach', system: 'made', bullets: reach.keyPoints?.map(({ text }) => text) },
    'run.json': {
      name: 'Recall',
      sets: [{ files: ['people.json'] }],
      systems: [{ name: 'made', outputs: 'made.jsonl' }],
    },
  };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
  const judged = [join(folder, 'run.json'), '--json', '--judge', 'llm', '--model', 'scripted', '--yes'];
  const recalled = await runCommand(benchmarkRun, judged, deps);
  expect(JSON.parse(recalled.stdout).sets[0].outputs[0].figures['keyPoints.recall']).toBe(50);
});

test('nuggets: pooled from outputs of systems, and bound to the documents that attest them alone', async () => {
  const ferry = 'The ferry runs from April.';
  const said = [`${ferry} A ticket costs 12 crowns.`, 'A ticket costs 12 crowns.', 'The king travels free.'];
  const outputs = [
    { case: 'reach', system: 'one', bullets: said[0].split(/(?<=\.) /) },
    { case: 'reach', system: 'two', sentences: [{ text: said[1], documents: [] }] },
    { case: 'reach', system: 'three', bullets: [said[2]] },
    // Said alike, read once.
    { case: 'reach', system: 'four', bullets: [said[2]] },
    { case: 'all', system: 'one', bullets: ['It is an island.'] },
  ];
  const read: string[] = [];
  let isLenient = false;
  const asks = scripted({
    'Nuggets to list at most': (shown) => {
      const [, text = ''] = /BEGIN document \w+>>>\n([\s\S]*?)\n<<<END/.exec(shown) ?? [];
      read.push(text);
      const found = text.split('\n').flatMap((line) => line.split(/(?<=\.) /));
      return json({
        nuggets: found.map((quote) => ({ question: `What of ${quote.split(' ')[1]}?`, answer: quote, quote })),
      });
    },
    'Merge them': () => json({ nuggets: [] }),
    'Does the document attest': (shown) => {
      const isThere = blockOf(shown, 'answer').includes('ticket') && blockOf(shown, 'document').includes('ticket');
      return { text: isThere || isLenient ? 'YES' : 'NO' };
    },
  });
  const { deps } = await partsWithModel(asks);
  const path = join(temporaryFolder(), 'outputs.jsonl');
  writeFileSync(path, outputs.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const pooled = (file: string, ...more: string[]) =>
    runCommand(MAKERS.nuggets, [fileOf(ISLAND), '--outputs', file, '--yes', ...more], deps);
  const set: BenchmarkSet = JSON.parse((await pooled(path)).stdout);
  const lines = said.map((text, place) => (place === 0 ? text.replace('. ', '.\n') : text));
  expect(read.sort()).toEqual(lines.sort());
  const { documents } = ISLAND.collections[0];
  const selling = documents.filter(({ text }) => text.includes('ticket'));
  const [nugget, ...more] = set.cases[0].nuggets ?? [];
  expect(nugget.answers).toMatchObject([{ text: 'A ticket costs 12 crowns.', documents: selling.map(({ id }) => id) }]);
  // Nothing that a system said counts unless a document does: not the king, and not the ferry in April.
  expect(new Set([nugget, ...more].flatMap(({ answers = [] }) => answers.map(({ text }) => text))).size).toBe(1);
  for (const { document, start, end } of nugget.answers?.[0].spans ?? []) {
    expect(selling.find(({ id }) => id === document)?.text.slice(start, end)).toContain('ticket');
  }
  expect(set.cases[1].nuggets).toBeUndefined();
  expect(set.made.at(-1)?.options).toMatchObject({ pooled: expect.stringMatching(/^[0-9a-f]+$/) });
  // Whatever a model believes, what a system said is no document.
  isLenient = true;
  const believed: BenchmarkSet = JSON.parse((await pooled(path, '--restart')).stdout);
  const answers = believed.cases[0].nuggets?.flatMap((each) => each.answers ?? []) ?? [];
  expect(answers.length).toBeGreaterThan(1);
  expect(new Set(answers.flatMap((answer) => answer.documents))).toEqual(new Set(documents.map(({ id }) => id)));
  writeFileSync(path, JSON.stringify({ case: 'reach', system: 'one' }));
  await expect(pooled(path)).rejects.toThrow('needs either "sentences" or "bullets"');
});

test('haystack: written around insights', async () => {
  const facts = ['The quay is 340 metres long.', 'The loan is 90 million euros.'];
  const found = (shown: string) =>
    facts.map((quote) => ({ insight: shown.indexOf(quote) < shown.indexOf(facts[0]) ? 1 : 2, quote }));
  const { deps } = await partsWithModel(
    scripted({
      'You plan a collection': () => json({ subtopics: [{ name: 'Harbour', query: 'What is new?', insights: facts }] }),
      'You look through': () => json({ overlaps: [] }),
      'You sort facts': () => json({ places: [] }),
      'You write one article': () => ({ text: `News\n\n${facts.join(' ')}` }),
      'You find which facts': (shown) => json({ found: found(shown) }),
    }),
  );
  const flags = ['--topic', 'Harbour', '--documents', '2', '--least', '2', '--insights', '2', '--subtopics', '1'];
  const { code, stdout, stderr } = await runCommand(MAKERS.haystack, [...flags, '--edits', '0', '--yes'], deps);
  expect(code).toBe(0);
  const set: BenchmarkSet = JSON.parse(stdout);
  expect(set).toMatchObject({ name: 'Harbour', cases: [{ id: 's1', intent: 'What is new?', domain: 'news' }] });
  expect(set.made[0]).toMatchObject({ step: 'haystack', options: { topic: 'Harbour', insights: '2-2', seeds: null } });
  expect(stderr).toContain('\ndocuments: 2\n');
});

test.each<[keyof typeof MAKERS, readonly string[], RegExp]>([
  ['questions', [], /Name the file of a benchmark set/],
  ['questions', ['SET', 'SET'], /one only/],
  ['questions', ['SET', '--questions', '0'], /--questions is a whole number from 1, not "0"/],
  ['questions', ['SET', '--colour', 'red'], /--colour/],
  ['questions', ['SET', '--yes', '--out', '/no/where/out.json'], /cannot be written/],
  ['questions', ['SET'], /say --yes/],
  ['intents', ['SET', '--least', '1.5'], /--least is a whole number from 0/],
  ['intents', ['SET', '--threshold', 'high'], /--threshold is a number, not "high"/],
  ['intents', ['FERRIES', '--scorer', 'none', '--yes'], /there is "hashed-words".*"llm"/],
  ['intents', ['SET', '--yes'], /no questions; run benchmark questions first/],
  ['key-points', ['SET', '--threshold', '1.1'], /--threshold is a number from 0 to 1, not "1.1"/],
  ['key-points', ['SET', '--yes'], /No case of the set has an intent, which asks for key-points/],
  ['nuggets', ['SET', '--yes'], /which asks for nuggets/],
  ['haystack', [], /--topic is a text of 1 to 500/],
  ['haystack', ['--topic', 'A', '--kind', 'poem'], /news, conversation/],
  ['haystack', ['--topic', 'A', '--insights', '9-5'], /9-5/],
  ['haystack', ['--topic', 'A', '--documents', '2001'], /at most 2000/],
  ['haystack', ['--topic', 'A', '--documents', '4', '--least', '5'], /--least is at most the 4/],
  ['haystack', ['--topic', 'A', 'file'], /"file" is one word too many/],
])('%s refuses %j', async (name, args, message) => {
  const files = new Map([
    ['SET', fileOf(MILLS)],
    ['FERRIES', fileOf(FERRIES)],
  ]);
  const { deps, server } = await partsWithModel(asksMills);
  const named = args.map((arg) => files.get(arg) ?? arg);
  await expect(runCommand(MAKERS[name], named, deps)).rejects.toThrow(message);
  expect(server.requests).toEqual([]);
});
