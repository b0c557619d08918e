import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCALES } from '../../../src/contract/index.ts';
import type { AnnotationItem } from '../../../src/lab/people/items.ts';
import { labelSheet, labelsOfSheet } from '../../../src/lab/people/label-sheet.ts';
import { type Decision, FIELDS } from '../../../src/lab/people/labels.ts';

const BY = { annotator: 'ada', at: '2026-01-01T00:00:00.000Z' };
const read = (text: string, items: readonly AnnotationItem[]) => labelsOfSheet({ path: 'a.csv', text }, items, BY);

function item(id: string, text: string, more: Partial<AnnotationItem> = {}): AnnotationItem {
  const document = { id: 'd', text };
  const about = { case: 'c', query: null, document, spans: [], kind: 'claim', score: null } as const;
  return { id, ...about, statement: text, fields: ['entailed'], ...more };
}

const hostile = fc.array(fc.constantFrom(...'=+-@",;\t\n\r\' é\u{1F600}\uFEFF1')).map((parts) => parts.join(''));

test('what is decided comes back from a sheet of hostile texts, line by line, as annotators’ programs may save it', () => {
  const given = fc.array(fc.tuple(hostile, hostile, fc.nat(), fc.subarray([...FIELDS], { minLength: 1 })), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(given, fc.constantFrom(',', ';', '\t'), (rows, mark) => {
      const items = rows.map(([text, query, , fields], place) => item(`hash${place}`, text, { query, fields }));
      const decided = rows.flatMap(([, , pick, fields], place) =>
        // Some are not decided yet.
        fields.slice(pick % 2).map((field): Decision => {
          const scale = SCALES[field];
          return { item: `hash${place}`, field, value: scale[pick % scale.length], ...BY };
        }),
      );
      const sheet = labelSheet(items, decided);
      expect(read(sheet, items)).toEqual({ labels: decided, problems: [] });
      // Saved with other separators, fewer columns in another order, and a byte order mark.
      const lines = [['answer', 'field', 'item'], ...decided.map((each) => [each.value, each.field, each.item])];
      const saved = `\uFEFF${lines.map((line) => line.map((cell) => `"${cell}"`).join(mark)).join('\n')}`;
      expect(read(saved, items).labels).toEqual(decided);
    }),
  );
});

test('a line shows the passage, or else the text, and no cell is run as a formula', () => {
  const text = '=HYPERLINK("http://x")';
  const [heads, one, two] = labelSheet(
    [
      item('a', text),
      item('b', `The tram opened. ${'x'.repeat(40_000)}`, {
        spans: [
          { start: 0, end: 8 },
          { start: 9, end: 15 },
        ],
      }),
    ],
    [],
  ).split('\r\n');
  expect(heads).toBe('item,kind,question asked,text,statement,field,answers,answer');
  expect(one).toBe('a,claim,,"\'=HYPERLINK(""http://x"")","\'=HYPERLINK(""http://x"")",entailed,no / yes,');
  expect(two.split(',')[3]).toBe('The tram […] opened');
  // A cell of a spreadsheet holds 32,767 characters.
  const [, , , whole] = labelSheet([item('c', 'y'.repeat(40_000))], [])
    .split('\r\n')[1]
    .split(',');
  expect(whole).toHaveLength(30_000);
});

test('what is no item, field or answer is named, all of them; missing columns too; empty answers are skipped', () => {
  const items = [item('a', 'One.')];
  const lines = [
    'item,field,answer',
    'a,entailed, yes ',
    'b,entailed,yes',
    'a,rating,5',
    'a,entailed,maybe',
    'b,rating,',
    'a,,yes',
  ];
  const { labels, problems } = read(lines.join('\n'), items);
  expect(labels).toEqual([{ item: 'a', field: 'entailed', value: 'yes', ...BY }]);
  expect(problems.map(({ where, pointer }) => `${where} ${pointer}`)).toEqual([
    'a.csv item "b", entailed /item',
    'a.csv item "a", rating /field',
    'a.csv item "a", entailed /answer',
    'a.csv item "a",  /field',
  ]);
  expect(problems[2].detail).toBe('must be no or yes');
  for (const heads of ['item,field', 'field,answer', 'item,answer', '']) {
    const [problem] = read(`${heads}\na,yes`, items).problems;
    expect(problem).toMatchObject({ where: 'a.csv', detail: expect.stringContaining('item, field and answer') });
    expect(read(`${heads}\na,yes`, items).labels).toEqual([]);
  }
});
