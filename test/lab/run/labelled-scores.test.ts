import { expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import { createDigest } from '../../../src/digest/index.ts';
import type { BenchmarkCase } from '../../../src/lab/benchmark-set.ts';
import { PUBLISHED } from '../../../src/lab/loaders/formats.ts';
import { labelledScores, passageScores } from '../../../src/lab/run/score-output.ts';
import { outputOfDigest } from '../../../src/lab/run/system-output.ts';
import { CITY } from '../../support/documents.ts';
import fc from '../../support/seeded-fast-check.ts';
import { testDeps } from '../../support/test-deps.ts';

interface Haystack {
  readonly documents: readonly { id: string; text: string; arguments: Labelled[] }[];
  readonly queries: readonly { intent: string; insights: { id: string; text: string; documents: string[] }[] }[];
}
type Labelled = { start: number; end: number; keyPoints: string[] };

const LENGTH = 60;
const IDS = ['a', 'b', 'c'];
const INSIGHTS = ['i', 'j', 'k', 'l'];

/** What stands where: the beginning and the end, of one unit or more. */
const stretch = fc.tuple(fc.nat(LENGTH - 1), fc.integer({ min: 1, max: 30 })).map(([start, length]) => ({
  start,
  end: Math.min(LENGTH, start + length),
}));

const haystacks: fc.Arbitrary<Haystack> = fc.record({
  documents: fc
    .tuple(...IDS.map(() => fc.array(fc.tuple(stretch, fc.subarray(INSIGHTS)), { maxLength: 5 })))
    .map((labelled) =>
      labelled.map((stretches, place) => ({
        id: IDS[place],
        text: 'x'.repeat(LENGTH),
        arguments: stretches.map(([span, keyPoints]) => ({ ...span, keyPoints })),
      })),
    ),
  queries: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...INSIGHTS), fc.subarray(IDS, { minLength: 1 })), {
      minLength: 1,
      selector: ([id]) => id,
    })
    .map((insights) => [
      { intent: 'What?', insights: insights.map(([id, documents]) => ({ id, text: `insight ${id}`, documents })) },
    ]),
});

interface Said {
  readonly points: readonly {
    readonly document: string;
    readonly start: number;
    readonly end: number;
    readonly isVerified: boolean;
  }[];
  readonly sentences: readonly {
    readonly framing: boolean;
    /** Places of points. */
    readonly rests: readonly number[];
    /** Ids of documents, some more than once. */
    readonly cites: readonly string[];
  }[];
}

const said: fc.Arbitrary<Said> = fc.record({
  points: fc.array(
    fc
      .tuple(fc.constantFrom(...IDS), stretch, fc.integer({ min: 0, max: 9 }))
      .map(([document, span, luck]) => ({ document, ...span, isVerified: luck > 0 })),
    { minLength: 1, maxLength: 6 },
  ),
  sentences: fc.array(
    fc.record({
      framing: fc.integer({ min: 0, max: 5 }).map((luck) => luck === 0),
      rests: fc.array(fc.nat(5), { maxLength: 3 }),
      cites: fc.array(fc.constantFrom(...IDS, 'elsewhere'), { maxLength: 4 }),
    }),
    { maxLength: 6 },
  ),
});

/** A digest that says this, in the form of a real one. */
function digestOf({ points, sentences }: Said, template: Digest): Digest {
  const [point] = template.keyPoints;
  const sentence = template.summary.sentences.find(({ citations }) => citations.length > 0);
  if (sentence === undefined) throw new Error('the template cites nothing');
  return {
    ...template,
    keyPoints: points.map(({ document, start, end, isVerified }, place) => ({
      ...point,
      id: `p${place}`,
      document,
      quote: isVerified
        ? { text: 'x'.repeat(end - start), start, end, status: 'exact' }
        : { text: 'y', start: null, end: null, status: 'unverified' },
    })),
    summary: {
      ...template.summary,
      sentences: sentences.map(({ framing, rests, cites }) => ({
        ...sentence,
        framing,
        keyPoints: rests.filter((place) => place < points.length).map((place) => `p${place}`),
        citations: cites.map((document) => ({ ...sentence.citations[0], document })),
      })),
    },
  };
}

