import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadDocument } from '../../../src/digest/extract/read-documents.ts';
import { createDigest } from '../../../src/digest/index.ts';
import { type Grading, gradeWithModel } from '../../../src/digest/rank/grade.ts';
import type { SelectionItems, SelectionTask } from '../../../src/digest/select/selection-task.ts';
import { loadPrompts } from '../../../src/models/index.node.ts';
import { BYTES_PER_TOKEN, ModelCallError, memoryCache, parsePrompt, renderPrompt } from '../../../src/models/index.ts';
import type { SelectionOptions } from '../../../src/selection/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { testDeps } from '../../support/test-deps.ts';

const prompt = loadPrompts().get('grade') ?? parsePrompt('');

interface Given {
  readonly text: string;
  readonly documentIndex: number;
  readonly relevance: number;
}

function documentOf(index: number, title: string | undefined): ReadDocument {
  const document = { id: `d${index}`, text: 'Text.', ...(title !== undefined && { title }) };
  return { document, place: index, hash: `${index}`, status: 'ok', excluded: null, error: null, extraction: null };
}

function gradingOf(points: readonly Given[], parts: readonly string[] = ['All?']): Grading {
  const last = points.reduce((most, { documentIndex }) => Math.max(most, documentIndex), 0);
  const documents = Array.from({ length: last + 1 }, (_, index) =>
    documentOf(index, index % 2 === 0 ? `Title ${index}` : undefined),
  );
  return { question: 'What is asked?', parts, points, documents };
}

const graderOf = (model: AskedStageModel) => ({ model, prompts: { grade: prompt } });

/** Texts by the numbers that a call shows them under. */
function shownIn(points: string): Map<number, string> {
  return new Map([...points.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, text]) => [Number(number), text]));
}

/** Answers by what the points say. */
const truthful: FakeAnswer = ({ values }) => {
  const named = (word: string) => [...shownIn(values.points)].flatMap(([n, text]) => (text.includes(word) ? n : []));
  return { answers: named('answers'), helps: named('helps'), unanswered: [] };
};

