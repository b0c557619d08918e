import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Span } from '../../src/client/index.ts';
import { blocksOf, piecesOf } from '../../src/page/reading/source-text.tsx';

const sliced = (text: string, spans: readonly Span[]) => spans.map(({ start, end }) => text.slice(start, end));

/** Texts with what breaks lines, and what is more than one code unit. */
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc.constantFrom('\r\n', '\n', '\r', '👩‍👩‍👧', 'e\u0301', '. ', 'word '.repeat(300)),
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join('').repeat(3));

describe('blocks', () => {
  test('joined are the text, none is empty, and a million characters are hundreds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const blocks = sliced(text, blocksOf(text));
        expect(blocks.join('')).toBe(text);
        expect(blocks.every((block) => block !== '')).toBe(true);
      }),
      { numRuns: 60 },
    );
    const long = 'A line of the minutes.\n'.repeat(43_500);
    expect(blocksOf(long).length).toBeLessThan(600);
    expect(sliced(long, blocksOf(long)).every((block) => block.endsWith('\n'))).toBe(true);
  });

  test('end after line breaks, which are not cut; in lines without an end after sentences, words or characters', () => {
    const blocks = (text: string) => sliced(text, blocksOf(text));
    for (const length of [1999, 5999]) {
      const line = `${'x'.repeat(length)}\r\n`;
      expect(blocks(`${line}${'y'.repeat(3000)}`)[0]).toBe(line);
    }
    expect(blocks('One of many. '.repeat(1000)).every((block) => block.endsWith('. '))).toBe(true);
    expect(blocks('word '.repeat(3000)).every((block) => block.endsWith(' '))).toBe(true);
    for (const unit of ['😀', 'e\u0301', '👩‍👩‍👧']) {
      for (const before of ['', 'x', 'xx']) {
        const [, ...others] = blocks(before + unit.repeat(7000));
        expect(others.length).toBeGreaterThan(0);
        expect(others.every((block) => block.startsWith(unit))).toBe(true);
      }
    }
  });
});

describe('marks', () => {
  test('joined are the block, and the picked ones are the quote, over any blocks and quotes', () => {
    const span = fc.tuple(fc.nat(80), fc.nat(80)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));
    fc.assert(
      fc.property(
        span,
        fc.array(span, { maxLength: 6 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 80 })),
        (picked, others, cuts) => {
          const text = Array.from({ length: 81 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
          const borders = [0, ...cuts.sort((a, b) => a - b), 81];
          const blocks = borders.slice(1).map((end, index) => ({ start: borders[index] ?? 0, end }));
          const pieces = blocks.flatMap((block) => piecesOf(block, picked, others));
          expect(sliced(text, pieces).join('')).toBe(text);
          const of = (kind: string) =>
            sliced(
              text,
              pieces.filter((piece) => piece.kind === kind),
            ).join('');
          expect(of('picked')).toBe(text.slice(picked.start, picked.end));
          const isOther = (at: number) =>
            others.some(({ start, end }) => at >= start && at < end) && !(at >= picked.start && at < picked.end);
          expect(of('other')).toBe([...text].filter((_, at) => isOther(at)).join(''));
        },
      ),
    );
  });

  test('one mark is made of a quote within a block, whatever overlaps it', () => {
    const pieces = piecesOf({ start: 0, end: 50 }, { start: 10, end: 20 }, [
      { start: 5, end: 15 },
      { start: 10, end: 20 },
      { start: 12, end: 30 },
    ]);
    expect(pieces.map(({ start, end, kind }) => [start, end, kind])).toEqual([
      [0, 5, 'plain'],
      [5, 10, 'other'],
      [10, 20, 'picked'],
      [20, 30, 'other'],
      [30, 50, 'plain'],
    ]);
  });
});