/** The rule of /work/shared/tools/score-haystack.mjs, written again in another way: over units of text, and sums. */
function byUnits({ documents, queries: [{ insights }] }: Haystack, { points, sentences }: Said) {
  const bullets = sentences.filter(({ framing }) => !framing).slice(0, insights.length);
  const tells = (rests: readonly number[], insight: string): boolean => {
    const point = points[rests.filter((place) => place < points.length)[0]];
    if (point === undefined || !point.isVerified) return false;
    return (documents.find(({ id }) => id === point.document)?.arguments ?? []).some((argument) => {
      if (!argument.keyPoints.includes(insight)) return false;
      let shared = 0;
      for (let unit = argument.start; unit < argument.end; unit++) {
        if (unit >= point.start && unit < point.end) shared++;
      }
      return shared / (point.end - point.start) >= 0.5 && shared >= 0.3 * (argument.end - argument.start);
    });
  };
  let [covered, f1s, precisions, recalls] = [0, 0, 0, 0];
  for (const insight of insights) {
    const bullet = bullets.find(({ rests }) => tells(rests, insight.id));
    if (bullet === undefined) continue;
    covered++;
    const cited = new Set(bullet.cites);
    const right = insight.documents.filter((id) => cited.has(id)).length;
    const precision = cited.size === 0 ? 0 : right / cited.size;
    const recall = right / insight.documents.length;
    f1s += right === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    precisions += precision;
    recalls += recall;
  }
  return {
    'labelled.coverage': (100 * covered) / insights.length,
    'labelled.citation': covered === 0 ? 0 : (100 * f1s) / covered,
    'labelled.joint': (100 * f1s) / insights.length,
    'labelled.precision': covered === 0 ? 0 : (100 * precisions) / covered,
    'labelled.recall': covered === 0 ? 0 : (100 * recalls) / covered,
  };
}

test('scores by labels are those of the rule, computed in another way', async () => {
  const template = await createDigest({ documents: CITY }, testDeps());
  const coverages = new Set<number>();
  fc.assert(
    fc.property(haystacks, said, (haystack, given) => {
      const { cases, collection } = PUBLISHED.haystack.parse(haystack)('c', () => {});
      const output = outputOfDigest(digestOf(given, template), collection.documents, null);
      const { figures: scores, over } = labelledScores(cases[0], output);
      if (cases[0].passages?.length === 0) {
        expect(scores).toEqual({});
        return;
      }
      const expected = byUnits(haystack, given);
      expect(Object.keys(scores).sort()).toEqual(Object.keys(expected).sort());
      for (const [key, value] of Object.entries(expected)) expect(scores[key], key).toBeCloseTo(value, 9);
      // Covered insights, weighted so, count as often as the rule counts them.
      const covered = (expected['labelled.coverage'] / 100) * (cases[0].insights?.length ?? 0);
      expect(over['labelled.citation']).toBeCloseTo(covered, 9);
      coverages.add(expected['labelled.coverage']);
    }),
    { numRuns: 400 },
  );
  expect(coverages.size).toBeGreaterThan(4);
});

const spot = (start: number, end: number, document = 'a') => ({ document, start, end });
const output = {
  sentences: [],
  picks: [],
  asked: null,
  given: IDS,
  figures: {},
  isPartial: false,
  draft: null,
  warnings: [],
  usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0 },
};

