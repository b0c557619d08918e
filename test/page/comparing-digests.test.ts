import { describe, expect, test } from 'vitest';
import { DIGEST } from '../../src/contract/index.ts';
import { type Comparable, compareDigests } from '../../src/page/comparing/marks.ts';

type KeyPoint = Comparable['keyPoints'][number];
type Sentence = Comparable['summary']['sentences'][number];

/** A point that stands at the start of a document, and joined another where that is named. */
function point(id: string, document: string, text: string, supports: string | null = null): KeyPoint {
  const quote = { text, start: 0, end: text.length, status: 'exact' } as const;
  return { ...DIGEST.keyPoints[0], id, document, text, quote, selected: supports === null, supports };
}

const A = point('a', 'council', 'The charge is 4 euros.');
const B = point('b', 'shops', 'The charge would be 4 euros.');
const C = point('c', 'tram', 'A second line opens in 2029.');
const D = point('d', 'meeting', 'Buses run every ten minutes.');

const joins = (one: KeyPoint, other: KeyPoint): KeyPoint => ({ ...one, selected: false, supports: other.id });

function sentence(...keyPoints: readonly string[]): Sentence {
  const framing = keyPoints.length === 0;
  return { text: keyPoints.join(), framing, keyPoints, citations: [], support: null };
}

const digest = (keyPoints: readonly KeyPoint[], ...sentences: readonly Sentence[]): Comparable => ({
  keyPoints,
  summary: { sentences },
});

const marksOf = ({ marks }: ReturnType<typeof compareDigests>['left']) =>
  marks.map((mark) => mark ?? 'none').join(', ');

describe('points of two digests', () => {
  const cases: [string, Comparable, Comparable, string, string][] = [
    [
      'with one id are the same, wherever they stand',
      digest([A, C], sentence('a'), sentence('c')),
      digest([A, D], sentence('d'), sentence(), sentence('a')),
      'both, here',
      'here, none, both',
    ],
    [
      'that other extractors found are the same by their quotes',
      digest([A], sentence('a')),
      digest([{ ...A, id: 'other', text: 'It costs 4 euros.' }], sentence('other')),
      'both',
      'both',
    ],
    [
      'in the same words of different documents are not the same',
      digest([A], sentence('a')),
      digest([point('x', 'elsewhere', A.quote.text)], sentence('x')),
      'here',
      'here',
    ],
    [
      'that joined what the other side picked are related',
      digest([A, joins(B, A)], sentence('a', 'b')),
      digest([B, joins(A, B)], sentence('b', 'a')),
      'similar',
      'similar',
    ],
    [
      'that share only what joined both are related, and may say the opposite',
      digest([A, joins(B, A)], sentence('a', 'b')),
      digest([C, joins(B, C)], sentence('c', 'b')),
      'similar',
      'similar',
    ],
    [
      'of a sentence with several may be there in part',
      digest([A, C, joins(B, A)], sentence('a', 'c', 'b')),
      digest([B, D], sentence('b'), sentence('d')),
      'similar',
      'similar, here',
    ],
    [
      'keep to their own: what joined one pick of a sentence says nothing of its neighbour',
      digest([A, C, joins(B, A)], sentence('a', 'c', 'b')),
      digest([B, C], sentence('b'), sentence('c')),
      'similar',
      'similar, both',
    ],
    ['of nothing are none', digest([]), digest([A], sentence('a')), '', 'here'],
  ];

  test.each(cases)('%s', (_, left, right, ofLeft, ofRight) => {
    const compared = compareDigests(left, right);
    expect([compared.left, compared.right].map(marksOf)).toEqual([ofLeft, ofRight]);
    // Seen from the other side it is the same.
    expect(compareDigests(right, left)).toEqual({ left: compared.right, right: compared.left });
  });

  test('are counted once, however many sentences state them', () => {
    const { left, right } = compareDigests(
      digest([A, C, D], sentence('a'), sentence('a', 'c'), sentence('d')),
      digest([A, joins(C, A)], sentence('a', 'c')),
    );
    expect(left).toMatchObject({ points: 3, shared: 1 });
    expect(right).toMatchObject({ points: 1, shared: 1 });
    const joined = compareDigests(digest([A, joins(B, A)], sentence('a'), sentence('b')), digest([A], sentence('a')));
    expect(joined.left).toMatchObject({ points: 1, shared: 1 });
  });
});
