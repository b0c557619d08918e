import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Nugget } from '../../../src/evaluation/index.ts';
import type { SentenceKind } from '../../../src/evaluation/judge.ts';
import { scoreReport } from '../../../src/evaluation/metrics/argue.ts';
import type { ArgueRequest } from '../../../src/evaluation/metrics/argue-shapes.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';

const KINDS: readonly SentenceKind[] = ['claim', 'absence', 'neither', 'claim'];
const WORD = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen');
const ID = fc.constantFrom('d1', 'd2', 'd3', 'd9');

const nuggets = fc.uniqueArray(
  fc.record({
    id: WORD,
    question: WORD,
    importance: fc.constantFrom(undefined, 'vital' as const, 'okay' as const),
    weight: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    answers: fc.constantFrom(
      undefined,
      [],
      [{ text: 'yes' }],
      [{ text: 'yes', documents: ['d1'] }],
      [
        { text: 'yes', documents: ['d3', 'd9'] },
        { text: 'no', documents: ['d2', 'd1'] },
        { text: 'yea', documents: ['d9', 'd3'] },
      ],
      [
        { text: 'yes', documents: [] },
        { text: 'no', documents: ['d2'] },
      ],
    ),
  }),
  { selector: ({ id }) => id, maxLength: 5 },
);
const request: fc.Arbitrary<ArgueRequest> = fc.record({
  metric: fc.constant('argue'),
  report: fc.record({
    sentences: fc.array(fc.record({ text: WORD, citations: fc.uniqueArray(ID, { maxLength: 3 }) }), { maxLength: 9 }),
  }),
  nuggets,
  documents: fc.constant(['d1', 'd2', 'd3'].map((id) => ({ id, text: `text of ${id}` }))),
  options: fc.record({ citations: fc.constantFrom('all', 'one'), average: fc.constantFrom('micro', 'macro') }),
});

/** Verdicts that are told from the texts alone, at random for each seed. */
class Verdicts {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  draw(sides: number, ...texts: readonly string[]): number {
    const mixed = [...texts.join('/')].reduce((sum, each) => (sum * 33 + each.charCodeAt(0)) % 7919, this.#seed + 11);
    return Math.floor(mixed / 7) % sides;
  }

  kind = (text: string) => KINDS[this.draw(4, 'kind', text)] ?? 'claim';
  /** The answers of a nugget that a text gives; the absence stands for one. */
  given = (text: string, { id, answers = [] }: Nugget): { text: string; documents?: readonly string[] | undefined }[] =>
    (answers.length > 0 ? answers : [{ text: 'nothing' }]).filter(
      (answer) => this.draw(3, 'reports', text, id, answer.text) === 0,
    );
  reports = (text: string, nugget: Nugget) => this.given(text, nugget).length > 0;
  entails = (claim: string, text: string) => claim === text || this.draw(3, 'entails', claim, text) > 0;

