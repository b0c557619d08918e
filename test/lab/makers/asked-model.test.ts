import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Maker, openCalls } from '../../../src/lab/makers/maker.ts';
import { ModelCallError, type Prompts, parsePrompt, type Question } from '../../../src/models/index.ts';
import { storeCache } from '../../../src/store/index.ts';
import { judgements } from '../../../src/store/schema.ts';
import { failureOf } from '../../models/language/scripted-model.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { until } from '../../support/until.ts';
import { askedBy, over } from './asked.ts';

const promptFile = (id: string, words = 'Answer.') =>
  parsePrompt(
    `---\nid: ${id}\nstage: benchmark\npurpose: p\nvariables: [of]\n---\n# System\n${words}\n# User\n{{of}}\n`,
  );
const PROMPTS: Prompts = new Map(['one', 'two'].map((id) => [id, promptFile(id)]));
const REWORDED = promptFile('one', 'Answer briefly.');
const FORM = { name: 'said', schema: z.object({ said: z.string() }) };
const UNREADABLE = new ModelCallError('malformed', 'The model answered in another form.');
const refused = (isFatal: boolean) => new ModelCallError('refused', 'It is too long.', undefined, { isFatal });
const again = () => expect.fail('asked again');

const asking = (answer: FakeAnswer, more: Parameters<typeof askedBy>[1] = {}) =>
  askedBy(answer, { prompts: PROMPTS, ...more });
const question = (of: string, more: Partial<Question> = {}): Question => ({
  prompt: PROMPTS.get('one') ?? REWORDED,
  values: { of },
  maxTokens: 50,
  ...more,
});

test('a question is asked once, however many ask it and whenever, and every answer is told', async () => {
  const told: number[] = [];
  const answer: FakeAnswer = async ({ values }) => `about ${values.of}`;
  const { model, questions, database } = asking(answer, { onAnswer: (calls) => told.push(calls) });
  const asked = ['a', 'b', 'a', 'c', 'b'];
  const answers = await Promise.all(asked.map((of) => model.ask(question(of))));
  expect(answers).toEqual(asked.map((of) => `about ${of}`));
  expect(questions).toHaveLength(3);
  expect(told).toEqual([1, 2, 3]);
  expect(model.calls()).toEqual({ calls: 3, known: 0, malformed: 0, refused: 0 });
  const later = asking(again, { database });
  for (const of of asked) expect(await later.model.ask(question(of))).toBe(`about ${of}`);
  expect(later.model.calls()).toMatchObject({ calls: 3, known: 3 });
  expect(later.model.prompts()).toEqual({ one: PROMPTS.get('one')?.hash });
});

test('text, JSON and words come back as they were; the short forms read them', async () => {
  const values: Record<string, unknown> = {
    a: { said: 'yes' },
    b: '<think>hm</think>```\nplain\n```',
    c: 'I say YES.',
    d: '…',
  };
  const first = asking(({ values: { of } }) => values[of]);
  const ask = async ({ model }: typeof first) => [
    await model.json('one', { of: 'a' }, 50, FORM),
    await model.text('two', { of: 'b' }, 50),
    await model.yes('one', { of: 'c' }),
    await model.text('one', { of: 'd' }, 50),
    await model.weigh(question('c'), ['YES', 'NO']),
  ];
  const answers = await ask(first);
  expect(answers).toEqual([{ said: 'yes' }, 'plain', 1, null, { word: 'YES', shares: null }]);
  expect(first.model.counts()).toEqual({ unweighed: 1 });
  expect(await ask(asking(again, { database: first.database }))).toEqual(answers);
  expect(() => first.model.prompt('three')).toThrow(TypeError);
});

test('unreadable answers are kept and counted; refusals are counted, and asked again', async () => {
  for (const [failure, isKept] of [
    [UNREADABLE, true],
    [refused(false), false],
  ] as const) {
    const first = asking(() => failure);
    expect(await first.model.json('one', { of: 'odd' }, 50, FORM)).toBeNull();
    const counts = { calls: 1, known: 0, malformed: Number(isKept), refused: Number(!isKept) };
    expect([first.model.calls(), first.model.firstFailure()]).toEqual([counts, failure.message]);
    const second = asking(isKept ? again : () => ({ said: 'now' }), { database: first.database });
    expect(await second.model.json('one', { of: 'odd' }, 50, FORM)).toEqual(isKept ? null : { said: 'now' });
    const retried = asking(() => ({ said: 'now' }), { database: first.database, retry: true });
    expect(await retried.model.json('one', { of: 'odd' }, 50, FORM)).toEqual({ said: 'now' });
  }
});

