import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentQuestions } from '../../../src/lab/questions/document-questions.ts';
import { readingRoom, readingWindows } from '../../../src/lab/questions/reading-windows.ts';
import { ModelCallError, NO_USAGE, type Question, renderPrompt } from '../../../src/models/index.ts';
import { utf8Length } from '../../../src/text/index.ts';
import { askedBy } from './asked-by.ts';

const sentence = (n: number) =>
  `Station ${n} of the coastal line was opened by mayor Number${n} in the year ${1800 + n}.`;
const document = (count: number) => ({
  id: 'd',
  title: 'The coastal line',
  text: Array.from({ length: count }, (_, n) => sentence(n)).join(' '),
});

/** Questions on the stations that the part of the document speaks of. */
function onStations({ values }: Question): { question: string; answer: string }[] {
  return [...values.document.matchAll(/Station (\d+) of/g)].map(([, n]) => ({
    question: `Who opened station ${n} of the coastal line?`,
    answer: `mayor Number${n}`,
  }));
}

test('takes the first ten of one call where they can be used', async () => {
  const { model, stage } = askedBy((asked) => ({ questions: onStations(asked) }));
  const made = await documentQuestions(document(12), 10, model);
  expect(stage.questions.map(({ prompt, values }) => [prompt.id, values.count])).toEqual([
    ['benchmark-questions', '10'],
  ]);
  expect(made.questions.map(({ answer }) => answer)).toEqual(Array.from({ length: 10 }, (_, n) => `mayor Number${n}`));
  expect(made).toMatchObject({
    windows: 1,
    surplus: 2,
    dropped: { empty: 0, longQuestions: 0, duplicates: 0, ungrounded: 0 },
  });
});

test('asks once more for what is missing, and says what is there and what was wrong', async () => {
  const { model, stage } = askedBy(({ prompt, ...asked }) => {
    const own = onStations({ prompt, ...asked });
    if (prompt.id === 'benchmark-questions-more') return { questions: [...own.slice(2, 4), own[0]] };
    return {
      questions: [
        ...own.slice(0, 2),
        { question: 'WHO opened station 0 of the coastal line', answer: 'mayor Number0' },
        { question: 'Who paid for the coastal line?', answer: 'foreign investors' },
        { question: `How long${' long'.repeat(14)}?`, answer: 'year' },
        {},
      ],
    };
  });
  const made = await documentQuestions(document(12), 5, model);
  expect(stage.questions.map(({ prompt, values }) => [prompt.id, values.count])).toEqual([
    ['benchmark-questions', '5'],
    ['benchmark-questions-more', '3'],
  ]);
  const { found, wrong } = stage.questions[1].values;
  expect(found).toContain('- Who opened station 1 of the coastal line?');
  expect(wrong).toContain(
    '- Who paid for the coastal line? / foreign investors (most words of the answer do not stand in the document)',
  );
  expect(wrong).toContain('(no question) / (no answer) (the question or its answer is missing)');
  expect(wrong).toContain('(the question has more than 14 words)');
  expect(made.questions.map(({ answer }) => answer)).toEqual([0, 1, 2, 3].map((n) => `mayor Number${n}`));
  expect(made.dropped).toEqual({ empty: 1, longQuestions: 1, duplicates: 2, ungrounded: 1 });
});

test('goes on without a window that the model cannot be brought to answer for', async () => {
  const { model, stage } = askedBy(() => new ModelCallError('malformed', 'unreadable', NO_USAGE, { isFatal: false }));
  const made = await documentQuestions(document(12), 10, model);
  expect(made.questions).toEqual([]);
  expect(stage.questions).toHaveLength(1);
  expect(model.counts().malformed).toBe(1);
});

test('a document without text is asked nothing', async () => {
  const { model, stage } = askedBy(() => ({ questions: [] }));
  expect(await documentQuestions({ id: 'd', text: ' \n' }, 10, model)).toMatchObject({ questions: [], windows: 0 });
  expect(stage.questions).toHaveLength(0);
});

test('reads a long document in windows, and takes questions from its beginning to its end', async () => {
  const long = document(600);
  const answer = (asked: Question) => ({ questions: onStations(asked) });
  for (const [context, least] of [
    [8192, 4],
    [1024, 11],
  ] as const) {
    const { model, stage } = askedBy(answer, context);
    const made = await documentQuestions(long, 10, model);
    expect(made.windows).toBeGreaterThanOrEqual(least);
    expect(stage.questions).toHaveLength(made.windows);
    expect(made.questions).toHaveLength(10);
    const stations = made.questions.map(({ answer: mayor }) => Number(/\d+/.exec(mayor)?.[0]));
    expect(stations).toEqual(stations.toSorted((a, b) => a - b));
    // Ten parts of the document, however many windows: most have a question.
    expect(new Set(stations.map((n) => Math.floor(n / 150))).size).toBe(4);
  }
});

test('what is asked fits into the context, whatever was said before', async () => {
  const contexts = [1024, 2048, 8192, 32_768];
  for (const context of contexts) {
    const { model, stage } = askedBy(
      () => ({
        questions: Array.from({ length: 30 }, (_, n) => ({
          question: `${'why '.repeat(90)}${n % 3}?`,
          answer: 'ghosts',
        })),
      }),
      context,
    );
    await documentQuestions(document(300), 10, model);
    expect(stage.questions.some(({ prompt }) => prompt.id === 'benchmark-questions-more')).toBe(true);
    for (const { prompt, values, maxTokens } of stage.questions) {
      const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
      expect(bytes / 4 + maxTokens).toBeLessThan(context);
    }
  }
});

test('windows share the questions out, at least one each', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1024, max: 9000 }),
      (count, size, context) => {
        const parts = readingWindows(document(size), count, readingRoom(context, count));
        expect(parts.reduce((sum, { share }) => sum + share, 0)).toBe(count);
        for (const { asked, share } of parts) expect(asked).toBe(Math.max(1, share));
      },
    ),
    { numRuns: 50 },
  );
});
