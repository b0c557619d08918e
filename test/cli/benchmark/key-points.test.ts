import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keyPointsCommand } from '../../../src/cli/benchmark/key-points.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import type { RecordedRequest, Script } from '../../support/scripted-model-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { messagesOf, stoppingAfter } from './asked-requests.ts';
import { partsWithModel, runCommand } from './run-command.ts';

const SET: BenchmarkSet = {
  name: 'island',
  collections: [
    {
      id: 'papers',
      documents: [
        {
          id: 'post',
          text: 'The ferry does not run from November to March. The island has one shop. Bread is dear on the island.',
        },
        { id: 'echo', text: 'A ticket for the ferry costs 12 crowns. From November to March the ferry does not run.' },
      ],
    },
    { id: 'letters', documents: [{ id: 'letter', text: 'Nobody wants to say anything about it.' }] },
  ],
  cases: [
    { id: 'reach', collection: 'papers', intent: 'How does one get to the island?' },
    { id: 'all', collection: 'papers', reference: 'An island.' },
    { id: 'silent', collection: 'letters', intent: 'What do they say?' },
  ],
  made: [],
};

/** Probability of YES that the model has for what is in a point; a figure of 0 is an answer that cannot be read. */
const USEFUL: readonly (readonly [string, number])[] = [
  ['shop', 0.3],
  ['Bread', 0],
  ['ticket', 0.7],
  ['ferry', 0.95],
];

const script: Script = ({ body }) => {
  const shown = body.messages?.[1].content ?? '';
  if (messagesOf(body).includes('Does this key point help')) {
    const place = shown.slice(shown.indexOf('BEGIN point'));
    const yes = USEFUL.find(([word]) => place.includes(word))?.[1] ?? 0;
    if (yes === 0) return { text: 'That depends.' };
    const top = {
      ' Yes': Math.log(yes * 0.6),
      YES: Math.log(yes * 0.3),
      yes: Math.log(yes * 0.1),
      No: Math.log(1 - yes),
    };
    return { text: yes > 0.5 ? ' Yes' : 'No', logprobs: [top] };
  }
  if (shown.includes('Which of these points')) {
    const points = shown.split('\n').flatMap((line) => /^(\d+)\. (.*)$/.exec(line)?.slice(1, 3) ?? []);
    const numbers = points.flatMap((each, place) => (place % 2 === 0 ? [Number(each)] : []));
    const winter = numbers.filter((_, place) => points[2 * place + 1].includes('November'));
    const others = numbers.filter((number) => !winter.includes(number));
    const text = 'The ferry does not run from November to March.';
    return {
      text: JSON.stringify({
        groups: [{ points: [...winter, 99], text }, ...others.map((number) => ({ points: [number], text: '' }))],
      }),
    };
  }
  if (shown.includes('Nobody wants')) return { text: 'Nor do I.' };
  if (shown.includes('Found already')) return { text: '{"keyPoints":[]}' };
  const document = shown.slice(shown.indexOf('BEGIN document'));
  const sentences = document.split('\n')[1].match(/[^.]+\./g) ?? [];
  const keyPoints = sentences.map((sentence) => ({ text: sentence.trim(), quotes: [sentence.trim()] }));
  return {
    text: JSON.stringify({ keyPoints: [...keyPoints, { text: 'Whales pass.', quotes: ['Whales were seen.'] }] }),
  };
};

/** A question is answered once its answer can be read, or came twice. */
function ends({ body }: RecordedRequest): boolean {
  const asked = messagesOf(body);
  const isUnreadable = /Nobody wants|BEGIN point \w+>>>\nBread/.test(asked);
  return !isUnreadable || asked.includes('That answer could not be read');
}

