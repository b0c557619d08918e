import fc from 'fast-check';
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { type Projection, principalComponents } from '../../../src/selection/index.ts';
import { furthest, normals, type Random, seeded, unitVectors } from './random.ts';

/** Normal vectors whose spread falls off from component to component, turned by reflections. */
function falling(random: Random, n: number, d: number, falloff: number): Float32Array[] {
  const mirrors = unitVectors(random, 3, d);
  return Array.from({ length: n }, () => {
    const vector = normals(random, d).map((value, c) => value * (c + 1) ** -falloff);
    return mirrors.reduce(mirrored, vector);
  });
}

function mirrored(vector: Float32Array, mirror: Float32Array): Float32Array {
  const along = vector.reduce((sum, value, c) => sum + value * mirror[c], 0);
  return vector.map((value, c) => value - 2 * along * mirror[c]);
}

/** The eigenvalues of the scatter matrix by ml-matrix, the largest first, and coordinates along its eigenvectors. */
function whole(vectors: readonly Float32Array[]) {
  const rows = new Matrix(vectors.map((vector) => [...vector])).center('column');
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(rows.transpose().mmul(rows), {
    assumeSymmetric: true,
  });
  const coordinates = rows.mmul(eigenvectorMatrix);
  const last = rows.columns - 1;
  return { values: realEigenvalues.toReversed(), along: (c: number) => coordinates.getColumn(last - c) };
}

function column({ coordinates, dimensions }: Projection, c: number): Float32Array {
  return coordinates.filter((_, k) => k % dimensions === c);
}

const squares = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value * value, 0);

/** Holds what was found to all eigenvectors: each variance, and each direction that is apart from its neighbours. */
function expectComponents(vectors: readonly Float32Array[], dimensions: number): void {
  const found = principalComponents(vectors, dimensions);
  const { values, along: alongOf } = whole(vectors);
  const total = values.reduce((sum, value) => sum + value, 0);
  expect(found.dimensions).toBe(Math.min(dimensions, vectors.length - 1, vectors[0].length));
  const kept = values.slice(0, found.dimensions);
  expect(found.explained).toBeCloseTo(kept.reduce((sum, value) => sum + value, 0) / total, 6);
  kept.forEach((value, c) => {
    const own = column(found, c);
    expect(squares(own) / total).toBeCloseTo(value / total, 6);
    const gap = Math.min(value - (values[c + 1] ?? 0), (values[c - 1] ?? Number.POSITIVE_INFINITY) - value);
    if (gap < 0.05 * value) return;
    const along = alongOf(c);
    const sign = Math.sign(along.reduce((sum, each, i) => sum + each * own[i], 0));
    const apart = along.map((each, i) => sign * each - own[i]);
    expect(Math.sqrt(squares(apart) / value)).toBeLessThan(2e-3);
  });
}

const cases = fc.record({
  n: fc.integer({ min: 2, max: 60 }),
  d: fc.integer({ min: 1, max: 60 }),
  dimensions: fc.integer({ min: 1, max: 50 }),
  falloff: fc.double({ min: 0, max: 1.5, noNaN: true }),
  seed: fc.integer(),
});

describe('as by the eigenvectors of ml-matrix', () => {
  test('of few vectors or components', () => {
    fc.assert(
      fc.property(cases, ({ n, d, dimensions, falloff, seed }) => {
        expectComponents(falling(seeded(seed), n, d, falloff), dimensions);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [400, 200, 32, 0.5],
    [300, 160, 2, 0.1],
    [150, 200, 20, 0.8],
    [220, 180, 50, 0],
    [200, 150, 8, 2],
  ])('of many: %i of %i components, %i dimensions, falloff %f', (n, d, dimensions, falloff) => {
    expectComponents(falling(seeded(7), n, d, falloff), dimensions);
  });
});

test.each([
  [30, 12],
  [12, 30],
  [180, 150],
  [140, 170],
])('the order of %i vectors of %i components does not matter, to the bit', (n, d) => {
  const random = seeded(n);
  const made = falling(random, n, d, 0.4);
  // Ties in every direction.
  const vectors = [...made, ...made.slice(0, 5), ...made.slice(0, 5).map((vector) => vector.map((value) => -value))];
  const found = principalComponents(vectors, 6);
  const order = random.permutation(vectors.length);
  const shuffled = principalComponents(
    order.map((i) => vectors[i]),
    6,
  );
  expect(shuffled.explained).toBe(found.explained);
  order.forEach((vector, place) => {
    const at = (projection: Projection, i: number) => projection.coordinates.slice(i * 6, (i + 1) * 6);
    expect(at(shuffled, place)).toEqual(at(found, vector));
  });
  expect(principalComponents(vectors, 6)).toEqual(found);
});

test('the largest component of each direction is positive', () => {
  const vectors = [
    [0, 0, 3],
    [0, 0, -3],
    [-1, 0.5, 0],
    [1, -0.5, 0],
  ].map((each) => Float32Array.from(each));
  const { coordinates, dimensions, explained } = principalComponents(vectors, 2);
  const long = Math.sqrt(1.25);
  expect([dimensions, explained]).toEqual([2, 1]);
  const expected = [3, 0, -3, 0, 0, -long, 0, long];
  expect(furthest(coordinates, expected)).toBeLessThan(1e-6);
});

describe('where there is little to tell apart', () => {
  const nothing = { dimensions: 0, coordinates: new Float32Array(0), explained: 1 };
  const one = Float32Array.from({ length: 384 }, (_, c) => Math.sin(c));
  test.each([
    ['no vectors', []],
    ['one', [one]],
    ['one, many times', Array.from({ length: 1000 }, () => one.slice())],
    ['vectors without components', [new Float32Array(0), new Float32Array(0)]],
    ['zeros', Array.from({ length: 200 }, () => new Float32Array(150))],
  ])('%s have no directions', (_, vectors) => {
    expect(principalComponents(vectors, 32)).toEqual(nothing);
  });
});
