import { expect, test } from 'vitest';
import { collectionIntents, intentChecker } from '../../../src/lab/intents/collection-intents.ts';
import { ModelCallError, NO_USAGE, renderPrompt } from '../../../src/models/index.ts';
import { utf8Length } from '../../../src/text/index.ts';
import { askedBy } from '../questions/asked-by.ts';

const documents = [{ id: 'd', text: 'The night trains stand still. The union wants more pay.' }];
const strike = [
  'How does the strike affect passengers of the night trains?',
  'What pay does the union ask for?',
  'How do the railways answer the demands?',
];

test.each([
  ['', 'unfit'],
  ['?!', 'unfit'],
  ['What does the union want? And what do passengers say?', 'unfit'],
  [`What ${'and what '.repeat(40)}else?`, 'unfit'],
  ['what PAY does the union ask for', 'duplicates'],
  ['What pay does the union ask for now?', 'nearDuplicates'],
  ['What pay did employers offer before the union struck?', null],
])('of "%s" finds %s', (intent, fault) => {
  const check = intentChecker();
  expect(check(strike[1])).toBeNull();
  expect(check(intent)).toBe(fault);
});

test('asks once more where some are alike, and shows what is there', async () => {
  const { model, stage } = askedBy((_, call) => ({
    intents:
      call === 0
        ? [strike[0], `${strike[0].slice(0, -1)} now?`, strike[0].toUpperCase()]
        : [strike[0], ...strike.slice(1)],
  }));
  const made = await collectionIntents(documents, 3, model);
  expect(stage.questions.map(({ values }) => values.count)).toEqual(['3', '2']);
  expect(stage.questions[0].values.found).toBe('nothing yet');
  expect(stage.questions[1].values.found).toContain(`- ${strike[0]}\n`);
  expect(made).toMatchObject({
    intents: strike,
    dropped: { unfit: 0, duplicates: 2, nearDuplicates: 1 },
    surplus: 0,
    cut: 0,
    notShown: 0,
  });
});

test('takes what there is after the second answer, and never more than wanted', async () => {
  const few = askedBy(() => ({ intents: [strike[0]] }));
  expect((await collectionIntents(documents, 3, few.model)).intents).toEqual([strike[0]]);
  expect(few.stage.questions).toHaveLength(2);
  const many = askedBy(() => strike.map((intent) => ({ intent })));
  expect(await collectionIntents(documents, 2, many.model)).toMatchObject({ intents: strike.slice(0, 2), surplus: 1 });
  const none = askedBy(() => new ModelCallError('malformed', 'unreadable', NO_USAGE, { isFatal: false }));
  expect((await collectionIntents(documents, 2, none.model)).intents).toEqual([]);
  expect(none.stage.questions).toHaveLength(1);
});

test('what is asked fits into the context, however many documents there are', async () => {
  const many = Array.from({ length: 200 }, (_, n) => ({
    id: String(n),
    text: `Document ${n}. ${'It goes on. '.repeat(200)}`,
  }));
  for (const context of [1024, 8192, 128_000]) {
    const { model, stage } = askedBy(() => ({ intents: strike.slice(0, 2) }), context);
    const { cut, notShown } = await collectionIntents(many, 3, model);
    expect(notShown > 0).toBe(context < 128_000);
    expect(cut).toBe(200 - notShown);
    for (const { prompt, values, maxTokens } of stage.questions) {
      const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
      expect(bytes / 4 + maxTokens).toBeLessThan(context);
    }
  }
});