function fileOf(value: unknown, name = 'set.json'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const [post, echo] = SET.collections[0].documents;
const spanOf = ({ id, text }: { id: string; text: string }, quote: string) => ({
  document: id,
  start: text.indexOf(quote),
  end: text.indexOf(quote) + quote.length,
});

test('makes key points with their spans and usefulness for every case that asks something', async () => {
  const path = fileOf(SET);
  const out = `${path}.out`;
  const { deps, server } = await partsWithModel(script);
  const { code, stdout, stderr } = await runCommand(keyPointsCommand, [path, '--out', out, '--yes'], deps);
  expect([code, stdout]).toEqual([0, '']);
  const made = readSet(out);
  const [reach, all, silent] = made.cases;
  expect(reach.keyPoints?.map(({ text, spans }) => ({ text, spans }))).toEqual([
    {
      text: 'The ferry does not run from November to March.',
      spans: [
        spanOf(post, 'The ferry does not run from November to March.'),
        spanOf(echo, 'From November to March the ferry does not run.'),
      ],
    },
    {
      text: 'A ticket for the ferry costs 12 crowns.',
      spans: [spanOf(echo, 'A ticket for the ferry costs 12 crowns.')],
    },
  ]);
  // Worked out from the probabilities themselves: YES over YES and NO.
  reach.keyPoints?.forEach(({ usefulness }, place) => {
    expect(usefulness).toBeCloseTo([0.95, 0.7][place], 12);
  });
  expect(all).toEqual(SET.cases[1]);
  expect(silent.keyPoints).toEqual([]);
  expect(made.collections).toEqual(SET.collections);

  const [making] = made.made;
  expect(making).toMatchObject({
    step: 'key-points',
    options: { rounds: 3, threshold: 0.7, context: 8000 },
    counts: {
      cases: 2,
      extracted: 5,
      unverified: 2,
      unread: 1,
      merged: 1,
      repairedGroups: 1,
      filtered: 1,
      unreadable: 1,
      unweighed: 0,
      kept: 2,
      malformed: 2,
      askedAgain: 2,
    },
  });
  expect(Object.keys(making.prompts)).toEqual([
    'benchmark-aggregate',
    'benchmark-useful',
    'extract-for-question',
    'extract-more-for-question',
  ]);
  expect(making.counts.calls + making.counts.askedAgain).toBe(server.requests.length);
  expect(stderr).toContain(
    'Key points found: 5.\nOf them merged into others: 1.\nNot as useful as --threshold asks: 1.\nWithout a readable answer on their use: 1.\nKept: 2.\n',
  );
  expect(stderr).toContain(
    'Points that the model put into no group or several, and numbers of no point, put right: 1.',
  );
  expect(stderr).toContain(
    'Parts of documents not read to the end, for an answer that could not be read or was refused: 1.',
  );
  expect(stderr).not.toContain('stayed apart');
  expect(stderr).toContain('Without key points: silent.');
  expect(stderr).not.toContain('told no probability');
  // What this step made it makes again.
  const again = await runCommand(keyPointsCommand, [out], deps);
  expect((JSON.parse(again.stdout) as BenchmarkSet).cases).toEqual(made.cases);
});

const answering =
  (words: string, text: (points: number) => string): Script =>
  (request, index) => {
    const asked = messagesOf(request.body);
    if (!asked.includes(words)) return script(request, index);
    return { text: text(asked.match(/^\d+\. .*\.$/gm)?.length ?? 0) };
  };

test.each([
  ['no point is useful enough', script, ['--threshold', '1'], 'Not as useful as --threshold asks: 3.'],
  ['no document can be read', answering('BEGIN document', () => 'Well.'), [], 'not read to the end'],
  [
    'no point is found',
    answering('BEGIN document', () => '{"keyPoints":[]}'),
    [],
    'Without key points: reach, silent.',
  ],
  ['no verdict can be read', answering('Does this key point', () => 'Well.'), [], 'Without a readable answer on'],
])('if %s nothing is written', async (_, answers, flags, reason) => {
  const path = fileOf(SET);
  const out = `${path}.out`;
  const { deps } = await partsWithModel(answers);
  // Nor is a report.
  const args = [path, '--yes', ...flags, '--out', out, '--people', fileOf(PEOPLE[0])];
  const made = await runCommand(keyPointsCommand, args, deps);
  expect(made).toMatchObject({ code: 1, stdout: '' });
  expect(made.stderr).toContain(reason);
  expect(made.stderr).toContain('Nothing was made, so nothing is written');
  expect(existsSync(out)).toBe(false);
});

test('makes the same bytes again, and again after it was stopped, asking nothing twice', async () => {
  const path = fileOf(SET);
  const args = [path, '--yes'];
  const [one, other] = [await partsWithModel(script), await partsWithModel(script)];
  const whole = await runCommand(keyPointsCommand, args, one.deps);
  expect((await runCommand(keyPointsCommand, args, other.deps)).stdout).toBe(whole.stdout);

  for (const answers of [1, 4, 8]) {
    const database = memoryDatabase();
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    const first = await partsWithModel(stoppingAfter({ answers, database, stop, ends }, script), { database });
    const stopped = await runCommand(keyPointsCommand, args, first.deps, { signal: stopping.signal });
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    const second = await partsWithModel(script, { database });
    expect((await runCommand(keyPointsCommand, args, second.deps)).stdout).toBe(whole.stdout);
    const settled = first.server.requests.slice(0, answers).filter(ends);
    expect(settled.length).toBeGreaterThan(0);
    const known = new Set(settled.map(({ body }) => JSON.stringify(body)));
    for (const { body } of second.server.requests) expect(known.has(JSON.stringify(body))).toBe(false);
  }
  // All is known: nobody needs to agree.
  const sent = one.server.requests.length;
  const again = await runCommand(keyPointsCommand, [path], one.deps);
  expect(again.stdout).toBe(whole.stdout);
  expect(again.stderr).toContain('nothing to ask');
  expect(one.server.requests).toHaveLength(sent);
});

const PEOPLE = [
  {
    case: 'reach',
    keyPoints: [
      'The ferry does not run from November to March.',
      'Bread is dear on the island.',
      'There is a bridge to Denmark.',
    ],
  },
  { case: 'silent', keyPoints: ['They say nothing.'] },
];

test("holds what was found against people's points, before and after the filter", async () => {
  const path = fileOf(SET);
  const people = fileOf(PEOPLE.map((each) => JSON.stringify(each)).join('\n'), 'people.jsonl');
  const { deps, server } = await partsWithModel(script);
  const out = `${path}.out`;
  const told = await runCommand(keyPointsCommand, [path, '--yes', '--out', out, '--people', people], deps);
  expect(told.code).toBe(0);
  expect(told.stdout).toContain('judged by the embedded judge with hashed-words');
  const rows = told.stdout
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ['reach', '3', '66.7', '33.3'],
    ['silent', '1', '0.0', '0.0'],
    ['(all points)', '4', '50.0', '25.0'],
  ]);
  // Without --out the set is on standard output, and the report is not; it leaves no trace in the set.
  const sent = server.requests.length;
  const beside = await runCommand(keyPointsCommand, [path, '--people', people, '--encoder', 'hashed-words'], deps);
  expect(beside.stdout).toBe(readFileSync(out, 'utf8'));
  expect(beside.stderr).toContain(told.stdout);
  expect(server.requests).toHaveLength(sent);
});

