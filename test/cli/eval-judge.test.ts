import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evalJudge } from '../../src/cli/eval-judge.node.ts';
import { SCALES } from '../../src/contract/index.ts';
import type { DigestDeps } from '../../src/digest/index.ts';
import { type DecidedItem, taskAgreement } from '../../src/lab/people/agreement.ts';
import { annotationItems, type JudgedRecord, readJudgedRecords } from '../../src/lab/people/judged-records.ts';
import type { Label } from '../../src/lab/people/labels.ts';
import type { Script } from '../support/scripted-model-server.ts';
import fc from '../support/seeded-fast-check.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testDeps } from '../support/test-deps.ts';
import { partsWithModel } from './benchmark/run-command.ts';
import { LABELLED } from './eval-samples.ts';

const ANSWERS: JudgedRecord = {
  task: 'answers',
  id: 'dam',
  summary: 'The dam was mended in June.',
  questions: [
    { question: 'When was the dam mended?', answer: 'June', human: { answerable: true, correct: true } },
    { question: 'When was it built?', answer: '1911', human: { answerable: false, correct: false } },
    { question: 'What was mended in June?', answer: 'a bridge', human: { answerable: true, correct: false } },
  ],
};
const ENTAILMENT: JudgedRecord = {
  task: 'entailment',
  id: 'dam',
  text: 'The dam was mended in June.',
  claims: [
    { claim: 'The dam was mended.', human: true },
    { claim: 'The dam broke.', human: false },
  ],
};
const NUGGETS: JudgedRecord = {
  task: 'nuggets',
  id: 'dam',
  sentence: 'The dam was mended in June.',
  nuggets: [
    { question: 'When?', answers: ['June'], human: true },
    { question: 'Who paid?', answers: [], human: true },
  ],
};
const ARGUE: JudgedRecord = {
  task: 'argue',
  id: 'dam',
  request: { problem: 'What of the dam?' },
  sentences: [
    { text: 'The dam was mended in June.', citations: ['d'], human: 3 },
    { text: 'What it cost is not known.', citations: [], human: 8 },
    { text: 'It may rain.', citations: [], human: 4 },
  ],
  nuggets: [{ id: 'n', question: 'When?', answers: [{ text: 'June', documents: ['d'] }] }],
  documents: [{ id: 'd', text: 'In June the dam was mended.' }],
};
const COVERAGE: JudgedRecord = {
  task: 'coverage',
  id: 'dam',
  bullets: ['The weir broke.', 'The dam was mended in June.'],
  insights: [
    { text: 'The dam was mended in June.', human: 1 },
    { text: 'It cost 4 million.', human: 0.5 },
    { text: 'Fish died.', human: 0 },
  ],
};

/** A judge that says yes to all that it is asked, and shows words for it. */
const yes: Script = ({ body }) => {
  const [system, user] = body.messages ?? [];
  const [, shown = ''] = /<<<BEGIN (?:summary|text) \w+>>>\n([\s\S]*?)\n<<<END/.exec(user?.content ?? '') ?? [];
  const asked = system?.content ?? '';
  if (/"reported"/.test(asked)) return { text: JSON.stringify({ reported: [1] }) };
  if (/"coverage"/.test(asked)) return { text: '{"coverage":"PARTIAL","bullet":1}' };
  if (/"kind"/.test(asked))
    return { text: JSON.stringify({ kind: /not known/.test(user?.content ?? '') ? 'ABSENCE' : 'CLAIM' }) };
  return { text: JSON.stringify({ evidence: shown, verdict: /SAME/.test(asked) ? 'SAME' : 'YES' }) };
};

async function run(
  records: readonly unknown[],
  options: Partial<Parameters<typeof evalJudge>[1]> = {},
  deps: DigestDeps = testDeps(),
  signal = new AbortController().signal,
) {
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    stdout: { write: (piece: string) => out.push(piece) > 0 },
    stderr: { write: (piece: string) => err.push(piece) > 0 },
  };
  const file = { path: 'labels.json', text: JSON.stringify(records) };
  const asked = { judge: { judge: 'embedded' as const }, json: false, ...options };
  const code = await evalJudge(file, asked, deps, streams, signal);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