test.each([
  // Half of the quote, 30% of the passage: both are enough just so.
  ['half of the quote', spot(0, 10), 100],
  ['less than half of the quote', spot(0, 9), 0],
  ['30% of the passage', spot(12, 15), 100],
  ['less than 30% of the passage', spot(12, 14), 0],
  ['another document', spot(5, 15, 'b'), 0],
])('%s', (_, quote, coverage) => {
  const benchmarkCase: BenchmarkCase = {
    id: 'one',
    collection: 'c',
    insights: [{ id: 'i', text: 'It is so.' }],
    passages: [{ ...spot(5, 15), insights: ['i'] }],
  };
  const { figures: scores } = labelledScores(benchmarkCase, {
    ...output,
    sentences: [{ text: 'So.', documents: ['a'], quote }],
  });
  // No document of the insight is known.
  expect(scores).toEqual({
    'labelled.coverage': coverage,
    'labelled.citation': null,
    'labelled.joint': null,
    'labelled.precision': null,
    'labelled.recall': null,
  });
});

test('nothing is scored by labels where there are none, or no quotes are told', () => {
  const benchmarkCase: BenchmarkCase = {
    id: 'one',
    collection: 'c',
    insights: [{ id: 'i', text: 'It is so.', documents: ['a'] }],
    passages: [{ ...spot(5, 15), insights: ['i'] }, spot(20, 30)],
  };
  expect(labelledScores(benchmarkCase, { ...output, picks: null }).figures).toEqual({});
  expect(labelledScores({ ...benchmarkCase, insights: [] }, output).figures).toEqual({});
  expect(labelledScores({ ...benchmarkCase, passages: [spot(5, 15)] }, output).figures).toEqual({});
  expect(passageScores(benchmarkCase, { ...output, picks: null })).toEqual({});
  expect(passageScores({ ...benchmarkCase, passages: [{ ...spot(5, 15), insights: [] }] }, output)).toEqual({});
  // Of nothing, nothing is in a passage.
  expect(passageScores(benchmarkCase, output)).toEqual({ 'passages.precision': 0, 'passages.spread': 0 });
});

/** A meeting of turns with gaps between them, its marked stretches, and points that begin in turns. */
const meetings = fc
  .array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 12 })
  .chain((lengths) => {
    let at = 0;
    const turns = lengths.map(([gap, length]): [number, number] => {
      const start = at + gap;
      at = start + length;
      return [start, at];
    });
    const turn = fc.nat(turns.length - 1);
    return fc.record({
      turns: fc.constant(turns),
      relevant: fc.array(
        fc.tuple(turn, turn).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
        { minLength: 1, maxLength: 4 },
      ),
      chosen: fc.array(
        turn.chain((place) => fc.integer({ min: turns[place][0], max: turns[place][1] - 1 })),
        { maxLength: 12 },
      ),
      asked: fc.integer({ min: 1, max: 12 }),
    });
  });

test('scores by marked turns are those of score-meetings.mjs, told by turns', () => {
  fc.assert(
    fc.property(meetings, ({ turns, relevant, chosen, asked }) => {
      const text = 'x'.repeat(turns.at(-1)?.[1] ?? 0);
      const meeting = { id: 'm', text, turns, queries: [{ intent: 'What?', relevantTurns: relevant }] };
      const picks = chosen.map((start) => ({ document: 'm', start, end: start + 1 }));
      const { cases } = PUBLISHED.meetings.parse(meeting)('m', () => {});
      const scores = passageScores(cases[0], { ...output, picks, asked });
      const places = chosen.map((offset) => turns.findIndex(([start, end]) => offset >= start && offset < end));
      const isMarked = new Set(relevant.flatMap(([from, to]) => turns.map((_, n) => n).slice(from, to + 1)));
      const right = places.slice(0, asked).filter((place) => isMarked.has(place)).length;
      const told = relevant.filter(([from, to]) => places.some((place) => from <= place && place <= to)).length;
      expect(scores['passages.precision']).toBeCloseTo((100 * right) / asked, 9);
      expect(scores['passages.spread']).toBeCloseTo((100 * told) / relevant.length, 9);
    }),
  );
});
