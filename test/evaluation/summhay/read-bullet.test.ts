import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBullet } from '../../../src/evaluation/index.ts';
import { citedNames, stripMarkers } from '../../../src/evaluation/marked-text.ts';
import { findMarkers } from '../../../src/text/index.ts';

const NONE: ReadonlySet<string> = new Set();
const KNOWN: ReadonlySet<string> = new Set(['d1', 'd2', 'doc-a', 'doc-b', 'Smith, 2020', '2024-1', '007', '1', '2']);

describe('readBullet', () => {
  test.each([
    ['Fares rose [1, 2].', 'Fares rose.', ['1', '2']],
    ['Fares rose [1][2].', 'Fares rose.', ['1', '2']],
    ['Fares rose [1, 2][3]', 'Fares rose', ['1', '2', '3']],
    ['Fares rose [1; 2], [3].', 'Fares rose.', ['1', '2', '3']],
    ['Fares rose [3-5].', 'Fares rose.', ['3', '4', '5']],
    ['Fares rose [3–4, 9].', 'Fares rose.', ['3', '4', '9']],
    ['Fares rose [2, 2][02].', 'Fares rose.', ['2']],
    ['Fares [1] rose [2].', 'Fares rose.', ['1', '2']],
    ['Fares[1]rose', 'Fares rose', ['1']],
    ['Fares rose ([4]), and fell.', 'Fares rose, and fell.', ['4']],
    ['费用上涨【1】。', '费用上涨。', ['1']],
    ['- Fares   rose\n  again [1]', 'Fares rose again', ['1']],
    ['12. Fares rose', 'Fares rose', []],
    ['• (3) Fares rose', 'Fares rose', []],
    ['-5 degrees at night', '-5 degrees at night', []],
    ['2024. A year', '2024. A year', []],
    ['He "recieved [sic]" it [a] []', 'He "recieved [sic]" it [a] []', []],
    ['Open [1', 'Open [1', []],
    ['[5-3] [1-5000] [-1] [1.5]', '[5-3] [1-5000] [-1] [1.5]', []],
    ['- [1]', '', ['1']],
    ['  ', '', []],
  ])('reads %j', (bullet, text, documents) => {
    expect(readBullet(bullet, NONE)).toEqual({ text, documents });
  });

  test.each([
    ['Fares rose [d1].', 'Fares rose.', ['d1']],
    ['Fares rose [doc-a, doc-b] [sic].', 'Fares rose [sic].', ['doc-a', 'doc-b']],
    ['Fares rose [Smith, 2020].', 'Fares rose.', ['Smith, 2020']],
    ['Fares rose [2024-1].', 'Fares rose.', ['2024-1']],
    ['Fares rose [d1, 2024-1, 007].', 'Fares rose.', ['d1', '2024-1', '007']],
    ['Fares rose [d1, 7][99].', 'Fares rose.', ['d1', '7', '99']],
    ['Fares rose [d1, d9].', 'Fares rose.', ['d1', 'd9']],
    ['Fares rose [d9].', 'Fares rose [d9].', []],
    ['Fares rose [d1, see also].', 'Fares rose [d1, see also].', []],
  ])('tells ids that are known from other brackets: %j', (bullet, text, documents) => {
    expect(readBullet(bullet, KNOWN)).toEqual({ text, documents });
  });

  test('takes what is given beside a bullet as it stands', () => {
    expect(readBullet({ text: '- Fares rose [1]', documents: ['b', 'a', 'b'] }, NONE)).toEqual({
      text: '- Fares rose [1]',
      documents: ['b', 'a'],
    });
  });

  test('reads long rows of brackets in linear time', () => {
    const start = performance.now();
    for (const piece of ['[', '[1', '[1][', ' [1]', '([1])', '- '])
      readBullet(piece.repeat(100_000 / piece.length), NONE);
    expect(performance.now() - start).toBeLessThan(3000);
  });

  test('finds whatever markers are put anywhere between words', () => {
    const marker = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 4 });
    const written = fc.tuple(fc.array(marker, { maxLength: 3 }), fc.constantFrom(', ', ',', '; '));
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), (groups) => {
        const bullet = groups
          .map(
            ([markers, separator], place) =>
              `word${place} ${markers.map((ids) => `[${ids.join(separator)}]`).join('')}`,
          )
          .join(' ');
        expect(readBullet(bullet, NONE)).toEqual({
          text: groups.map((_, place) => `word${place}`).join(' '),
          documents: [...new Set(groups.flatMap(([markers]) => markers.flat().map(String)))],
        });
      }),
    );
  });
});

describe('stripMarkers', () => {
  test('restores a piece with the markers in it, and one that is none of it not at all', () => {
    const { text, restore } = stripMarkers('Fares [1] rose by 2 euros [2][3], they say[4]again.', NONE);
    expect(text).toBe('Fares rose by 2 euros, they say again.');
    expect(restore('Fares rose')).toBe('Fares [1] rose');
    expect(restore('2 euros, they')).toBe('2 euros [2][3], they');
    expect(restore('say again.')).toBe('say[4]again.');
    expect(restore('rose by 2 euros')).toBe('rose by 2 euros');
    expect(restore('fell')).toBe('fell');
  });

  test('leaves a text without markers alone, and restores pieces as they stand in the original', () => {
    fc.assert(
      fc.property(fc.string(), (plain) => {
        fc.pre(findMarkers(plain, NONE).length === 0);
        expect(stripMarkers(plain, NONE).text).toBe(plain);
      }),
    );
    const parts = fc.array(fc.constantFrom('a', 'b ', ' [1]', '[2, 3]', '. ', ' ', '(', ')', '\n'), { maxLength: 20 });
    fc.assert(
      fc.property(parts, fc.nat(), fc.nat(), (pieces, from, length) => {
        const original = pieces.join('');
        const { text, restore } = stripMarkers(original, NONE);
        expect(findMarkers(text, NONE)).toEqual([]);
        const piece = text.slice(from % (text.length + 1)).slice(0, length);
        const restored = restore(piece);
        expect(original).toContain(restored);
        if (piece.trim() === piece) expect(letters(restored)).toBe(letters(piece));
      }),
    );
  });
});

function letters(text: string): string {
  return text.replace(/[^ab.]/g, '');
}

test.each([
  ['Traffic fell [d1].', ['d1']],
  ['Traffic fell [Smith 2020; Jones, p. 4]. Fares rose [council].', ['Smith 2020', 'Jones', 'p. 4', 'council']],
  ['Traffic fell [d1][d2] (again).', ['d1', 'd2']],
  ['Traffic fell [d1]', ['d1']],
  ['He said he was "shure [sic]".', []],
  ['They clapped [applause].', []],
  ['The [new] tram and the [old] bus run.', []],
  ['Nothing [].', []],
])('the names that a text cites: %s', (text, expected) => {
  expect([...citedNames(text)]).toEqual(expected);
});