async function judged(records: readonly JudgedRecord[], labels?: string) {
  const { deps } = await partsWithModel(yes);
  const judge = { judge: 'llm' as const, engine: { model: 'scripted' } };
  const { code, stdout } = await run(records, { judge, json: true, labels }, deps);
  expect(code).toBe(0);
  return new Map<string, { confusion: number[][]; items: number }>(
    JSON.parse(stdout).agreement.map((each: { field: string }) => [each.field, each]),
  );
}

describe('a judge held against people', () => {
  test('on answers, entailment, nuggets and outcomes, by what each is asked', async () => {
    const found = await judged([ANSWERS, ENTAILMENT, NUGGETS, ARGUE, COVERAGE]);
    const confusion = (field: string) => found.get(field)?.confusion;
    expect([...found.keys()]).toEqual(['answerable', 'correct', 'entailed', 'reported', 'outcome', 'covered']);
    expect(confusion('answerable')).toEqual([
      [0, 1],
      [0, 2],
    ]);
    expect(confusion('correct')).toEqual([
      [0, 2],
      [0, 1],
    ]);
    expect(confusion('entailed')).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(confusion('reported')).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(confusion('covered')).toEqual([
      [0, 1, 0],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    // Sentence by sentence: 3 as 3, 8 as 7 for want of such a nugget, 4 as a claim that the first one states.
    const outcomes = confusion('outcome') ?? [];
    expect([outcomes[2][2], outcomes[7][6], outcomes[3][5]]).toEqual([1, 1, 1]);
  });

  test('labels of annotators come before what the file says, by majority', async () => {
    const items = annotationItems(ENTAILMENT);
    const label = (place: number, annotator: string, value: 'yes' | 'no'): Label => ({
      ...{ item: items[place].id, annotator, field: 'entailed', value },
      at: '2026-01-01T00:00:00Z',
    });
    const labels = [label(0, 'ada', 'no'), label(0, 'bob', 'no'), label(0, 'eve', 'yes'), label(1, 'ada', 'yes')];
    const path = join(temporaryFolder(), 'labels.jsonl');
    writeFileSync(path, labels.map((each) => `${JSON.stringify(each)}\n`).join(''));
    expect((await judged([ENTAILMENT], path)).get('entailed')?.confusion).toEqual([
      [0, 1],
      [0, 1],
    ]);
    const bare = { ...ENTAILMENT, claims: [{ claim: 'The dam was mended.' }] } satisfies JudgedRecord;
    await expect(judged([bare])).rejects.toThrow(/Nobody has judged/);
  });
});

test('agreement, kappa, phi, precision and recall are those of the table of counts', () => {
  const cell = fc.integer({ min: 0, max: 6 });
  fc.assert(
    fc.property(cell, cell, cell, cell, (a, b, c, d) => {
      const counts = [
        [0, 0, a],
        [0, 1, b],
        [1, 0, c],
        [1, 1, d],
      ];
      const items = counts.flatMap(([human, judge, count]) =>
        Array.from(
          { length: count },
          (_, n): DecidedItem => ({ field: 'entailed', cluster: `${n}`, first: human, second: judge, score: judge }),
        ),
      );
      const n = items.length;
      if (n === 0) {
        expect(taskAgreement(items)).toEqual([]);
        return;
      }
      const [{ figures }] = taskAgreement(items);
      expect(figures.agreement?.value).toBeCloseTo((a + d) / n, 12);
      const chance = ((a + b) * (a + c) + (c + d) * (b + d)) / n ** 2;
      if (chance < 1) expect(figures.kappa?.value).toBeCloseTo(((a + d) / n - chance) / (1 - chance), 9);
      const spread = (a + b) * (c + d) * (a + c) * (b + d);
      if (spread > 0) expect(figures.pearson?.value).toBeCloseTo((a * d - b * c) / Math.sqrt(spread), 9);
      expect(figures.precision?.value ?? null).toEqual(b + d === 0 ? null : expect.closeTo(d / (b + d), 12));
      expect(figures.recall?.value ?? null).toEqual(c + d === 0 ? null : expect.closeTo(d / (c + d), 12));
    }),
  );
});

test('annotators see each item beside what decides it, under an id of its own', () => {
  const items = [ANSWERS, ENTAILMENT, NUGGETS, ARGUE].flatMap(annotationItems);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  expect(items.map(({ kind, fields }) => [kind, fields.join()])).toEqual([
    ...Array.from({ length: 3 }, () => ['question', 'answerable,correct']),
    ...Array.from({ length: 2 }, () => ['claim', 'entailed']),
    ...Array.from({ length: 2 }, () => ['nugget', 'reported']),
    ...Array.from({ length: 3 }, () => ['sentence', 'outcome']),
  ]);
  expect(items[3].document.text).toBe('The dam was mended in June.');
  for (const words of ['In June the dam was mended.', 'What of the dam?', 'When? June [d]']) {
    expect(items.at(-1)?.document.text).toContain(words);
  }
  expect(JSON.stringify(items)).not.toContain('human');
  const twice = annotationItems({
    task: 'entailment',
    id: 'x',
    text: 'T.',
    claims: [{ claim: 'C.' }, { claim: 'C.' }],
  });
  expect(twice[0].id).not.toBe(twice[1].id);
  expect(SCALES.outcome).toHaveLength(8);
});

test('a file names tasks or none; what is wrong with its records is told', () => {
  const read = (value: unknown) => readJudgedRecords({ path: 'f.json', text: JSON.stringify(value) });
  expect(read([ANSWERS, ARGUE])).toEqual([ANSWERS, ARGUE]);
  expect(read([{ bullets: [], insights: [] }])).toBeNull();
  expect(() => read([ANSWERS, ANSWERS])).toThrow(/came before/);
  expect(() => read([{ ...ARGUE, sentences: [{ text: 'x', citations: [], human: 9 }] }])).toThrow(
    /\/sentences\/0\/human/,
  );
  expect(() => read([{ ...ANSWERS, task: 'guessing' }])).toThrow(/task/);
});

test('on coverage it is held against people, and the judges on file beside it, whatever the order of summaries', async () => {
  const { code, stdout, stderr } = await run(LABELLED);
  expect(code).toBe(0);
  expect(stdout).toContain('4 insights of 2 summaries; 95% intervals by drawing summaries\n');
  expect(stdout).toMatch(
    /^raters +items +agreement +Cohen's kappa +linear weights +Krippendorff's alpha +Pearson +Spearman +same bullet +bias$/m,
  );
  expect(stdout).toMatch(/^people \/ judge +4 +1\.000\* \[1\.000, 1\.000\] /m);
  expect(stdout).toMatch(/ 1\.000\* \[1\.000, 1\.000\] n=2 +0\.000\* \[0\.000, 0\.000\]$/m);
  expect(stdout).toMatch(/^people \/ gemini +4 +0\.750\* /m);
  expect(stdout).toMatch(/^1 +0 +0 +2$/m);
  const [, curves] = stdout.split('== Errors by threshold ==');
  // One of two insights that people deny is covered by half, says gemini.
  expect(curves).toMatch(/^gemini +(?:50\* \[0, 100\] +){5}(?:0\* \[0, 0\] *){5}$/m);
  expect(stderr).toContain('judging 2/2');
  const [first, second] = [await run(LABELLED, { json: true }), await run([...LABELLED].reverse(), { json: true })];
  const { agreement, curves: drawn, judge, usage } = JSON.parse(first.stdout);
  expect(drawn).toEqual(agreement.curves);
  expect(drawn.map((curve: { judge: string }) => curve.judge)).toEqual(['judge', 'gemini']);
  expect(agreement.rows[0].confusion[2]).toEqual([0, 0, 2]);
  expect(judge.encoder).toBe('hashed-words/1');
  expect(usage).toMatchObject({ requests: 0, cost: 0, reusedVerdicts: 0 });
  expect(JSON.parse(second.stdout).agreement).toEqual(agreement);
});

test('labels that are wrong are told, all of them; told to stop it prints nothing', async () => {
  const [one, two] = LABELLED;
  const bad = [
    { ...one, insights: [{ text: 'x', human: 0.3, bullet: null }] },
    { ...two, insights: [{ text: 'x', human: 1, bullet: 2 }] },
    { ...two, insights: [] },
  ];
  const message = await run(bad).catch(String);
  expect(message).toContain('labels.json record 0: /insights/0/human must be 0, 0.5 or 1');
  expect(message).toContain('labels.json record 1: /insights/0/bullet names none of the bullets');
  expect(message).toContain('labels.json record 2: /insights');
  await expect(run(LABELLED, { labels: 'ada.jsonl' })).rejects.toThrow('--labels goes with records that name a task.');
  expect(await run(LABELLED, {}, testDeps(), AbortSignal.abort())).toMatchObject({ code: 130, stdout: '' });
});
