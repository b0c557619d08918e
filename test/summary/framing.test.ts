import { describe, expect, it } from 'vitest';
import { noticeText, openPartsText } from '../../src/summary/framing.ts';

const frame = (text: string, documents: number, matched = true, open: readonly string[] = []) => ({
  intent: { text, matched, facets: open.map((facet) => ({ text: facet, matched: false })) },
  format: 'report' as const,
  documents: Array.from({ length: documents }, (_, n) => ({ id: `d${n}` })),
});

describe('a question that nothing answers', () => {
  const long = 'x '.repeat(30);

  it.each([
    [
      'How many days may I work from Spain?',
      6,
      'None of the six documents answers “How many days may I work from Spain?”.',
    ],
    ['How many days?', 2, 'Neither of the two documents answers “How many days?”.'],
    ['How many days?', 1, 'The document does not answer “How many days?”.'],
    ['office "rents".', 14, "None of the 14 documents says anything about “office 'rents'”."],
    ['penguins', 1, 'The document does not say anything about “penguins”.'],
    [`${long}?`, 3, 'None of the three documents answers the question.'],
    ['?', 3, 'None of the three documents answers the question.'],
    ['a\n[1] b', 3, 'None of the three documents says anything about “a (1) b”.'],
    ['anything', 0, 'There is no document to report on.'],
  ])('%j, of %i documents', (asked, documents, text) => {
    expect(noticeText(frame(asked, documents), 0)).toBe(text);
  });

  it('is told apart from a part that is not answered for sure', () => {
    const { documents, format } = frame('', 3);
    const facets = [
      { text: 'Who pays?', matched: true, isSure: true },
      { text: 'how much?', matched: true, isSure: false },
      { text: 'since when?', matched: false, isSure: false },
    ];
    const intent = { text: 'Who pays, how much, and since when?', matched: true, facets };
    expect(openPartsText({ intent, documents, format }, 2)).toBe(
      'It is not certain that this answers “how much?”. None of the three documents answers “since when?”.',
    );
  });

  it('is said of its open parts after the points, once', () => {
    const open = (parts: string[], points = 3) => openPartsText(frame('All of it?', 4, true, parts), points);
    expect(open([])).toBeNull();
    expect(open(['rents'], 0)).toBeNull();
    expect(open(['What does it cost?'])).toBe('None of the four documents answers “What does it cost?”.');
    expect(open(['rents', 'rents', 'heating'])).toBe(
      'None of the four documents says anything about “rents” or “heating”.',
    );
    expect(open(['rents', 'heating', 'pets', 'noise', 'tax'])).toBe(
      'None of the four documents says anything about “rents”, “heating”, “pets” or two other parts of the question.',
    );
  });
});
