import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstTwo, MARGIN, placePoints } from '../../src/page/map/layout.ts';
import { layOut } from '../../src/page/map/layout-thread.ts';
import { nearestPoint } from '../../src/page/map/plot.tsx';

const coordinate = fc.integer({ min: -1000, max: 1000 });
const layouts = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 20 })
  .map((points) => points.flat());
const sizes = fc.record({ width: fc.integer({ min: 100, max: 2000 }), height: fc.integer({ min: 100, max: 1000 }) });

describe('a layout in pixels', () => {
  test('fills its place with both axes alike, the second upwards', () => {
    fc.assert(
      fc.property(layouts, sizes, (layout, size) => {
        const pixels = placePoints(Float64Array.from(layout), size);
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
    expect([...placePoints(Float64Array.of(3, 4, 3, 4), { width: 200, height: 100 })]).toEqual([100, 50, 100, 50]);
  });
});

describe('which picture', () => {
  test('the two main directions are the first components, whatever there are', () => {
    expect([...firstTwo([[1, 2, 3], [4], []])]).toEqual([1, 2, 4, 0, 0, 0]);
  });

  test('t-SNE brings like to like, gives the same twice, and parts what is at the same place', () => {
    const points = 12;
    // Two groups far apart, along two axes; the last two points are alike.
    const vectors = Array.from({ length: points }, (_, i) => {
      const point = Math.min(i, 10);
      return [0, 1, 2].map((c) => (point % 2 === 0 ? 4 : -4) * (c === 0 ? 1 : 0) + Math.sin(7 * point + c));
    });
    const layout = layOut(vectors);
    expect(layOut(vectors)).toEqual(layout);
    const far = (i: number, j: number): number =>
      Math.hypot(layout[2 * i] - layout[2 * j], layout[2 * i + 1] - layout[2 * j + 1]);
    for (let i = 0; i < 10; i++) {
      const [nearest] = [...Array(11).keys()].filter((j) => j !== i).sort((a, b) => far(i, a) - far(i, b));
      expect(nearest % 2).toBe(i % 2);
    }
    expect(far(10, 11)).toBeGreaterThan(0);
  });
});

test('the pointer finds the nearest point within reach, and a selected one of several at one place', () => {
  const places = Float64Array.from([100, 100, 110, 100, 100, 100]);
  const points = (...selected: readonly number[]) => [0, 1, 2].map((i) => ({ selected: selected.includes(i) }));
  expect(nearestPoint(places, points(0), 101, 100)).toBe(0);
  expect(nearestPoint(places, points(), 108, 100)).toBe(1);
  expect(nearestPoint(places, points(2), 101, 100)).toBe(2);
  expect(nearestPoint(places, points(2), 100, 130)).toBeNull();
});
