import { describe, expect, test } from 'vitest';
import { ModelCallError } from '../../../src/models/index.ts';
import { holdPoints, parseDraft } from '../../../src/summary/index.ts';
import { isQuoted } from '../../../src/summary/verify/hold-points.ts';
import { alarmsOf, type Claim, type Judge } from '../../../src/summary/verify/judge-twice.ts';
import { inputOf } from '../points.ts';
import { SIMAV } from './passages.ts';

const ana = { document: 'd', quotes: [{ text: 'Costs are up.' }], speaker: 'Ana' };
const bob = { document: 'd', quotes: [{ text: 'We will close the plant. Soon.' }], speaker: 'Bob' };

test('a wording is that of passages only where each of them has it, under its own speaker', () => {
  expect(isQuoted('Bob: We will close the plant.', [bob])).toBe(true);
  expect(isQuoted('We will close the plant.', [bob])).toBe(true);
  expect(isQuoted('Ana: We will close the plant.', [bob])).toBe(false);
  expect(isQuoted('Ana: We will close the plant.', [ana, bob])).toBe(false);
  expect(isQuoted('We will close the plant.', [ana, bob])).toBe(false);
  expect(isQuoted('We will close', [bob])).toBe(false);
});

test.each([
  ['Fares [of 2019] rose.', 'Fares (of 2019) rose.'],
  ['Fares [5b] rose | in May.', 'Fares (5b) rose in May.'],
  ['Run `npm` now.', "Run 'npm' now."],
])('%j is verbatim as a draft shows it, without marks: %j', (text, shown) => {
  const [{ text: read }] = parseDraft(`${text} [1]`);
  expect(read).toBe(shown);
  expect(isQuoted(read, [{ document: 'd', quotes: [{ text }] }])).toBe(true);
});

test.each<[string, readonly string[]]>([
  ['The quake hit Simav on 20 May 2011 at 11:15 p.m.', []],
  ['On Friday Ana Lopez said that two died in Turkey.', []],
  ['The quake hit Simav at 10:15 p.m.', ['10:15']],
  ['The quake hit Ankara.', ['Ankara']],
])('alarms are the numbers and names that stand nowhere: %s', (text, expected) => {
  expect(alarmsOf({ text, passages: [SIMAV] })).toEqual(expected);
});

describe('worded points', () => {
  const QUOTE = 'Rents rose by a tenth.';
  const HONEST = 'By a tenth rents rose.';
  const ALARMING = 'Rents rose by 10 percent in Simav.';
  const LIE = 'Rents fell.';
  const input = inputOf([HONEST, ALARMING, LIE, QUOTE].map((text) => ({ text, document: 'd1' })));
  const quote = { text: QUOTE, start: 0, end: QUOTE.length };
  const points = input.points.map((point) => ({ ...point, quote, isWorded: true }));

  async function held(judge: (claim: Claim, call: number) => boolean | ModelCallError) {
    const calls: (readonly Claim[])[] = [];
    const judging: Judge = async (claims) => {
      calls.push(claims);
      return claims.map((claim) => {
        const supported = judge(claim, calls.length);
        if (typeof supported !== 'boolean') throw supported;
        return { supported, wrong: '', idle: [] };
      });
    };
    const done = await holdPoints(points, input.documents, { mode: 'judge', judge: judging });
    return { calls, stands: done.points.map(({ text, verification }) => `${verification}: ${text}`), ...done };
  }

  test('are judged once more where what was accepted holds a number or a name that stands nowhere', async () => {
    const trusting = await held(({ text, doubted = [] }) => text !== LIE && doubted.length === 0);
    expect(trusting.calls.map((claims) => claims.map(({ text, doubted }) => [text, doubted]))).toEqual([
      [HONEST, ALARMING, LIE].map((text) => [text, undefined]),
      [[ALARMING, ['10 percent', 'Simav']]],
    ]);
    const quoted = `verbatim: ${QUOTE}`;
    expect(trusting.stands).toEqual([`judged: ${HONEST}`, quoted, quoted, quoted]);
    const sure = await held(() => true);
    expect(sure.calls).toHaveLength(2);
    expect(sure.stands).toEqual([`judged: ${HONEST}`, `judged: ${ALARMING}`, `judged: ${LIE}`, quoted]);
  });

  test('stand as far as they were held before a second call failed', async () => {
    const failure = new ModelCallError('server', 'down');
    const { stands, failure: told } = await held(({ text }, call) => (call > 1 ? failure : text !== LIE));
    const quoted = `verbatim: ${QUOTE}`;
    expect(stands).toEqual([`judged: ${HONEST}`, quoted, quoted, quoted]);
    expect(told).toBe(failure);
  });
});
