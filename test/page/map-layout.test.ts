import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstTwo, perplexityOf, shareOfTwo, whyNoTsne } from '../../src/page/map/choose-layout.ts';
import { fitLayout, MARGIN, placePoints } from '../../src/page/map/fit-layout.ts';
import { insideRegion, othersAt } from '../../src/page/map/inside-region.ts';
import { layOut } from '../../src/page/map/layout-thread.ts';
import { relevanceShares } from '../../src/page/map/scene.ts';
import { sigmaAt, stepOf } from '../../src/page/map/sigma-scale.ts';
import { nearestInDirection, stepByKey } from '../../src/page/map/step-by-key.ts';
import { approach } from '../../src/page/map/use-drawing.ts';

const coordinate = fc.double({ min: -1e3, max: 1e3, noNaN: true });
const layouts = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 20 })
  .map((points) => points.flat());
const sizes = fc.record({ width: fc.integer({ min: 100, max: 2000 }), height: fc.integer({ min: 100, max: 1000 }) });

describe('a layout in pixels', () => {
  test('fills its place with both axes alike, the second upwards', () => {
    fc.assert(
      fc.property(layouts, sizes, (layout, size) => {
        const { x, y } = fitLayout(layout, size);
        const pixels = placePoints(layout, size);
        for (let i = 0; i < pixels.length; i += 2) {
          expect(pixels[i]).toBeGreaterThanOrEqual(MARGIN - 1e-6);
          expect(pixels[i]).toBeLessThanOrEqual(size.width - MARGIN + 1e-6);
          expect(pixels[i + 1]).toBeGreaterThanOrEqual(MARGIN - 1e-6);
          expect(pixels[i + 1]).toBeLessThanOrEqual(size.height - MARGIN + 1e-6);
        }
        const unit = x(1) - x(0);
        expect(unit).toBeGreaterThan(0);
        expect((y(0) - y(1)) / unit).toBeCloseTo(1, 6);
      }),
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

  test('is approached until it is reached', () => {
    const pixels = Float64Array.of(0, 0, 100, 50);
    const target = Float64Array.of(40, 0, 100, 10);
    let frames = 1;
    while (!approach(pixels, target)) frames++;
    expect(pixels).toEqual(target);
    expect(frames).toBeGreaterThan(5);
    expect(frames).toBeLessThan(40);
  });
});

describe('which picture', () => {
  test('is t-SNE between few points and many', () => {
    expect([3, 4, 2500, 2501].map((n) => whyNoTsne(n) === null)).toEqual([false, true, true, false]);
    expect([4, 31, 1600].map(perplexityOf)).toEqual([1, 10, 30]);
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
    const order = { vectors, points, start, perplexity: perplexityOf(points), iterations: 300 };
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
  const cross = [0, 0, 10, 0, -10, 0, 0, 10, 0, -10, 100, -30];

  test('an arrow goes to the nearest ahead', () => {
    expect(nearestInDirection(cross, 0, 'ArrowRight')).toBe(1);
    expect(nearestInDirection(cross, 0, 'ArrowLeft')).toBe(2);
    expect(nearestInDirection(cross, 0, 'ArrowDown')).toBe(3);
    expect(nearestInDirection(cross, 0, 'ArrowUp')).toBe(4);
    expect(nearestInDirection(cross, 1, 'ArrowRight')).toBe(5);
    expect(nearestInDirection(cross, 5, 'ArrowRight')).toBeNull();
    const size = { width: 50, height: 50 };
    expect(nearestInDirection(cross, 1, 'ArrowRight', size)).toBeNull();
    expect(nearestInDirection(cross, 0, 'ArrowRight', size)).toBe(1);
  });

  test('whatever goes ahead is ahead, and something is found where anything is', () => {
    fc.assert(
      fc.property(layouts, fc.constantFrom('ArrowLeft', 'ArrowRight'), (pixels, arrow) => {
        const sign = arrow === 'ArrowRight' ? 1 : -1;
        const ahead = [...Array(pixels.length / 2).keys()].filter((i) => sign * (pixels[2 * i] - pixels[0]) > 1e-6);
        const found = nearestInDirection(pixels, 0, arrow);
        if (ahead.length === 0) expect(found).toBeNull();
        else expect(ahead).toContain(found);
      }),
    );
  });

  test('other keys go by rank', () => {
    const picks = [4, 2, 5];
    const step = (key: string, from: number | null) => stepByKey(key, from, cross, picks);
    expect([step('Home', 0), step('End', 0), step('ArrowUp', null)]).toEqual([4, 5, 4]);
    expect([step('PageDown', 4), step('PageDown', 5), step('PageUp', 2), step('PageDown', 0)]).toEqual([2, null, 4, 4]);
    expect(step('a', 0)).toBeUndefined();
    expect(stepByKey('End', null, cross, [])).toBe(5);
    expect(stepByKey('Home', null, [], [])).toBeNull();
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
  expect([...relevanceShares([0.2, 0.9, 0.5, 0.5, 0.1])]).toEqual([0.25, 1, 0.625, 0.625, 0]);
  expect([...relevanceShares([1, 1, 1])]).toEqual([1, 1, 1]);
  expect([...relevanceShares([])]).toEqual([]);
});

test('every step of sigma is found again', () => {
  expect([sigmaAt(0), sigmaAt(100), stepOf(0.001), stepOf(50)]).toEqual([0.05, 10, 0, 100]);
  for (let step = 0; step <= 100; step++) expect(Math.abs(stepOf(sigmaAt(step)) - step)).toBeLessThanOrEqual(1);
});
