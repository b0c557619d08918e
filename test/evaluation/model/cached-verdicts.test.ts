import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EVALUATION_EXAMPLES,
  evaluate,
  type Judge,
  type JudgeRequest,
  resolveRequest,
} from '../../../src/evaluation/index.ts';
import { parsePrompt } from '../../../src/models/index.ts';
import { forTenant } from '../../../src/store/index.ts';
import { judgements } from '../../../src/store/schema.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { ANSWERS, type Answers, judging } from './judging.ts';

/** One of everything: 9 calls, 2 of them for the second claim. */
async function everything(judge: Judge, turned: <T>(list: readonly T[]) => T[] = (list) => [...list]) {
  const nuggets = [
    { id: 'n', question: 'Why?', answers: turned([{ text: 'x' }, { text: 'y' }]) },
    { id: 'm', question: 'How?' },
  ];
  const bullets = ['one bullet', 'another', 'a third one'];
  const coverage = await judge.coverage(turned(['insight', 'other insight']), turned(bullets));
  const entailment = await judge.entailment(
    turned(['claim', 'claim two']).map((claim) => ({ claim, texts: turned(['a a', 'b b']) })),
  );
  const reported = await judge.reported(['a sentence'], turned(nuggets));
  return {
    // By what they name, as places move with the order.
    coverage: turned(coverage.map(({ bullet, ...verdict }) => ({ ...verdict, bullet: turned(bullets)[bullet ?? -1] }))),
    entailment: turned(entailment),
    kinds: turned(await judge.kinds(turned(['s', 't']), { problem: 'p' })),
    reported: reported[0].map((place) => turned(nuggets)[place]?.id),
    answered: await judge.answered('bees hum', [{ question: 'What hums?', answer: 'wasps' }]),
    relevant: await judge.relevant(['q'], 'intent'),
  };
}

test('what was judged is not asked again, by another judge over the same database either', async () => {
  const first = judging(ANSWERS);
  const judge = first.judge();
  const verdicts = await everything(judge);
  const asked = first.calls.length;
  expect(judge.usage()).toEqual({
    requests: asked,
    promptTokens: 100 * asked,
    completionTokens: 10 * asked,
    cost: 0.5 * asked,
    reusedVerdicts: 0,
  });
  expect(await everything(judge)).toEqual(verdicts);
  expect(judge.usage().reusedVerdicts).toBe(0);

  const second = judging(() => expect.fail('asked again'), { database: first.database });
  const other = second.judge();
  expect(await everything(other)).toEqual(verdicts);
  expect(other.usage()).toEqual({
    requests: 0,
    promptTokens: 0,
    completionTokens: 0,
    cost: 0,
    reusedVerdicts: asked,
  });
  expect(other.record()).toEqual(judge.record());
  const rows = await first.database.query.select().from(judgements);
  expect(rows).toHaveLength(asked);
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(first.calls.map(({ prompt }) => prompt)));
});

test.each<[string, (made: ReturnType<typeof judging>) => ReturnType<typeof judging>, JudgeRequest]>([
  ['another tenant', ({ database }) => judging(ANSWERS, { database: forTenant(database, 'other') }), {}],
  ['another seed', (made) => made, { engine: { stages: { judge: { seed: 2 } } } }],
  ['another temperature', (made) => made, { engine: { stages: { judge: { temperature: 0.5 } } } }],
  ['another model', (made) => made, { engine: { model: 'other' } }],
])('%s asks again', async (_, other, request) => {
  const first = judging(ANSWERS);
  await everything(first.judge());
  const asked = first.calls.length;
  const second = other(first);
  const before = second.calls.length;
  const judge = second.judge(request);
  await everything(judge);
  expect(second.calls.length - before).toBe(asked);
  expect(judge.usage().reusedVerdicts).toBe(0);
});

test('another wording of a prompt asks again, for its purpose alone', async () => {
  const first = judging(ANSWERS);
  await everything(first.judge());
  const file = `---\nid: judge-kind\nstage: judge-kind\npurpose: p\nvariables: [sentence, request]\n---\n# System\nOther.\n# User\n{{sentence}} {{request}}\n`;
  const prompts = new Map([...PROMPTS, ['judge-kind', parsePrompt(file)]]);
  const second = judging(ANSWERS, { database: first.database, prompts });
  await everything(second.judge());
  expect(second.calls.map(({ prompt }) => prompt)).toEqual(['judge-kind', 'judge-kind']);
});

