import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  firstTwo,
  layoutOrder,
  MARGIN,
  othersAt,
  placePoints,
  shareOfTwo,
  whyNoTsne,
} from '../../src/page/map/layout.ts';
import { layOut } from '../../src/page/map/layout-thread.ts';
import { insideRegion, stepByKey } from '../../src/page/map/plot.tsx';
import { relevanceShares } from '../../src/page/map/points.ts';

const coordinate = fc.integer({ min: -1000, max: 1000 });
const layouts = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 20 })
  .map((points) => points.flat());
const sizes = fc.record({ width: fc.integer({ min: 100, max: 2000 }), height: fc.integer({ min: 100, max: 1000 }) });

describe('a layout in pixels', () => {
  test('fills its place with both axes alike, the second upwards', () => {
    fc.assert(
      fc.property(layouts, sizes, (layout, size) => {
        const pixels = placePoints(layout, size);
        for (let i = 0; i < pixels.length; i += 2) {
          expect(pixels[i]).toBeGreaterThanOrEqual(MARGIN - 1e-6);
          expect(pixels[i]).toBeLessThanOrEqual(size.width - MARGIN + 1e-6);
          expect(pixels[i + 1]).toBeGreaterThanOrEqual(MARGIN - 1e-6);
          expect(pixels[i + 1]).toBeLessThanOrEqual(size.height - MARGIN + 1e-6);
        }
        const distance = (values: ArrayLike<number>, axis: 0 | 1) => values[axis] - values[layout.length - 2 + axis];
        // The same scale on both axes.
        expect(distance(pixels, 0) * distance(layout, 1)).toBeCloseTo(-distance(pixels, 1) * distance(layout, 0), 3);
      }),
      { numRuns: 50 },
    );
  });

  test('is in the middle where all points are at one place', () => {
    expect([...placePoints([3, 4, 3, 4], { width: 200, height: 100 })]).toEqual([100, 50, 100, 50]);
  });

  test('is as large as those fit that are to be seen', () => {
    const layout = [0, 0, 1, 1, 100, -50];
    const pixels = placePoints(layout, { width: 300, height: 300 }, [0, 1]);
    expect(Array.from(pixels.subarray(0, 4), Math.round)).toEqual([MARGIN, 300 - MARGIN, 300 - MARGIN, MARGIN]);
    expect(pixels[4]).toBeGreaterThan(300);
    expect(placePoints(layout, { width: 300, height: 300 }, [0, 1, 2])).toEqual(
      placePoints(layout, { width: 300, height: 300 }),
    );
  });
});

describe('which picture', () => {
  test('is t-SNE between few points and many', () => {
    expect([3, 4, 2500, 2501].map((n) => whyNoTsne(n) === null)).toEqual([false, true, true, false]);
    const perplexity = (points: number) => layoutOrder(Array.from({ length: points }, () => [0, 0])).perplexity;
    expect([4, 31, 1600].map(perplexity)).toEqual([1, 10, 30]);
  });

  test('the two main directions are the first components, whatever there are', () => {
    expect([...firstTwo([[1, 2, 3], [4], []])]).toEqual([1, 2, 4, 0, 0, 0]);
    expect(shareOfTwo([[1, 1, 1, 1]])).toBe(0.5);
    expect(shareOfTwo([[0, 0, 0]])).toBe(1);
  });

  test('t-SNE brings like to like, gives the same twice, and parts what is at the same place', () => {
    const points = 12;
    // Two groups far apart, along two axes; the last two points are alike.
    const vectors = Float64Array.from({ length: points * 3 }, (_, i) => {
      const [point, c] = [Math.min(Math.floor(i / 3), 10), i % 3];
      return (point % 2 === 0 ? 4 : -4) * (c === 0 ? 1 : 0) + Math.sin(7 * point + c);
    });
    const start = Float64Array.from({ length: 2 * points }, (_, i) => vectors[3 * Math.floor(i / 2) + (i % 2)]);
    const order = { vectors, points, start, perplexity: 11 / 3, iterations: 300 };
    const last = () => [...layOut(order)].at(-1);
    const found = last();
    expect(found?.iteration).toBe(300);
    expect(last()).toEqual(found);
    const layout = found?.layout ?? new Float64Array();
    const far = (i: number, j: number): number =>
      Math.hypot(layout[2 * i] - layout[2 * j], layout[2 * i + 1] - layout[2 * j + 1]);
    for (let i = 0; i < 10; i++) {
      const [nearest] = [...Array(11).keys()].filter((j) => j !== i).sort((a, b) => far(i, a) - far(i, b));
      expect(nearest % 2).toBe(i % 2);
    }
    expect(far(10, 11)).toBeGreaterThan(0);
  });
});

describe('from point to point', () => {
  // A cross with its middle, and one far to the right and a little up.
  const cross = [200, 200, 210, 200, 190, 200, 200, 210, 200, 190, 300, 170];

  const ANYWHERE = { width: 1e6, height: 1e6 };
  const step = (key: string, from: number | null, picks: readonly number[] = [], within = ANYWHERE) =>
    stepByKey(key, from, cross, picks, within);

  test('an arrow goes to the nearest ahead that is visible', () => {
    expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => step(key, 0))).toEqual([1, 2, 3, 4]);
    expect([step('ArrowRight', 1), step('ArrowRight', 5)]).toEqual([5, null]);
    expect(step('ArrowRight', 1, [], { width: 250, height: 250 })).toBeNull();
    // A point ahead comes before a nearer one that lies more aside.
    expect(stepByKey('ArrowRight', 0, [200, 200, 210, 230, 300, 200], [], ANYWHERE)).toBe(2);
  });

  test('something is found wherever anything is ahead', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const pixels = placePoints(layout, { width: 600, height: 400 });
        const ahead = [...Array(pixels.length / 2).keys()].filter((i) => pixels[2 * i] - pixels[0] > 1e-6);
        const found = stepByKey('ArrowRight', 0, pixels, [], { width: 600, height: 400 });
        if (ahead.length === 0) expect(found).toBeNull();
        else expect(ahead).toContain(found);
      }),
      { numRuns: 50 },
    );
  });

  test('other keys go by rank', () => {
    const picks = [4, 2, 5];
    expect([step('Home', 0, picks), step('End', 0, picks), step('ArrowUp', null, picks)]).toEqual([4, 5, 4]);
    expect(step('PageDown', 4, picks)).toBe(2);
    expect(step('PageDown', 5, picks)).toBeNull();
    expect([step('PageUp', 2, picks), step('PageUp', 4, picks), step('PageDown', 0, picks)]).toEqual([4, null, 4]);
    expect([step('a', 0), step('End', null)]).toEqual([undefined, 5]);
    expect(stepByKey('Home', null, [], [], ANYWHERE)).toBeNull();
  });
});

test('a region holds what is on its edges, and nothing beyond', () => {
  expect(
    insideRegion(
      [0, 0, 10, 10, 10, 11, -1, 5],
      [
        [0, 0],
        [10, 10],
      ],
    ),
  ).toEqual([0, 1]);
});

test('others at a place are those that lie exactly there', () => {
  expect([0, 1, 3].map((place) => othersAt([1, 2, 3, 4, 1, 2, 1, 3], place))).toEqual([1, 0, 0]);
});

test('shares of relevance go from the least to the most relevant, ties alike', () => {
  const shares = (values: readonly number[]) => relevanceShares(values, values);
  expect(shares([0.2, 0.9, 0.5, 0.5, 0.1])).toEqual([0.25, 1, 0.625, 0.625, 0]);
  expect([shares([1, 1, 1]), shares([])]).toEqual([[1, 1, 1], []]);
});
