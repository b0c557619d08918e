import { describe, expect, test } from 'vitest';
import { joinedLines, readPdf, type TextItem, textOfPages } from '../../../src/text/files/read-pdf.ts';
import { pdfOf } from '../../support/pdf-file.ts';

const NONE: ReadonlySet<string> = new Set();

describe('lines of a paragraph', () => {
  test.each([
    [['one', 'two'], 'one two'],
    [['exam-', 'ple of it'], 'example of it'],
    [['the North-', 'South line'], 'the North-South line'],
    [['soft\u00ad', 'ware'], 'software'],
    [['from 2019-', '2022'], 'from 2019-2022'],
    [['costs –', 'and more'], 'costs – and more'],
  ])('%j are joined', (lines, text) => {
    expect(joinedLines(lines, NONE)).toBe(text);
  });
});

/** Lines of a page, 12 points apart unless a gap is given, all of the same width unless they say otherwise. */
function page(
  ...lines: readonly (string | { text: string; gap?: number; x?: number; size?: number; width?: number })[]
): TextItem[] {
  let y = 800;
  return lines.map((line) => {
    const { text, gap = 12, x = 50, size = 10, width = 400 } = typeof line === 'string' ? { text: line } : line;
    y -= gap;
    return { str: text, x, y, width, fontSize: size, hasEOL: true };
  });
}

describe('the text of pages', () => {
  test('has its lines joined, and paragraphs where there are gaps', () => {
    const text = textOfPages([
      page('The charge raised', 'forty million.', { text: 'Trams were paid', gap: 24 }, 'for with it.'),
    ]);
    expect(text).toBe('The charge raised forty million.\n\nTrams were paid for with it.');
  });

  test('has headings by themselves, and items of lists', () => {
    const text = textOfPages([
      page({ text: 'A heading', size: 16 }, 'Words of the text', 'go on here.', '• one thing', '• another'),
    ]);
    expect(text).toBe('A heading\n\nWords of the text go on here.\n\n• one thing\n\n• another');
  });

  test('has paragraphs where a short last line ends one', () => {
    const text = textOfPages([
      page('A long line of text', { text: 'ends.', width: 60 }, 'Another one goes', 'on and on'),
    ]);
    expect(text).toBe('A long line of text ends.\n\nAnother one goes on and on');
  });

  test('goes on in the middle of a sentence over pages, with what stands on every page told once', () => {
    const pages = [1, 2, 3, 4].map((number) =>
      page('Report of the council', `The part ${'abcd'[number - 1]} of it goes`, `with more ${'wxyz'[number - 1]}`, {
        text: String(number),
        gap: 300,
      }),
    );
    expect(textOfPages(pages)).toBe(
      'Report of the council\n\nThe part a of it goes with more w The part b of it goes with more x The part c of it goes with more y The part d of it goes with more z',
    );
  });

  test('tells the names of chapters above their pages once', () => {
    const pages = Array.from({ length: 12 }, (_, number) =>
      page(
        `Chapter ${number < 4 ? 1 : 2}: ${number < 4 ? 'Trams' : 'Cars'} ${number}`,
        `word ${'abcdefghijkl'[number]} and`,
      ),
    );
    expect(textOfPages(pages)).toBe(
      'Chapter 1: Trams 0\n\nword a and word b and word c and word d and word e and word f and word g and word h and word i and word j and word k and word l and\n\nChapter 2: Cars 4',
    );
  });

  test('keeps pages that are all the same', () => {
    const pages = [1, 2, 3].map(() => page({ text: 'Sign here.', width: 60 }, { text: 'And here.', width: 60 }));
    expect(textOfPages(pages).match(/Sign here/g)).toHaveLength(3);
    expect(textOfPages([...pages, page('Other words.')]).match(/And here/g)).toHaveLength(3);
  });

  test('puts runs of a line together, with spaces where there is space', () => {
    const run = (str: string, x: number, width: number): TextItem => ({
      str,
      x,
      y: 10,
      width,
      fontSize: 10,
      hasEOL: false,
    });
    expect(textOfPages([[run('fi', 0, 10), run('rst', 10, 15), run('second', 30, 30)]])).toBe('first second');
    expect(textOfPages([[run('\ufb01nd', 0, 10)]])).toBe('find');
  });
});

test('a PDF is read, from a part of a buffer too', async () => {
  const bytes = pdfOf([
    [
      'The council reports that the congestion charge raised forty mil-',
      'lion euros in its first year, and that trams were paid for with it',
      'at the end of the',
    ],
    ['second year.'],
  ]);
  const text =
    'The council reports that the congestion charge raised forty million euros in its first year, and that trams were paid for with it at the end of the second year.';
  expect(await readPdf(Buffer.from(bytes))).toBe(text);
});

test.each([
  ['pages', Array.from({ length: 10_001 }, () => [])],
  ['characters', Array.from({ length: 2000 }, () => Array.from({ length: 65 }, () => 'a'.repeat(99)))],
])('a PDF of too many %s is refused', async (_, pages) => {
  await expect(readPdf(pdfOf(pages))).rejects.toThrow('It has more than 10,000 pages, or too much text; split it.');
});