  judge() {
    return scriptedJudge({
      kinds: this.kind,
      reported: this.reports,
      entailment: (claim, texts) => texts.some((text) => text.split('\n').some((line) => this.entails(claim, line))),
    });
  }
}

/** The rules as a table that is read from top to bottom: the first row that fits gives the outcome. */
function byTable({ report: { sentences }, nuggets, documents, options }: ArgueRequest, verdicts: Verdicts) {
  return sentences.map(({ text, citations }, place) => {
    const kind = verdicts.kind(text);
    const told = nuggets.filter((each) => verdicts.reports(text, each));
    const nothing = told.filter(({ answers }) => !answers?.length);
    const answers = told.flatMap((each) => verdicts.given(text, each));
    const supports = citations.map((id) => {
      const found = documents.find((document) => document.id === id);
      const isLinked = answers.some((answer) => answer.documents?.includes(id));
      return found !== undefined && (isLinked || verdicts.entails(text, found.text));
    });
    const attested = told.filter((each) =>
      verdicts
        .given(text, each)
        .some(
          (answer) =>
            !answer.documents?.length || citations.some((id, c) => supports[c] && answer.documents?.includes(id)),
        ),
    );
    const hits = supports.filter((each) => each).length;
    const isBad = hits < (options?.citations === 'one' ? 1 : citations.length);
    const isOld = sentences.some(
      (other, at) => (at < place || (at > place && other.citations.length > 0)) && verdicts.entails(text, other.text),
    );
    const rows: [boolean, number, Nugget[]][] = [
      [citations.length > 0 && isBad, 1, []],
      [citations.length > 0 && attested.length > 0, 3, attested],
      [citations.length > 0, 2, []],
      [kind === 'absence' && nothing.length > 0, 8, nothing],
      [kind === 'absence', 7, []],
      [kind === 'neither', 4, []],
      [isOld, 6, []],
      [true, 5, []],
    ];
    const [, outcome, earned] = rows.find(([fits]) => fits) ?? [true, 0, []];
    return { outcome, earned, supports };
  });
}

test('outcomes and totals are those of the table of rules', async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, fc.nat(5000), async (given, seed) => {
      const verdicts = new Verdicts(seed);
      const answer = await scoreReport(given, verdicts.judge());
      const table = byTable(given, verdicts);
      const outcomes = table.map(({ outcome }) => outcome);
      expect(answer.sentences.map(({ outcome }) => outcome)).toEqual(outcomes);
      for (const { outcome } of answer.sentences) seen.add(outcome);

      const good = outcomes.filter((each) => each === 3 || each === 8).length;
      const bad = outcomes.filter((each) => each === 1 || each === 5 || each === 7).length;
      expect(answer.precision).toBe(good + bad === 0 ? null : (100 * good) / (good + bad));

      const earned = given.nuggets.filter((nugget) => table.some((row) => row.earned.includes(nugget)));
      const counts = { vital: 1, okay: 0.5 };
      const weigh = (all: readonly Nugget[]) =>
        all.reduce((sum, { weight, importance = 'vital' }) => sum + (weight ?? counts[importance]), 0);
      const isVital = ({ importance }: Nugget) => importance !== 'okay';
      for (const [recall, isMeant] of [
        [answer.recall, () => true],
        [answer.vitalRecall, isVital],
      ] as const) {
        const wanted = given.nuggets.filter(isMeant);
        if (wanted.length === 0) expect(recall).toBeNull();
        else expect(recall).toBeCloseTo((100 * weigh(earned.filter(isMeant))) / weigh(wanted), 9);
      }

      const rows = table.map(({ supports }) => supports).filter((supports) => supports.length > 0);
      const rate = (all: readonly boolean[]) => (100 * all.filter((each) => each).length) / all.length;
      const support =
        given.options?.average === 'macro'
          ? rows.reduce((sum, row) => sum + rate(row), 0) / rows.length
          : rate(rows.flat());
      if (rows.length === 0) expect(answer.citationSupport).toBeNull();
      else expect(answer.citationSupport).toBeCloseTo(support, 9);
    }),
    { numRuns: 100, seed: 7 },
  );
  expect([...seen].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('scores do not depend on the order of nuggets, documents and citations', async () => {
  await fc.assert(
    fc.asyncProperty(request, fc.nat(5000), async (given, seed) => {
      const verdicts = new Verdicts(seed);
      const turned: ArgueRequest = {
        ...given,
        nuggets: given.nuggets.toReversed(),
        documents: given.documents.toReversed(),
        report: {
          sentences: given.report.sentences.map(({ text, citations }) => ({ text, citations: citations.toReversed() })),
        },
      };
      const one = await scoreReport(given, verdicts.judge());
      const two = await scoreReport(turned, verdicts.judge());
      for (const name of ['precision', 'recall', 'f1', 'citationSupport'] as const) expect(two[name]).toBe(one[name]);
      expect(two.nuggets.toReversed()).toEqual(one.nuggets);
      expect(two.sentences.map(({ outcome }) => outcome)).toEqual(one.sentences.map(({ outcome }) => outcome));
    }),
  );
});
