import { expect, test } from 'vitest';
import { keptModel } from '../../../src/lab/asking/kept-model.ts';
import { findInsights } from '../../../src/lab/haystack/find-insights.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { PROMPTS } from '../../support/prompts.ts';

/** A model with little room, whose answers are not kept. */
function modelOf(answer: FakeAnswer, contextTokens: number) {
  const stage = new AskedStageModel(answer, contextTokens);
  const kept = { read: async () => null, keep: async () => {} };
  return { stage, model: keptModel(stage, PROMPTS, kept) };
}

const SHOWN = Array.from({ length: 60 }, (_, place) => ({
  text: `Of the boats of harbour ${place} some ${100 + place} were lost in storms, the log of its master says.`,
  place: 59 - place,
}));
const TEXT = SHOWN.filter((_, at) => at % 7 === 0)
  .map(({ text }) => text)
  .join(' ');

function foundIn(facts: string, quoted: (fact: string) => string): unknown {
  const lines = [...facts.matchAll(/^(\d+)\. (.+)$/gm)];
  const told = lines.filter(([, , fact]) => TEXT.includes(fact));
  return { found: told.map(([, number, fact]) => ({ insight: Number(number), quote: quoted(fact) })) };
}

test('insights that do not fit into one question are asked for in several, with the words that tell them', async () => {
  const { model, stage } = modelOf(({ values }) => foundIn(values.insights, (fact) => fact), 2400);
  const found = await findInsights(model, TEXT, SHOWN, 5);
  expect(stage.questions.length).toBeGreaterThan(1);
  const expected = SHOWN.filter(({ text }) => TEXT.includes(text)).map(({ place, text }) => [place, text]);
  const told = [...(found?.told ?? [])].map(([place, [span]]) => [place, TEXT.slice(span.start, span.end)]);
  expect(told).toEqual(expected.reverse());
  expect(found?.unfounded).toBe(0);
});

test('words that the document does not hold tell nothing, and numbers of no insight are passed over', async () => {
  const misquoted = (fact: string) => (fact.includes('harbour 7 ') ? 'Nobody wrote such words anywhere at all.' : fact);
  const { model } = modelOf(({ values }) => {
    const answer = foundIn(values.insights, misquoted) as { found: unknown[] };
    return { found: [...answer.found, { insight: 0, quote: TEXT }, { insight: 999, quote: TEXT }] };
  }, 32_000);
  const found = await findInsights(model, TEXT, SHOWN, 5);
  expect(found?.told.size).toBe(8);
  expect(found?.unfounded).toBe(1);
});

test('items are read one by one, numbers also as text; a list of nothing that can be read is asked for again', async () => {
  const [item] = (foundIn(`1. ${SHOWN[0].text}`, (fact) => fact) as { found: { insight: number; quote: string }[] })
    .found;
  const kind = modelOf(() => ({ found: [{ insight: 2 }, 'none', { ...item, insight: '1' }] }), 32_000);
  expect([...((await findInsights(kind.model, TEXT, SHOWN, 5))?.told.keys() ?? [])]).toEqual([59]);
  const none = modelOf(() => ({ found: ['none'] }), 32_000);
  expect(await findInsights(none.model, TEXT, SHOWN, 5)).toBeNull();
  expect(none.model.counts()).toMatchObject({ malformed: 1 });
});

test('where one of several answers cannot be read, nothing is known', async () => {
  const { model } = modelOf(
    ({ values }, call) =>
      call === 1 ? new ModelCallError('malformed', 'no') : foundIn(values.insights, (fact) => fact),
    2400,
  );
  expect(await findInsights(model, TEXT, SHOWN, 5)).toBeNull();
});
