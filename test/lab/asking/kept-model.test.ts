import { expect, test } from 'vitest';
import { z } from 'zod';
import { nullIfUnanswerable } from '../../../src/lab/asking/asked-model.ts';
import { keptAnswers, keptModel } from '../../../src/lab/asking/kept-model.ts';
import { ModelCallError, type Question, stageModel } from '../../../src/models/index.ts';
import { storeCache } from '../../../src/store/index.ts';
import { judgements } from '../../../src/store/schema.ts';
import { failureOf, scriptedModel } from '../../models/language/scripted-model.ts';
import fc from '../../support/seeded-fast-check.ts';
import { until } from '../../support/until.ts';
import { asking, databases, PROMPTS, question, REWORDED } from './asking.ts';

const FORM = { name: 'said', schema: z.object({ said: z.string() }) };
const UNREADABLE = () => new ModelCallError('malformed', 'The model answered in another form.');
const refused = (isFatal: boolean) => new ModelCallError('refused', 'It is too long.', undefined, { isFatal });

test('a question is asked once, however many ask it and whenever', async () => {
  const fresh = databases();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3)), { minLength: 1, maxLength: 20 }),
      async (asked) => {
        const answer = async ({ values }: Question) => {
          await Promise.resolve();
          return `about ${values.of}`;
        };
        const { model, stage, database } = asking(answer, { database: fresh() });
        const answers = await Promise.all(
          asked.map(async ([of, turns]) => {
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            return model.ask(question(of));
          }),
        );
        expect(answers).toEqual(asked.map(([of]) => `about ${of}`));
        const different = new Set(asked.map(([of]) => of)).size;
        expect(stage.questions).toHaveLength(different);
        expect(model.counts()).toEqual({ calls: different, known: 0, malformed: 0, refused: 0, askedAgain: 0 });

        const later = asking(() => expect.fail('asked again'), { database });
        for (const [of] of asked) expect(await later.model.ask(question(of))).toBe(`about ${of}`);
        expect(later.model.counts()).toMatchObject({ calls: different, known: different });
        expect(later.model.prompts()).toEqual(model.prompts());
      },
    ),
    { numRuns: 20 },
  );
});

test('an answer is kept at once, whatever becomes of the questions beside it', async () => {
  const { model, database } = asking(({ values }) => {
    if (values.of === 'lost') return new ModelCallError('unreachable', 'gone');
    return values.of === 'slow' ? new Promise(() => {}) : 'here';
  });
  void model.ask(question('slow'));
  const lost = failureOf(model.ask(question('lost')));
  await model.ask(question('quick'));
  const kept = () => database.query.select().from(judgements);
  expect((await kept()).map(({ kind, verdict }) => [kind, JSON.parse(verdict)])).toEqual([
    ['benchmark-answer', { answer: 'here', again: false }],
  ]);
  // What another run may be given is not kept.
  expect(await lost).toMatchObject({ failure: 'unreachable' });
  expect(await kept()).toHaveLength(1);
  expect(model.counts()).toMatchObject({ calls: 1, malformed: 0 });
});

test('JSON, text and words come back as they were, and with their prompts by id', async () => {
  const values = (of: string) => ({ a: { said: 'yes' }, b: 'plain', c: 'I say NO.' })[of];
  const first = asking(({ values: { of } }) => values(of));
  const ask = async ({ model }: typeof first) => [
    await model.askFor(question('a'), FORM),
    await model.ask(question('b', { prompt: model.prompt('two') })),
    await model.weigh(question('c'), ['YES', 'NO']),
  ];
  const answers = await ask(first);
  expect(answers).toEqual([{ said: 'yes' }, 'plain', { word: 'NO', shares: null }]);
  const second = asking(() => expect.fail('asked again'), { database: first.database });
  expect(await ask(second)).toEqual(answers);
  expect(Object.keys(second.model.prompts())).toEqual(['one', 'two']);
  expect(second.model.prompts().one).toBe(PROMPTS.get('one')?.hash);
  expect(() => second.model.prompt('three')).toThrow(TypeError);
});

test('unreadable answers are kept and counted, and fail again without being asked', async () => {
  const first = asking(() => UNREADABLE());
  const counts = { calls: 1, known: 0, malformed: 1, refused: 0, askedAgain: 0 };
  expect(first.model.firstFailure()).toBeNull();
  expect(await nullIfUnanswerable(first.model.askFor(question('odd'), FORM))).toBeNull();
  expect(first.model.counts()).toEqual(counts);
  expect(first.model.firstFailure()).toBe('The model answered in another form.');
  const second = asking(() => expect.fail('asked again'), { database: first.database });
  expect(await failureOf(second.model.askFor(question('odd'), FORM))).toMatchObject({
    failure: 'malformed',
    message: 'The model answered in another form.',
    isFatal: false,
    usage: { requests: 0 },
  });
  expect(second.model.counts()).toEqual({ ...counts, known: 1 });
});

test('what the server did not take is counted and not kept, as a setting may be at fault', async () => {
  const first = asking(() => refused(false));
  expect(await failureOf(first.model.ask(question('long')))).toMatchObject({ failure: 'refused', isFatal: false });
  expect(await nullIfUnanswerable(first.model.ask(question('long')))).toBeNull();
  expect(first.stage.questions).toHaveLength(1);
  expect(first.model.counts()).toEqual({ calls: 1, known: 0, malformed: 0, refused: 1, askedAgain: 0 });
  const second = asking(() => 'now', { database: first.database });
  expect(await second.model.ask(question('long'))).toBe('now');
  expect(second.model.counts()).toMatchObject({ calls: 1, known: 0, refused: 0 });
});