const WORDS = ['answers', 'helps', 'neither'];
const given = fc
  .array(
    fc.record({
      word: fc.constantFrom(...WORDS),
      length: fc.integer({ min: 0, max: 900 }),
      step: fc.integer({ min: 0, max: 1 }),
      relevance: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 100 },
  )
  .map((list) => {
    let documentIndex = 0;
    return list.map(({ word, length, step, relevance }, index): Given => {
      documentIndex += step;
      return { text: `Point ${index} ${word} ${'ä'.repeat(length)}`, documentIndex, relevance };
    });
  });

const BUDGET = 1_000_000;

function runOf(cache = memoryCache()) {
  return { cache, reportFailure: () => {}, progress: () => {} };
}

const shownBy = (model: AskedStageModel) =>
  model.questions.flatMap(({ values }) => [...shownIn(values.points).values()]);

describe('grading by a model', () => {
  test('in calls that fit, of every point once; each grade goes to the point that was shown', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.integer({ min: 1500, max: 40_000 }), async (points, contextTokens) => {
        const model = new AskedStageModel(truthful, contextTokens);
        const graded = await gradeWithModel(runOf(), graderOf(model), gradingOf(points), BUDGET);
        for (const { values, maxTokens } of model.questions) {
          const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
          expect(bytes + maxTokens * BYTES_PER_TOKEN).toBeLessThanOrEqual(contextTokens * BYTES_PER_TOKEN);
        }
        const shown = shownBy(model);
        expect(shown).toHaveLength(points.length);
        expect(points.every(({ text }) => shown.some((each) => text.startsWith(each)))).toBe(true);
        const saying = (word: string) => points.flatMap(({ text }, i) => (text.includes(word) ? [i] : []));
        expect(graded).toEqual({
          grades: { answers: saying('answers'), helps: saying('helps'), unanswered: [], unknown: 0 },
          unread: [],
          warnings: [],
        });
      }),
      { numRuns: 60 },
    );
  });

  test('a point in both lists answers, and parts are named by number', async () => {
    const points = ['One', 'Two', 'Three'].map((text) => ({ text, documentIndex: 0, relevance: 0.5 }));
    const model = new AskedStageModel(() => ({ answers: [2, 9], helps: ['2', 3, 9], unanswered: [3, 7] }), 3_000);
    const grading = gradingOf(points, ['Who?', 'Why?', 'When?']);
    const { grades, warnings } = await gradeWithModel(runOf(), graderOf(model), grading, BUDGET);
    expect(model.questions[0].values.parts).toContain('1. Who?\n2. Why?\n3. When?');
    expect(grades).toMatchObject({ answers: [1], helps: [2], unanswered: [2] });
    expect(warnings).toEqual(['The model graded 1 key point not in the list; ignored.']);
  });

  const LONG = Array.from({ length: 30 }, (_, n) => ({
    text: `Point ${n} ${n % 7 === 0 ? 'answers' : 'neither'} ${'x'.repeat(300)}`,
    documentIndex: Math.floor(n / 6),
    relevance: n / 30,
  }));

  test('a part of the question is open only if every call says so', async () => {
    const open = [[1, 2], [2], [2, 1]];
    const model = new AskedStageModel(
      ({ values }) => ({ answers: [], helps: [], unanswered: open[shownIn(values.points).size % 3] }),
      3_000,
    );
    const { grades } = await gradeWithModel(runOf(), graderOf(model), gradingOf(LONG, ['Who?', 'Why?']), BUDGET);
    expect(model.questions.length).toBeGreaterThan(1);
    expect(grades?.unanswered).toContain(1);
  });

  test('a call that fails takes no other along, and what was read is not read again', async () => {
    const cache = memoryCache();
    let calls = 0;
    const flaky = new AskedStageModel((question) => {
      if (calls++ === 1) throw new ModelCallError('server', 'gone away');
      return truthful(question, calls);
    }, 3_000);
    const first = await gradeWithModel(runOf(cache), graderOf(flaky), gradingOf(LONG), BUDGET);
    expect(first.unread.length).toBeGreaterThan(0);
    expect(first.warnings).toEqual([
      expect.stringMatching(/^Grading of 1 of \d+ parts by the language model failed: gone/),
    ]);
    const sound = new AskedStageModel(truthful, 3_000);
    const second = await gradeWithModel(runOf(cache), graderOf(sound), gradingOf(LONG), BUDGET);
    expect(sound.questions).toHaveLength(1);
    expect(shownBy(sound)).toHaveLength(first.unread.length);
    expect(second.grades?.answers).toEqual([0, 7, 14, 21, 28]);
  });

  test('a budget leaves out the parts that seem least relevant, and says how many', async () => {
    const model = new AskedStageModel(truthful, 3_000);
    const { unread, warnings } = await gradeWithModel(runOf(), graderOf(model), gradingOf(LONG), 1_500);
    expect(model.questions).toHaveLength(1);
    expect(unread).toContain(0);
    expect(unread).not.toContain(29);
    expect(warnings).toEqual([
      expect.stringMatching(/^The model did not read \d+ of \d+ parts: the budget is 1500 tokens\.$/),
    ]);
  });
});

/** Running text, whose points have surroundings. */
const MINUTES = ['tram', 'harbour'].map((matter) => ({
  id: matter,
  text: Array.from(
    { length: 40 },
    (_, i) => `The board discussed the ${matter} of district ${i} and agreed on ${i + 2} new plans for it.`,
  ).join(' '),
}));

/** The items of the selection for a digest whose points a model grades, or nobody. */
async function selectedAmong(grades: object | null): Promise<SelectionItems> {
  const tasks: SelectionTask[] = [];
  class WatchedEngine extends InProcessEngine {
    override async select(task: SelectionTask, options: SelectionOptions) {
      tasks.push(task);
      return super.select(task, options);
    }
  }
  const complete = async () => ({
    text: JSON.stringify(grades),
    isCut: false,
    usage: { requests: 1, promptTokens: 1, completionTokens: 1, cost: null },
  });
  const models = {
    model: { defaultModel: 'fake', contextTokens: 8000, complete },
    prompts: loadPrompts(),
    extractor: 'sentences',
    writer: 'compose',
  } as const;
  const relevance = { gate: 0.2, ...(grades !== null && { encoder: 'llm' }) };
  const deps = testDeps({ engine: new WatchedEngine(), models });
  await createDigest({ documents: MINUTES, intent: 'What was agreed on the tram?', selection: { relevance } }, deps);
  return tasks[0].items;
}

test('what grades drop takes its surroundings along', async () => {
  const all = await selectedAmong(null);
  const graded = await selectedAmong({ answers: [1, 3], helps: [4], unanswered: [] });
  expect(graded.hashes.length).toBeLessThan(all.hashes.length);
  const around = new Map(all.hashes.map((hash, i) => [hash, all.context?.[i]]));
  expect(graded.context).toEqual(graded.hashes.map((hash) => around.get(hash)));
});