test('--judge llm asks the model', async () => {
  const path = fileOf(SET);
  const people = fileOf(PEOPLE[0], 'people.json');
  const { deps, server } = await partsWithModel((request, index) => {
    const shown = messagesOf(request.body);
    if (!shown.includes('You judge whether a text says what a claim says')) return script(request, index);
    const claim = 'The ferry does not run from November to March.';
    const isSame = request.body.messages?.[1].content.split(claim).length === 3;
    return { text: JSON.stringify(isSame ? { evidence: claim, verdict: 'YES' } : { evidence: '', verdict: 'NO' }) };
  });
  const args = [path, '--yes', '--out', `${path}.out`, '--people', people, '--judge', 'llm', '--model', 'big'];
  const { code, stdout } = await runCommand(keyPointsCommand, args, deps);
  expect(code).toBe(0);
  expect(stdout).toContain('judged by the language model big');
  expect(stdout).toMatch(/\(all points\) +3 +33\.3 +33\.3\n$/);
  expect(new Set(server.requests.map(({ body }) => body.model))).toEqual(new Set(['big']));
});

test('what a judging model will be asked is told and agreed to by itself', async () => {
  const path = fileOf(SET);
  const { deps, server } = await partsWithModel(script);
  const out = `${path}.out`;
  await runCommand(keyPointsCommand, [path, '--yes', '--out', out], deps);
  const [written, sent] = [readFileSync(out, 'utf8'), server.requests.length];
  const args = [path, '--out', out, '--people', fileOf(PEOPLE[0], 'people.json'), '--judge', 'llm'];
  const declined = await runCommand(keyPointsCommand, args, deps, { typed: 'n\n' });
  expect(declined).toMatchObject({ code: 0, stdout: '' });
  expect(declined.stderr).toContain('benchmark key-points: nothing to ask');
  expect(declined.stderr).toMatch(/benchmark key-points --people: about \d+ calls of m,/);
  expect(declined.stderr).toContain('The set is written; extraction recall is not known.');
  expect(server.requests).toHaveLength(sent);
  expect(readFileSync(out, 'utf8')).toBe(written);
});