test('asked once more are those without a readable answer alone, and what comes takes their place', async () => {
  const answer = ({ values }: Question) => (values.of === 'odd' ? UNREADABLE() : { said: 'old' });
  const { model, database } = asking(answer);
  for (const of of ['odd', 'even']) await nullIfUnanswerable(model.askFor(question(of), FORM));
  const again = asking(() => ({ said: 'new' }), { database, retry: true });
  expect(await again.model.askFor(question('even'), FORM)).toEqual({ said: 'old' });
  expect(await again.model.askFor(question('odd'), FORM)).toEqual({ said: 'new' });
  expect(again.model.counts()).toMatchObject({ calls: 2, known: 1, malformed: 0 });
  const after = asking(() => expect.fail('asked again'), { database });
  expect(await after.model.askFor(question('odd'), FORM)).toEqual({ said: 'new' });
});

test('once closed, or told to stop, it asks nothing more; what is under way is answered and kept', async () => {
  for (const isClosed of [true, false]) {
    let answer: (text: string) => void = () => {};
    const { stage, kept, database } = asking(
      ({ values }) =>
        new Promise((resolve) => {
          answer = () => resolve(`about ${values.of}`);
        }),
    );
    const stop = new AbortController();
    const model = keptModel(stage, PROMPTS, kept, { signal: stop.signal });
    const underWay = model.ask(question('a'));
    await until('the question to be asked', () => stage.questions.length === 1);
    if (!isClosed) stop.abort();
    const closed = model.close();
    expect(await failureOf(model.ask(question('b')))).toMatchObject({ failure: 'cancelled' });
    answer('');
    await closed;
    expect(await underWay).toBe('about a');
    const rows = await database.query.select().from(judgements);
    expect(rows.map(({ verdict }) => JSON.parse(verdict).answer)).toEqual(['about a']);
    // What is known is no question.
    expect(await keptModel(stage, PROMPTS, kept, { signal: AbortSignal.abort() }).ask(question('a'))).toBe('about a');
    expect(stage.questions).toHaveLength(1);
  }
});

test('a first answer that could not be read is counted, also by a later run', async () => {
  const { model, server } = await scriptedModel([{ text: 'Hm.' }, { text: '{"said":"yes"}' }]);
  const { database } = asking(() => '');
  const stage = stageModel(model, { model: 'm', temperature: 0, topP: null, seed: 1 });
  for (const known of [0, 1]) {
    const asked = keptModel(stage, PROMPTS, keptAnswers(storeCache(database), { restart: false }));
    expect(await asked.askFor(question('a'), FORM)).toEqual({ said: 'yes' });
    expect(asked.counts()).toEqual({ calls: 1, known, malformed: 0, refused: 0, askedAgain: 1 });
  }
  expect(server.requests).toHaveLength(2);
});

test('what would fail for every question is not kept, and is no answer', async () => {
  for (const failure of [refused(true), new ModelCallError('quota', 'No more.'), new TypeError('a mistake')]) {
    const { model, database } = asking(() => {
      throw failure;
    });
    await expect(nullIfUnanswerable(model.ask(question('a')))).rejects.toBe(failure);
    expect(await database.query.select().from(judgements)).toEqual([]);
  }
});

test('asked anew, an answer takes the place of the one before', async () => {
  const { model, database } = asking(() => 'old');
  await model.ask(question('a'));
  await model.ask(question('b'));
  const anew = asking(() => 'new', { database, restart: true });
  expect(await anew.model.ask(question('a'))).toBe('new');
  expect(await anew.model.ask(question('a'))).toBe('new');
  expect(anew.stage.questions).toHaveLength(1);
  const after = asking(() => expect.fail('asked again'), { database });
  expect([await after.model.ask(question('a')), await after.model.ask(question('b'))]).toEqual(['new', 'old']);
});

test('no two questions that differ in anything share an answer', async () => {
  const { model, stage, database } = asking((_, call) => `answer ${call}`);
  const asked = [
    () => model.ask(question('a')),
    () => model.ask(question('b')),
    () => model.ask(question('a', { maxTokens: 60 })),
    () => model.ask(question('a', { prompt: model.prompt('two') })),
    () => model.ask(question('a', { prompt: REWORDED })),
    ...[{ model: 'other' }, { seed: 2 }, { temperature: 0.5 }, { topP: 0.5 }].map(
      (settings) => () =>
        asking((_, call) => `${JSON.stringify(settings)} ${call}`, { database, settings }).model.ask(question('a')),
    ),
  ];
  const answers: string[] = [];
  for (const ask of asked) answers.push(await ask());
  expect(new Set(answers).size).toBe(asked.length);
  // A text is no JSON, nor is a choice of words another.
  const { model: other } = asking(({ values }) => (values.of === 'a' ? { said: 'x' } : 'YES'), { database });
  expect(await other.askFor(question('a'), FORM)).toEqual({ said: 'x' });
  expect(await other.weigh(question('b'), ['YES', 'NO'])).toMatchObject({ word: 'YES' });
  expect(await other.weigh(question('b'), ['YES', 'MAYBE'])).toMatchObject({ word: 'YES' });
  expect(other.counts()).toMatchObject({ calls: 3, known: 0 });
  expect(stage.questions).toHaveLength(5);
});

test('whoever asks is told after every question', async () => {
  const told: number[] = [];
  const { stage, kept } = asking(() => 'x');
  const model = keptModel(stage, PROMPTS, kept, { onAnswer: ({ calls }) => told.push(calls) });
  await Promise.all(['a', 'b', 'a', 'c'].map((of) => model.ask(question(of))));
  await until('three answers', () => told.length === 3);
  expect(told).toEqual([1, 2, 3]);
  expect(model.usage()).toEqual(stage.usage());
});
