import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { armSchema } from '../../../src/lab/run/arms.ts';
import { outputSchema } from '../../../src/lab/run/system.ts';
import { partsWithModel } from '../../cli/benchmark/run-command.ts';
import { figuresIn, folderOf, setsOf } from '../../cli/benchmark/run-samples.ts';
import { askedIn, dataIn, givenPoints, goodBut } from '../../support/good-model.ts';
import { lastUser, type Script } from '../../support/scripted-model-server.ts';

const TEXTS = {
  a: 'The mill of Alvik burned down in March. Bakers bought flour elsewhere.',
  b: 'In March the mill of Alvik burned down. A comet was seen at dawn.',
  c: 'The library lends violins.',
};
const [BURNED, BAKERS, BURNED_TOO, COMET, VIOLINS] = Object.values(TEXTS).flatMap((text) => text.split(/(?<=\.) /));
const LIE = 'The mayor resigned.';
const MILL = { id: 'mill', text: 'The mill burned down.', documents: ['a', 'b'] };
const passage = (document: keyof typeof TEXTS, words: string, insight: string) => {
  const start = TEXTS[document].indexOf(words);
  return { document, start, end: start + words.length, insights: [insight] };
};
const SET: BenchmarkSet = {
  name: 'mills',
  collections: [{ id: 'c', documents: Object.entries(TEXTS).map(([id, text]) => ({ id, text })) }],
  cases: [
    {
      ...{ id: 'x', collection: 'c', intent: 'What happened to the mill of Alvik, and what of violins?' },
      insights: [MILL, { id: 'violins', text: 'Violins are lent.', documents: ['c'] }],
      passages: [passage('a', BURNED, 'mill'), passage('b', BURNED_TOO, 'mill'), passage('c', VIOLINS, 'violins')],
    },
  ],
  made: [],
};

/** Runs one entry of systems; the lines of its outputs and its figures, by system, and what the model was asked. */
async function ran(entry: object, script: Script) {
  const { deps, server } = await partsWithModel(script);
  const path = join(folderOf({}), 'outputs.jsonl');
  const { sets, code, stderr } = await setsOf({
    systems: [{ name: 'w', ...entry }],
    sets: [{ files: ['hay.json'], keyPoints: 'insights' }],
    files: { 'hay.json': SET },
    args: ['--yes', '--outputs', path],
    deps,
  });
  expect(code, stderr).toBe(0);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const outputs = new Map(
    lines.map((line) => outputSchema.parse(JSON.parse(line))).map((each) => [each.system, each.sentences ?? []]),
  );
  const figures = figuresIn(sets[0]);
  return {
    draft: outputs.get('w') ?? [],
    checked: outputs.get('w, verified') ?? [],
    figures,
    requests: server.requests,
  };
}

const textOf = (quote: { document: string; start: number; end: number } | null | undefined) =>
  quote && TEXTS[quote.document as keyof typeof TEXTS].slice(quote.start, quote.end);

test('"drafts" scores what the model wrote beside what was verified, with the citations and quotes of each', async () => {
  // Two true sentences, the second with a wrong source before the right one, and a lie.
  const wrote: Script = goodBut(['write', 'write-again'], (request) => {
    if (askedIn(request) === 'write-again') return { text: '' };
    const numberOf = (words: string) =>
      givenPoints(request)
        .flat()
        .find(({ text }) => text === words)?.number;
    const [mill, too, violins] = [BURNED, BURNED_TOO, VIOLINS].map(numberOf);
    return { text: `- ${BURNED} [${mill}][${too}]\n- ${LIE} [${violins}]\n- ${VIOLINS} [${mill}][${violins}]` };
  });
  const options = {
    engine: { writer: 'llm' },
    summary: { format: 'bullets' },
    selection: { strategy: 'all', relevance: { gate: null } },
  };
  const { draft, checked, figures } = await ran({ options, drafts: true }, wrote);
  expect(draft.map(({ text, documents, quote }) => [text, documents, textOf(quote)])).toEqual([
    [BURNED, ['a', 'b'], BURNED],
    [LIE, ['c'], VIOLINS],
    [VIOLINS, ['a', 'c'], BURNED],
  ]);
  expect(checked.map(({ text }) => text)).not.toContain(LIE);
  expect(checked.find(({ text }) => text === BURNED)?.documents).toEqual(['a', 'b']);
  // By the first passage that each sentence cites: the lie is taken for violins, as labels know no better, among two bullets.
  expect(figures['x: w']).toMatchObject({ 'labelled.coverage': 100, 'labelled.joint': 100, 'digest.words': 8 + 3 + 4 });
  expect(figures['x: w, verified']).toHaveProperty(['labelled.joint']);
});

test('a published arm always has drafts, other systems when they say so, and an odd value is refused', () => {
  const names = (entry: object) =>
    armSchema.safeParse({ name: 'w', ...entry }).data?.map(({ name, text, needsModel }) => [name, text, needsModel]);
  const both = [
    ['w', 'draft', true],
    ['w, verified', undefined, true],
  ];
  expect([names({ arm: 'dpp' }), names({ drafts: true }), names({ arm: 'summhay' })]).toEqual([both, both, both]);
  expect([names({}), names({ drafts: false }), names({ drafts: 'yes' })]).toEqual([
    [['w', undefined, false]],
    undefined,
    undefined,
  ]);
});

test('the arm summhay asks in one prompt for as many bullets as there are insights, each cited to every document', async () => {
  const naive: Script = goodBut(['naive'], () => {
    const quote = (document: number, words: string) => ({ document, quote: words });
    const sentences = [
      { text: BURNED, quotes: [quote(1, BURNED)] },
      { text: VIOLINS, quotes: [quote(3, VIOLINS)] },
      // Said once more, from another document.
      { text: BURNED, quotes: [quote(2, BURNED_TOO)] },
      // Words that no document has, from a document that the model named.
      { text: LIE, quotes: [quote(2, 'The mayor has resigned.')] },
    ];
    return { text: JSON.stringify({ sentences }) };
  });
  const { draft, checked, figures, requests } = await ran({ arm: 'summhay' }, naive);
  const [asked, ...more] = requests.filter((request) => askedIn(request) === 'naive');
  expect(more).toEqual([]);
  expect(dataIn(asked, 'document').map(({ text }) => text)).toEqual(Object.values(TEXTS));
  expect(lastUser(asked)).toContain('Write a list of bullets, exactly 2 of them');
  expect(lastUser(asked)).toContain('a quote from every document that tells it');
  expect(draft.map(({ text, documents, quote }) => [text, documents, textOf(quote)])).toEqual([
    [BURNED, ['a'], BURNED],
    [VIOLINS, ['c'], VIOLINS],
    [BURNED, ['b'], 'In March the mill of Alvik burned down.'],
    [LIE, ['b'], null],
  ]);
  expect(checked.map(({ text, documents }) => [text, documents])).toEqual([
    [BURNED, ['a', 'b']],
    [VIOLINS, ['c']],
  ]);
  expect([BAKERS, COMET].some((words) => draft.some(({ text }) => text === words))).toBe(false);
  expect(figures['x: w, verified']).toMatchObject({ 'labelled.joint': 100 });
  // As it came, each of two equal bullets cites one of the two documents: F1 2/3 for the first insight.
  expect(figures['x: w']['labelled.joint']).toBeCloseTo((100 * (2 / 3 + 1)) / 2, 9);
});