test('the same is asked whatever the order, and verdicts are the same', async () => {
  const first = judging(ANSWERS);
  const verdicts = await everything(first.judge());
  const turned = judging(ANSWERS);
  expect(await everything(turned.judge(), (list) => [...list].reverse())).toEqual(verdicts);
  const asked = ({ calls }: typeof first) => calls.map(({ user }) => user).sort();
  expect(asked(turned)).toEqual(asked(first));
  const again = judging(() => expect.fail('asked again'), { database: first.database });
  expect(await everything(again.judge(), (list) => [...list].reverse())).toEqual(verdicts);
});

/** Texts, and the same in another order. */
const shuffled = fc
  .uniqueArray(fc.constantFrom('a', 'b c', 'c', 'c d', 'A', 'a b', 'd.', 'long '.repeat(200)), { minLength: 1 })
  .chain((texts) =>
    fc.record({ texts: fc.constant(texts), other: fc.shuffledSubarray(texts, { minLength: texts.length }) }),
  );

test('a model that favours a place, or the first text it is asked of, does not favour the order of the request', async () => {
  // Answers by the whole message, and often names what is shown first.
  const biased: Answers = ({ prompt, user, data }) => {
    const odd = user.length % 3;
    if (prompt === 'judge-coverage') return { coverage: ['FULL', 'PARTIAL', 'NO'][odd], bullet: odd === 2 ? null : 1 };
    return odd === 0 ? { evidence: '', verdict: 'NO' } : { evidence: data.text, verdict: 'YES' };
  };
  const { database } = judging(biased);
  let tenants = 0;
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ texts, other }) => {
      const said = async (given: readonly string[]) => {
        const judge = judging(biased, { contextTokens: 1_500, database: forTenant(database, `t${tenants++}`) }).judge();
        const coverage = await judge.coverage(['a b c', 'd', 'a b c'], given);
        const entailment = await judge.entailment([{ claim: 'a c', texts: given }]);
        return { coverage: coverage.map(({ level, bullet }) => [level, given[bullet ?? -1]]), entailment };
      };
      expect(await said(other)).toEqual(await said(texts));
    }),
    { numRuns: 25, seed: 7 },
  );
});

test('equal units are asked once, side by side as well', async () => {
  const { judge, calls } = judging(ANSWERS);
  const asked = judge();
  const task = { claim: 'c', texts: ['b', 'b'] };
  const [twice, , coverage] = await Promise.all([
    asked.entailment([task, task, { claim: 'c', texts: ['b'] }]),
    asked.entailment([task]),
    asked.coverage(['i', 'i', 'i'], ['b', 'b', 'b']),
  ]);
  expect(twice).toEqual(Array(3).fill({ holds: true, score: 1, evidence: 'b' }));
  expect(coverage).toEqual(Array(3).fill({ level: 50, score: 0.5, bullet: 0 }));
  expect(calls).toHaveLength(2);
});

test.each([
  ['summhay', ['judge-coverage']],
  ['keyPointRecall', ['judge-entailment', 'judge-key-points']],
  ['argue', ['judge-reported']],
  ['sourceCoverage', ['judge-answered', 'judge-relevance']],
])('%s asks what it needs, says so, and costs nothing a second time', async (example, prompts) => {
  const request = { ...(await resolveRequest(EVALUATION_EXAMPLES.requests[example].value)), judge: 'llm' as const };
  const { deps, calls, database } = judging(ANSWERS);
  const { usage, judge, ...answer } = await evaluate(request, deps);
  expect(Object.keys(judge.prompts)).toEqual(prompts);
  expect(judge).toMatchObject({ name: 'llm', encoder: null, model: { model: 'm', seed: 1, temperature: 0 } });
  expect(usage).toMatchObject({ requests: calls.length, cost: 0.5 * calls.length, reusedVerdicts: 0 });
  const again = judging(() => expect.fail('asked again'), { database });
  const second = await evaluate(request, again.deps);
  expect(second).toMatchObject({ ...answer, judge });
  expect(second.usage).toMatchObject({ requests: 0, cost: 0, reusedVerdicts: calls.length });
});