test('--retry asks for what had no readable answer alone, --restart for everything; what comes takes its place', async () => {
  const { model, database } = asking(({ values }) => (values.of === 'odd' ? UNREADABLE : { said: 'old' }));
  const said = (from: ReturnType<typeof asking>, of: string) => from.model.json('one', { of }, 50, FORM);
  for (const of of ['odd', 'even']) await model.json('one', { of }, 50, FORM);
  const retried = asking(() => ({ said: 'new' }), { database, retry: true });
  expect([await said(retried, 'even'), await said(retried, 'odd')]).toEqual([{ said: 'old' }, { said: 'new' }]);
  const anew = asking(() => ({ said: 'newest' }), { database, restart: true });
  expect([await said(anew, 'even'), await said(anew, 'even')]).toEqual([{ said: 'newest' }, { said: 'newest' }]);
  expect(anew.questions).toHaveLength(1);
  const after = asking(again, { database });
  expect([await said(after, 'even'), await said(after, 'odd')]).toEqual([{ said: 'newest' }, { said: 'new' }]);
});

test('what would fail for every question is thrown and not kept, whatever becomes of the questions beside it', async () => {
  for (const failure of [refused(true), new ModelCallError('unreachable', 'gone'), new TypeError('a mistake')]) {
    const { model, database } = asking(({ values }) => {
      if (values.of === 'lost') throw failure;
      return 'here';
    });
    const lost = model.text('one', { of: 'lost' }, 50).catch((thrown: unknown) => thrown);
    await model.text('one', { of: 'quick' }, 50);
    expect(await lost).toBe(failure);
    const rows = await database.query.select().from(judgements);
    expect(rows.map(({ kind, verdict }) => [kind, JSON.parse(verdict)])).toEqual([
      ['benchmark-answer', { answer: 'here' }],
    ]);
  }
});

test('once closed, or told to stop, it asks nothing more; what is in progress is answered and kept', async () => {
  for (const isClosed of [true, false]) {
    let answer: (text: string) => void = () => {};
    const stop = new AbortController();
    const slow: FakeAnswer = () =>
      new Promise((resolve) => {
        answer = () => resolve('late');
      });
    const { model, stage, database } = asking(slow, { signal: stop.signal });
    const inProgress = model.ask(question('a'));
    await until('the question to be asked', () => stage.questions.length === 1);
    if (!isClosed) stop.abort();
    const closed = model.close();
    expect(await failureOf(model.ask(question('b')))).toMatchObject({ failure: 'cancelled' });
    answer('');
    await closed;
    expect(await inProgress).toBe('late');
    // What is known is no question.
    const known = over(stage, { database, prompts: PROMPTS, signal: AbortSignal.abort() });
    expect(await known.model.ask(question('a'))).toBe('late');
    expect(stage.questions).toHaveLength(1);
  }
});

test('no two questions that differ in anything share an answer', async () => {
  const { model, database } = asking((_, call) => `answer ${call}`);
  const settings = [{ model: 'other' }, { seed: 2 }, { temperature: 0.5 }, { topP: 0.5 }];
  const asked = [
    () => model.ask(question('a')),
    () => model.ask(question('b')),
    () => model.ask(question('a', { maxTokens: 60 })),
    () => model.ask(question('a', { prompt: model.prompt('two') })),
    () => model.ask(question('a', { prompt: REWORDED })),
    ...settings.map((own) => {
      const other = asking(() => JSON.stringify(own), { database, settings: own });
      return () => other.model.ask(question('a'));
    }),
  ];
  const answers: string[] = [];
  for (const ask of asked) answers.push(await ask());
  expect(new Set(answers).size).toBe(asked.length);
  const { model: other } = asking(({ values }) => (values.of === 'a' ? { said: 'x' } : 'YES'), { database });
  expect(await other.askFor(question('a'), FORM)).toEqual({ said: 'x' });
  for (const words of [
    ['YES', 'NO'],
    ['YES', 'MAYBE'],
  ]) {
    expect(await other.weigh(question('b'), words)).toMatchObject({ word: 'YES' });
  }
  expect(other.calls()).toMatchObject({ calls: 3, known: 0 });
});

const THINGS = ['a', 'b', 'c', 'd'];
const MAKER: Maker = {
  ...{ step: 'asking', version: 1, options: {} },
  expected: () => [
    [4, 110, 10],
    [4, 90, 10],
  ],
  async make(model) {
    const ask = async (of: string) => (await model.text('one', { of }, 50)) && model.text('two', { of }, 50);
    await Promise.all(THINGS.map(ask));
    return null;
  },
};

test('calls that are open are those of the first stage, and what is expected to follow', async () => {
  const { model, database } = asking(({ values }) => `about ${values.of}`);
  const forgetting = { restart: false, retry: false };
  const open = (more = forgetting) => openCalls(MAKER, new AskedStageModel(again), PROMPTS, storeCache(database), more);
  expect(await open()).toMatchObject({ calls: 8, promptTokens: 800, completionTokens: 80, known: 0 });
  await model.text('one', { of: 'a' }, 50);
  expect(await open()).toMatchObject({ calls: 7, promptTokens: 700, known: 1 });
  await MAKER.make(model);
  expect(await open()).toEqual({ calls: 0, promptTokens: 0, completionTokens: 0, known: 8 });
  expect(await open({ restart: true, retry: false })).toMatchObject({ calls: 8, known: 0 });
  // Counting keeps nothing.
  expect(await open()).toMatchObject({ calls: 0, known: 8 });
});