test('a judge that fails costs the recall, not the set', async () => {
  const path = fileOf(SET);
  const { deps } = await partsWithModel((request, index) =>
    messagesOf(request.body).includes('You judge whether a text says') ? { status: 500 } : script(request, index),
  );
  const out = `${path}.out`;
  const args = [path, '--yes', '--out', out, '--people', fileOf(PEOPLE[0]), '--judge', 'llm'];
  const { code, stdout, stderr } = await runCommand(keyPointsCommand, args, deps);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/The judge failed: .* The set is written; extraction recall is not known\.\n$/);
  expect(readSet(out).cases[0].keyPoints).toHaveLength(2);
});

test.each([
  [[], 'Name the file of a benchmark set'],
  [['SET', 'SET'], 'and one only'],
  [['SET', '--rounds', '0'], '--rounds is a whole number from 1, not "0".'],
  [['SET', '--threshold', '1.1'], '--threshold is a number from 0 to 1, not "1.1".'],
  [['SET', '--judge', 'llm'], '--judge needs --people FILE'],
  [['SET', '--encoder', 'x'], '--encoder needs --people FILE'],
  [['SET', '--people', 'PEOPLE', '--judge', 'me'], '--judge is embedded or llm, not "me".'],
  [['SET', '--people', 'PEOPLE', '--judge', 'llm', '--encoder', 'x'], '--encoder needs --judge embedded'],
  [['SET', '--people', 'PEOPLE', '--encoder', 'x'], '--encoder: '],
  [['SET', '--people', 'nowhere.json'], 'nowhere.json'],
  [['SET', '--fast'], '--fast'],
  [['EMPTY'], 'holds no case with an intent'],
  [['OTHERS'], 'those of "reach". Take them out of the set; --people FILE reads them'],
  [['SET'], 'say --yes'],
])('%j is refused by name', async (args, message) => {
  const { cases } = SET;
  const files = new Map([
    ['SET', fileOf(SET)],
    ['EMPTY', fileOf({ ...SET, cases: [cases[1]] })],
    ['OTHERS', fileOf({ ...SET, cases: [{ ...cases[0], keyPoints: [{ text: 'Of people.' }] }, cases[1]] })],
    ['PEOPLE', fileOf(PEOPLE[0])],
  ]);
  const { deps, server } = await partsWithModel(script);
  const named = args.map((arg) => files.get(arg) ?? arg);
  await expect(runCommand(keyPointsCommand, named, deps)).rejects.toThrow(message);
  expect(server.requests).toEqual([]);
});

test("people's files that are wrong are refused with everything that is", async () => {
  const people = fileOf([
    { case: 'all', keyPoints: ['a'] },
    { case: 'reach', keyPoints: ['a'] },
    { case: 'reach', keyPoints: ['b'] },
    { case: 'silent', keyPoints: [] },
    { case: 'silent', keyPoints: [' '], by: 'me' },
  ]);
  const { deps } = await partsWithModel(script);
  const failure: unknown = await runCommand(keyPointsCommand, [fileOf(SET), '--people', people, '--yes'], deps).catch(
    (error: unknown) => error,
  );
  const message = failure instanceof Error ? failure.message : '';
  for (const part of [
    'record 0: /case "all" is no case of the set with an intent',
    'record 2: /case "reach" came before',
    'record 3: /keyPoints',
    'record 4: /keyPoints/0 is blank',
    'record 4:',
  ]) {
    expect(message).toContain(part);
  }
});
