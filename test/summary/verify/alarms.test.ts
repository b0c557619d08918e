import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Passage, unsupportedNames, unsupportedNumbers } from '../../../src/summary/index.ts';
import { alarmsOf, doubtfulOf, textsOf } from '../../../src/summary/verify/judge-twice.ts';
import { PAIRS } from './pairs.ts';
import { SIMAV } from './passages.ts';

describe('alarms', () => {
  it.each<[string, readonly string[]]>([
    ['The quake hit Simav on 20 May 2011 at 11:15 p.m.', []],
    ['On Friday Ana Lopez said that two died in Turkey.', []],
    ['The quake hit Simav at 10:15 p.m.', ['10:15']],
    ['The quake hit Ankara.', ['Ankara']],
  ])('are the numbers and names that stand nowhere: %s', (text, expected) => {
    expect(alarmsOf({ text, passages: [SIMAV] })).toEqual(expected);
  });
});

describe('doubtful claims', () => {
  const passages = PAIRS.map(({ quotes: [text] }): Passage => ({ document: 'd', quotes: [{ text }] }));
  const claims = fc.array(
    fc.record({
      text: fc.constantFrom(...PAIRS.map(({ sentence }) => sentence)),
      passages: fc.uniqueArray(fc.constantFrom(...passages, SIMAV), { maxLength: 4 }),
    }),
    { maxLength: 6 },
  );

  it('are those accepted that have alarms, and alarms are what no text of the passages holds', () => {
    fc.assert(
      fc.property(claims, fc.infiniteStream(fc.boolean()), (some, accepts) => {
        const found = some.map(() => ({ supported: accepts.next().value === true, wrong: '', idle: [] }));
        const expected = some.flatMap((claim, c) => {
          const quotes = claim.passages.flatMap(textsOf);
          const words = [...unsupportedNumbers(claim.text, quotes), ...unsupportedNames({ text: claim.text, quotes })];
          const doubted = [...new Set(words)];
          return found[c].supported && doubted.length > 0 ? [[c, { ...claim, doubted }] as const] : [];
        });
        expect([...doubtfulOf(some, found)]).toEqual(expected);
      }),
    );
  });
});
