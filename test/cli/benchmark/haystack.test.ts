import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { haystackCommand } from '../../../src/cli/benchmark/haystack.node.ts';
import { readSet } from '../../../src/cli/benchmark/set-file.node.ts';
import { type BenchmarkSet, benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import {
  type Asks,
  asksFor,
  FACTS,
  type Mistakes,
  OUTLINE,
  scriptedHaystack,
} from '../../lab/makers/scripted-haystack.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { memoryDatabase } from '../../support/test-deps.ts';
import { stoppingAfter } from './asked-requests.ts';
import { partsWithModel, runCommand } from './run-command.ts';

const FLAGS = [
  '--topic',
  'The harbour',
  '--documents',
  '6',
  '--words',
  '60',
  '--least',
  '2',
  '--insights',
  '2-3',
  '--subtopics',
  '2',
  '--yes',
];

/** Runs the command against a scripted model, on a database of its own. */
async function made(mistakes: Mistakes = {}, more: readonly string[] = []) {
  const { deps, server } = await partsWithModel(scriptedHaystack(mistakes));
  const outcome = await runCommand(haystackCommand, [...FLAGS, '--model', 'scripted', ...more], deps);
  return { ...outcome, deps, server };
}

/** Each insight with the documents that hold its words. */
function toldIn({ collections: [{ documents }] }: BenchmarkSet): Map<string, string[]> {
  return new Map(FACTS.map((fact) => [fact, documents.filter(({ text }) => text.includes(fact)).map(({ id }) => id)]));
}

function expectTrueLabels(set: BenchmarkSet): void {
  const told = toldIn(set);
  const texts = new Map(set.collections[0].documents.map(({ id, text }) => [id, text]));
  for (const { insights = [], passages = [] } of set.cases) {
    for (const { id, text, documents } of insights) {
      expect(documents).toEqual(told.get(text));
      const slices = passages.filter((each) => each.insights?.includes(id));
      expect(slices.map(({ document, start, end }) => texts.get(document)?.slice(start, end))).toEqual(
        documents?.map(() => text),
      );
    }
  }
}

test('makes a set that can be read, with a case a subtopic, and labels that say what the documents tell', async () => {
  const out = join(temporaryFolder(), 'set.json');
  const { code, stderr, server } = await made({}, ['--out', out]);
  expect(code).toBe(0);
  const set = readSet(out);
  expect(set.cases.map(({ intent, domain }) => [intent, domain])).toEqual(
    OUTLINE.subtopics.map(({ query }) => [query, 'news']),
  );
  expect(set.cases.map(({ insights }) => insights?.map(({ text }) => text))).toEqual(
    OUTLINE.subtopics.map(({ insights }) => insights),
  );
  expect(set.collections[0].documents.map(({ id, title }) => [id, title])[2]).toEqual([
    'document-3',
    'Harbour report 3',
  ]);
  expectTrueLabels(set);
  for (const ids of toldIn(set).values()) expect(ids.length).toBe(2);
  const [{ counts, options, prompts }] = set.made;
  expect(counts).toMatchObject({ documents: 6, insights: 6, cases: 2, edits: 0, rare: 0, calls: 16, malformed: 0 });
  expect(options).toMatchObject({ topic: 'The harbour', insights: '2-3', least: 2 });
  expect(Object.keys(prompts)).toContain('benchmark-article');
  expect(server.requests).toHaveLength(16);
  expect(stderr).toContain(
    'The haystack has 6 documents, 2 cases and 6 insights.\nSubtopics of the outline: 2.\nInsights of the outline: 6.\n',
  );
  expect(stderr.endsWith('outline: 6.\n')).toBe(true);
});

test('documents that lack an insight or tell another are put right', async () => {
  const mistakes = { lacking: [1, 4], telling: { articles: [2, 5], fact: FACTS[0] } };
  const { stdout, server } = await made(mistakes);
  const set: BenchmarkSet = JSON.parse(stdout);
  expectTrueLabels(set);
  for (const ids of toldIn(set).values()) expect(ids.length).toBe(2);
  const [{ counts }] = set.made;
  expect(counts).toMatchObject({ missingLeft: 0, extraneousLeft: 0 });
  expect(counts.edits).toBe(server.requests.filter((request) => asksFor(request) === 'edit').length);
  expect(counts.edits).toBeGreaterThanOrEqual(2);
});

test('what edits do not put right is put right in the labels, and rare insights are told', async () => {
  const mistakes = { lacking: [1, 2, 3, 4, 5, 6], telling: { articles: [2, 5], fact: FACTS[0] }, areEditsInVain: true };
  const { stdout, stderr } = await made(mistakes, ['--edits', '2']);
  const set: BenchmarkSet = JSON.parse(stdout);
  expectTrueLabels(set);
  const [{ counts }] = set.made;
  expect(counts).toMatchObject({ edits: 12, missingLeft: 6 });
  const plannedTellings = 12;
  const told = [...toldIn(set).values()].flat().length;
  expect(told).toBe(plannedTellings - 6 + counts.extraneousLeft);
  const few = [...toldIn(set)].filter(([, ids]) => ids.length < 2);
  expect(counts.rare).toBe(few.length);
  expect(counts.insights).toBe([...toldIn(set).values()].filter((ids) => ids.length > 0).length);
  for (const [fact] of few) expect(stderr).toContain(fact);
  expect(stderr).toContain('allow more --edits');
  for (const name of Object.keys(counts).filter((each) => /[A-Z]/.test(each))) expect(stderr).not.toContain(name);
});

test('vague insights are sent back once, sorted elsewhere or repeated ones dropped, thin subtopics too', async () => {
  const [first, second] = OUTLINE.subtopics;
  const outline = {
    subtopics: [
      {
        ...first,
        insights: [...first.insights.slice(0, 2), 'Boats matter.', 'Much was done.', FACTS[0].toUpperCase()],
      },
      { ...second, name: 'HARBOUR  WORKS' },
      second,
      { name: 'Gulls', query: 'How are the gulls?', insights: ['There are 300 gulls.'] },
      { name: 'Broken' },
    ],
  };
  outline.subtopics[2] = { ...second, insights: [...second.insights, { text: 'odd' }] } as never;
  const { stdout } = await made({ outline, foreign: [FACTS[5]] }, ['--subtopics', '4']);
  const set: BenchmarkSet = JSON.parse(stdout);
  const sharp = 'The sharpened fact counts 77 boats.';
  expect(set.cases.map(({ insights }) => insights?.map(({ text }) => text))).toEqual([
    [FACTS[0], FACTS[1], sharp],
    [FACTS[3], FACTS[4]],
  ]);
  expect(set.made[0].counts).toMatchObject({
    subtopicsGiven: 4,
    unreadSubtopics: 1,
    unreadInsights: 1,
    surplusSubtopics: 1,
    sentBack: 2,
    unspecific: 1,
    repeatedInsights: 1,
    thinSubtopics: 1,
    recategorised: 1,
  });
});

test('conversations are written chapter by chapter, each shown the end of the one before', async () => {
  const { stdout, server } = await made({}, ['--kind', 'conversation', '--words', '500']);
  const set: BenchmarkSet = JSON.parse(stdout);
  expectTrueLabels(set);
  expect(set.collections[0].documents[3].text).toMatch(/part 1 of talk 4\.[\s\S]+\n\nHana: This is part 2 of talk 4\./);
  const seconds = server.requests.filter(({ body }) => body.messages?.[1]?.content.includes('Write chapter 2 of 2'));
  expect(seconds).toHaveLength(6);
  for (const { body } of seconds) expect(body.messages?.[1]?.content).toMatch(/part 1 of talk \d/);
});

test('goes on where it was stopped, without asking anything again, to the same bytes', async () => {
  const mistakes = { lacking: [1, 2, 3], telling: { articles: [5], fact: FACTS[4] } };
  const whole = await made(mistakes);
  for (const answers of [2, 9]) {
    const database = memoryDatabase();
    const stop = new AbortController();
    const stopping = stoppingAfter({ answers, database, stop: () => stop.abort() }, scriptedHaystack(mistakes));
    const first = await partsWithModel(stopping, { database });
    const args = [...FLAGS, '--model', 'scripted'];
    const stopped = await runCommand(haystackCommand, args, first.deps, { signal: stop.signal });
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    const second = await partsWithModel(scriptedHaystack(mistakes), { database });
    expect((await runCommand(haystackCommand, args, second.deps)).stdout).toBe(whole.stdout);
    const answered = first.server.requests.map(({ body }) => JSON.stringify(body));
    const askedThen = second.server.requests.map(({ body }) => JSON.stringify(body));
    expect(askedThen.filter((body) => answered.includes(body))).toEqual([]);
    expect(answered.length).toBeGreaterThanOrEqual(answers);
    expect(askedThen).toHaveLength(whole.server.requests.length - answered.length);
  }
});

test.each(['again', 'sort', 'edit'] as const)('survives unreadable answers to "%s", and counts them', async (kind) => {
  const [first, second] = OUTLINE.subtopics;
  const outline = { subtopics: [{ ...first, insights: [...first.insights, 'Boats matter.'] }, second] };
  const mistakes = { outline, lacking: [1], isNonsense: (asks: string) => asks === kind };
  const { code, stdout } = await made(mistakes, ['--insights', '2-4']);
  expect(code).toBe(0);
  const [{ counts }] = (JSON.parse(stdout) as BenchmarkSet).made;
  if (kind === 'again') expect(counts).toMatchObject({ malformed: 1, unspecific: 1 });
  if (kind === 'sort') expect(counts).toMatchObject({ malformed: 1, uncategorised: 7 });
  if (kind === 'edit') expect(counts).toMatchObject({ edits: 0, missingLeft: 1 });
});

test('articles that nobody could read back are left out and told', async () => {
  const isNonsense = (asks: string, user: string) => asks === 'find' && user.includes('Harbour report 2\n');
  const { stdout, stderr } = await made({ isNonsense });
  const set: BenchmarkSet = JSON.parse(stdout);
  expect(set.collections[0].documents.map(({ id }) => id)).toEqual([1, 3, 4, 5, 6].map((n) => `document-${n}`));
  expect(set.made[0].counts).toMatchObject({ unread: 1, unwritten: 0, malformed: 1 });
  expectTrueLabels(set);
  expect(stderr).toContain('no readable answer about what they tell (--retry may give them): 1.');
});

test.each<[string, Mistakes, RegExp]>([
  ['an outline that is none', { isNonsense: (asks) => asks === 'outline' }, /1 without a readable answer/],
  [
    'no subtopic with enough insights',
    { outline: { subtopics: [{ name: 'A', query: 'B?', insights: ['It is vague.', 'It is vaguer.'] }] } },
    /Insights dropped, without a number, date or name, or longer than a sentence: 1\.\nSubtopics dropped/,
  ],
  ['no document that can be read back', { isNonsense: (asks) => asks === 'find' }, /about what they tell .*: 6\./],
  ['no document', { isNonsense: (asks) => asks === 'article' }, /the model wrote nothing for them .*: 6\./],
  ['nothing found in any document', { isBlind: true }, /Insights left out, as no document tells them: 6\./],
])('%s: nothing is written, and what came of it is said', async (_, mistakes, message) => {
  const folder = temporaryFolder();
  const [fresh, old] = [join(folder, 'fresh.json'), join(folder, 'old.json')];
  writeFileSync(old, 'kept');
  for (const out of [fresh, old]) {
    const { code, stderr } = await made(mistakes, ['--out', out]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('Nothing was made, so nothing is written: try --retry');
  }
  expect([existsSync(fresh), readFileSync(old, 'utf8')]).toEqual([false, 'kept']);
});

test.each([
  [[], /--topic/],
  [['--topic', ' '], /--topic/],
  [['--topic', 'x'.repeat(501)], /at most 500 characters/],
  [['--topic', 'A', '--kind', 'poem'], /news, conversation/],
  [['--topic', 'A', '--insights', '9-5'], /9-5/],
  [['--topic', 'A', '--insights', 'many'], /many/],
  [['--topic', 'A', '--documents', '0'], /--documents/],
  [['--topic', 'A', '--documents', '2001'], /at most 2000/],
  [['--topic', 'A', '--documents', '4', '--least', '5'], /--least is at most the 4/],
  [['--topic', 'A', '--repeat'], /--repeat goes with --statements/],
  [['--topic', 'A', 'file'], /no "file"/],
  [['--topic', 'A', '--flood'], /--flood/],
  [['--statements', 'f', '--topic', 'A', '--edits', '2'], /leave --topic, --edits out/],
  [['--statements', 'f', '--retry'], /leave --retry out/],
] as const)('refuses %j', async (args, message) => {
  await expect(runCommand(haystackCommand, args)).rejects.toThrow(message);
});

test('what a model finds to overlap goes, subtopics first, and one of a pair that is named both ways stays', async () => {
  const [works, money] = OUTLINE.subtopics;
  const twin = {
    name: 'Harbour debts',
    query: 'Who lends?',
    insights: ['Debt A is 1 million.', 'Debt B is 2 million.'],
  };
  const [quay, crane] = works.insights;
  const overlapping: [string, string][] = [
    [twin.name, money.name],
    [crane, quay],
    [quay, crane],
  ];
  const { set, server } = await madeSet({ outline: { subtopics: [works, money, twin] }, overlapping }, [
    '--subtopics',
    '3',
  ]);
  expect(set.cases.map(({ insights }) => insights?.map(({ text }) => text))).toEqual([
    works.insights.filter((text) => text !== crane),
    money.insights,
  ]);
  expect(set.made[0].counts).toMatchObject({
    overlappingSubtopics: 1,
    overlappingInsights: 1,
    subtopicsOverlappedThin: 0,
  });
  expect(server.requests.filter((request) => asksFor(request) === 'overlap')).toHaveLength(2);
});

test('each chapter of a conversation is checked, and written anew until it tells its insight; what was tried is recorded', async () => {
  const [fact] = FACTS;
  const conversation = ['--kind', 'conversation', '--edits', '0'];
  const soon = await madeSet({ slow: { fact, attempts: 2 } }, conversation);
  const telling = soon.set.cases.flatMap(({ insights = [] }) => insights).find(({ text }) => text === fact);
  const chapters = telling?.documents?.length ?? 0;
  expect(chapters).toBeGreaterThanOrEqual(2);
  expect(soon.set.made[0].counts).toMatchObject({ chapterRetries: 2 * chapters, chaptersLeftWrong: 0, missingLeft: 0 });
  const failed = soon.set.made[0].failedAttempts ?? [];
  expect(failed).toHaveLength(2 * chapters);
  expect(new Set(failed.map(({ document }) => document))).toEqual(new Set(telling?.documents));
  // The chapter of that document that was to tell the fact; its attempts in order.
  for (const document of telling?.documents ?? []) {
    const own = failed.filter((each) => each.document === document);
    const [{ chapter }] = own;
    const asked = soon.server.requests.filter((request) => {
      const user = request.body.messages?.[1]?.content ?? '';
      return asksFor(request) === 'chapter' && user.includes(`of conversation ${document.replace(/\D+/, '')}`);
    });
    const told = asked.filter((request) => request.body.messages?.[1]?.content?.includes(fact));
    expect(told.some(({ body }) => body.messages?.[1]?.content?.includes(`Write chapter ${chapter} of`))).toBe(true);
    expect(own).toEqual(
      [1, 2].map((attempt) => ({ document, chapter, attempt, why: 'wrong', missing: [fact], extraneous: [] })),
    );
  }
  const never = await madeSet({ slow: { fact, attempts: 99 } }, [...conversation, '--retries', '3']);
  expect(never.set.made[0].counts).toMatchObject({ chapterRetries: 3 * chapters, chaptersLeftWrong: chapters });
  expect(never.set.cases.flatMap(({ insights = [] }) => insights).map(({ text }) => text)).not.toContain(fact);
  const attempts = (never.set.made[0].failedAttempts ?? []).map(({ attempt }) => attempt);
  expect(attempts).toEqual(Array.from({ length: chapters }, () => [1, 2, 3, 4]).flat());
  const [first] = never.set.made[0].failedAttempts ?? [];
  const isNonsense = (asks: Asks, user: string) =>
    asks === 'chapter' && user.includes(`Write chapter ${first.chapter} of`) && /conversation 1\b/.test(user);
  const silent = await madeSet({ isNonsense }, conversation);
  const [lost, ...others] = silent.set.made[0].failedAttempts ?? [];
  expect(others).toEqual([]);
  expect(lost).toMatchObject({ document: 'document-1', chapter: first.chapter, attempt: 1, why: 'unwritten' });
  expect(lost.missing).toHaveLength(1);
  expect((await madeSet({}, conversation)).set.made[0]).not.toHaveProperty('failedAttempts');
});

test('seed documents are shown to whoever makes the outline, and recorded', async () => {
  const seeds = {
    name: 's',
    collections: [{ id: 'c', documents: [{ id: 'd', text: 'The quay of Alvik sank in 1911.' }] }],
    cases: [],
  };
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'seeds.json'), JSON.stringify(seeds));
  const { set, server } = await madeSet({}, ['--seeds', join(folder, 'seeds.json')]);
  const outline = server.requests.find((request) => asksFor(request) === 'outline');
  expect(outline?.body.messages?.[1]?.content).toContain('The quay of Alvik sank in 1911.');
  expect(set.made[0].options.seeds).toMatch(/^[0-9a-f]{64}$/);
});

/** The set that a scripted model makes. */
async function madeSet(mistakes: Mistakes, flags: readonly string[] = []) {
  const { stdout, server } = await made(mistakes, flags);
  return { set: benchmarkSetSchema.parse(JSON.parse(stdout)), server };
}
