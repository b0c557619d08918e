import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assemble } from '../../../scripts/assemble.ts';
import { tileMaxima } from '../../../src/selection/kernel/tile-maxima.ts';
import { TILE_MAXIMA } from '../../../src/selection/kernel/tile-maxima-wasm.ts';
import { seeded } from './random.ts';

test('the bytes are those of the text', async () => {
  expect(Buffer.from(TILE_MAXIMA, 'base64').equals(Buffer.from(await assemble('tile-maxima')))).toBe(true);
});

const lengths = fc.array(fc.nat(9), { minLength: 1, maxLength: 12 });

test('WebAssembly and JavaScript find the same maxima, those of plain loops', () => {
  fc.assert(
    fc.property(lengths, lengths, fc.nat(1000), (left, right, seed) => {
      const [leftEnds, ends] = [left, right].map((each) => endsOf(each));
      const width = ends[right.length];
      const random = seeded(seed);
      const products = Float32Array.from({ length: leftEnds[left.length] * width }, () => 2 * random.next() - 1);
      const made = copied(tileMaxima(products, leftEnds, ends));
      expect(made).toEqual(copied(tileMaxima(products, leftEnds, ends, null)));
      const span = (all: Int32Array, i: number) => Array.from({ length: all[i + 1] - all[i] }, (_, k) => all[i] + k);
      left.forEach((_, i) => {
        for (const t of span(leftEnds, i)) {
          right.forEach((_, j) => {
            const expected = Math.max(-2, ...span(ends, j).map((c) => products[t * width + c]));
            expect(made.rows[t * right.length + j]).toBe(expected);
          });
        }
        for (let c = 0; c < width; c++) {
          const expected = Math.max(-2, ...span(leftEnds, i).map((t) => products[t * width + c]));
          expect(made.columns[i * width + c]).toBe(expected);
        }
      });
    }),
    { numRuns: 100 },
  );
});

test('a tile after a larger and a smaller one is read by itself', () => {
  const tile = (rows: number, columns: number, value: number) =>
    copied(tileMaxima(new Float32Array(rows * columns).fill(value), endsOf([rows]), endsOf([columns])));
  for (const [rows, columns, value] of [
    [600, 1024, 0.5],
    [1, 1, 0.25],
    [2048, 512, -0.5],
  ]) {
    const { rows: perRow, columns: perColumn } = tile(rows, columns, value);
    expect([perRow.length, perColumn.length]).toEqual([rows, columns]);
    expect(new Set([...perRow, ...perColumn])).toEqual(new Set([value]));
  }
});

function endsOf(each: readonly number[]): Int32Array {
  const ends = new Int32Array(each.length + 1);
  each.forEach((length, i) => {
    ends[i + 1] = ends[i] + length;
  });
  return ends;
}

function copied({ rows, columns }: { rows: Float32Array; columns: Float32Array }) {
  return { rows: rows.slice(), columns: columns.slice() };
}
