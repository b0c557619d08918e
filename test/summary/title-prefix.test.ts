import { describe, expect, test } from 'vitest';
import { compose, seriesOf, titlePrefix } from '../../src/summary/index.ts';
import { inputOf } from './points.ts';

const titled = (...titles: readonly string[]) => titles.map((title, n) => ({ id: `${n}`, title }));

describe('a series', () => {
  test.each([
    [
      ['Release 4.0', 'Release 4.1', 'Release 4.2', 'Upgrade guide'],
      ['0', '1', '2', '3'],
    ],
    [
      ['Tram release notes', 'Bus release notes', 'Notes', 'Wiki', 'FAQ', 'Mail', 'Talk'],
      ['0', '1', '2'],
    ],
    [
      ['Ticket 17: no sound', 'Ticket 18: no light', 'TICKET 20'],
      ['0', '1', '2'],
    ],
    [['Bank raises offer', 'Unions fear for jobs', 'Mayor against the move', 'A third bidder'], []],
    [['Release 4.0', 'Release 4.1'], []],
    [['agency.txt', 'paper.txt', 'radio.txt', 'council.txt'], []],
    [['', '', ''], []],
  ])('%j', (titles, ids) => {
    expect([...seriesOf(titled(...titles))]).toEqual(ids);
  });
});

test.each([
  ['Minutes of  3 May', 'In “Minutes of 3 May”:'],
  ['The “old” gate', "In “The 'old' gate”:"],
  ['', null],
  ['A title that was cut off…', null],
  ['word '.repeat(20), null],
  ['notes-2020.md', 'In “notes-2020”:'],
  ['Minutes_of_3_May.txt', 'In “Minutes of 3 May”:'],
  ['Refunds at http://evil.example', null],
  ['Refunds at evil.example', null],
  ['<img src=x>', null],
  ['=SUM(A1)', null],
])('the place in %j', (title, prefix) => {
  expect(titlePrefix({ title })).toBe(prefix);
});

describe('a text', () => {
  const written = [
    { document: 'a', text: 'Patents are granted to everybody.' },
    { document: 'b', text: 'Nothing is said of patents.' },
    { document: 'b', text: 'The name may not be used.', start: 100 },
  ];
  const text = (titles: readonly string[], maxWords: number | null = null) =>
    compose(
      inputOf(written, {
        documents: ['a', 'b', 'c'].map((id, n) => ({ id, title: titles[n] })),
        format: 'bullets',
        maxWords,
      }),
    ).text;

  test('says of a series which of it each sentence is of, once where the same one goes on', () => {
    const told = text(['Licence A', 'Licence B', 'Licence C']);
    expect(told.match(/In “Licence [AB]”: (?:Patents|Nothing)/g)).toHaveLength(2);
    expect(told).not.toContain('”: The name');
  });

  test('says it of no other, and not where words are short', () => {
    expect(text(['Gate', 'Bridge', 'Wall'])).not.toContain('In “');
    expect(text(['Licence A', 'Licence B', 'Licence C'], 15)).not.toContain('In “');
  });
});

test('a source that was named does not seem to be that of the next sentence', () => {
  const documents = titled('Mail to buyers', 'Report on the gate').map((each) => ({ ...each, id: `d${each.id}` }));
  const { text } = compose(
    inputOf(
      [
        { text: 'The gate was blocked at noon.', document: 'd0', speaker: 'Bea Holm', relevance: 0.9 },
        { text: 'Some 40 Berlin buyers got no ticket.', document: 'd1', relevance: 0.5 },
      ],
      { documents },
    ),
  );
  expect(text).toBe(
    'Bea Holm: The gate was blocked at noon. [1] In “Report on the gate”: Some 40 Berlin buyers got no ticket. [2]',
  );
});

test('nor does it in a paragraph of its own', () => {
  const documents = titled('Mail to buyers', 'Report on the gate', 'Notes').map((each) => ({
    ...each,
    id: `d${each.id}`,
  }));
  const told = ['The gate was blocked.', 'The gate is of oak.', 'The gate stood open.', 'Some 40 Berlin buyers left.'];
  const written = [...told, 'Some 90 Berlin buyers left.', 'All Berlin buyers left late.'].map((text, n) => ({
    text,
    document: n < 4 ? 'd0' : 'd1',
    relevance: 0.9 - n / 10,
  }));
  const similarity = Float64Array.from({ length: 36 }, (_, at) => Number(Math.floor(at / 6) < 3 === at % 6 < 3));
  const { text } = compose(inputOf(written, { documents, similarity }));
  expect(text).toContain(
    '\n\nSome 40 Berlin buyers left. [1] In “Report on the gate”: Some 90 Berlin buyers left. [2]',
  );
});
