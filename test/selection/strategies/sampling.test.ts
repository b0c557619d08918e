import { inverse, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { RankError } from '../../../src/selection/errors.ts';
import { drawMany, type SelectionOptions, select } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
import { kernelInput } from './inputs.ts';
import { BARE, cosines, symmetric } from './problems.ts';

const SAMPLE = { ...BARE, strategy: 'dpp-sample', size: null } as const;
const ofSize = (keyPoints: number) => ({ ...BARE, strategy: 'k-dpp', size: { keyPoints } }) as const;

/** A positive definite L with entries of any size around 1. */
function positive(seed: number, n: number): number[][] {
  const random = seeded(seed);
  const k = cosines(random, n);
  const q = k.map(() => Math.exp(0.7 * random.normal()));
  return symmetric(n, (i, j) => k[i][j] * q[i] * q[j]);
}

const plusIdentity = (l: number[][]) => new Matrix(l.map((row, i) => row.map((v, j) => (i === j ? v + 1 : v))));

/** Diagonal of L (L + I)^-1 by ml-matrix. */
const marginalsOf = (l: number[][]) => new Matrix(l).mmul(inverse(plusIdentity(l))).diagonal();

async function drawn(l: number[][], options: SelectionOptions): Promise<number[]> {
  return (await select(kernelInput(l), options, portable)).picks.map(({ item }) => item);
}

describe.each([
  ['dpp-sample', SAMPLE],
  ['k-dpp', ofSize(4)],
  ['k-dpp of an automatic size', { ...BARE, strategy: 'k-dpp', size: 'auto' }],
  ['random', { ...BARE, strategy: 'random', size: { keyPoints: 4 } }],
] as [string, SelectionOptions][])('%s', (_, options) => {
  const l = positive(1, 15);

  test('the seed decides', async () => {
    for (const seed of [0, 1, 2, 77, 2 ** 40 + 1]) {
      expect(await drawn(l, { ...options, seed })).toEqual(await drawn(l, { ...options, seed }));
    }
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    const sets = await Promise.all(seeds.map(async (seed) => `${await drawn(l, { ...options, seed })}`));
    expect(new Set(sets).size).toBeGreaterThan(20);
  });

  test('many draws: as many as asked, the same again, the first of them what one selection draws', async () => {
    for (const count of [0, 1, 2, 30]) {
      const { draws } = await drawMany(kernelInput(l), options, portable, count);
      expect(draws).toHaveLength(count);
      expect((await drawMany(kernelInput(l), options, portable, count)).draws).toEqual(draws);
      if (count > 0) expect(draws[0]).toEqual(await drawn(l, options));
    }
    const { draws } = await drawMany(kernelInput(l), options, portable, 30);
    expect(new Set(draws.map(String)).size).toBeGreaterThan(15);
    const other = await drawMany(kernelInput(l), { ...options, seed: 2 }, portable, 30);
    expect(other.draws).not.toEqual(draws);
  });
});

test('above the rank there is nothing to draw, and that is said', async () => {
  const repeated = symmetric(4, (i, j) => (i % 2 === j % 2 ? 1 : 0.25));
  expect(await drawn(repeated, ofSize(2))).toHaveLength(2);
  const refusal = select(kernelInput(repeated), ofSize(3), portable);
  await expect(refusal).rejects.toBeInstanceOf(RankError);
  await expect(refusal).rejects.toMatchObject({ code: 'above-rank', pointer: '/selection/size' });
});

describe('marginals are the diagonal of L (L + I)^-1', () => {
  test('of a positive definite kernel, and every strategy that decomposes it reports them, but k-dpp, whose own are others', async () => {
    const l = positive(5, 10);
    const expected = marginalsOf(l);
    const options: SelectionOptions[] = [
      SAMPLE,
      { ...BARE, size: 'auto' },
      { ...BARE, strategy: 'mmr', size: 'auto' },
      { ...BARE, strategy: 'dpp-map-exact', size: 'auto' },
    ];
    for (const option of options) {
      const found = await select(kernelInput(l), option, portable);
      expect(found.marginals).toHaveLength(10);
      found.marginals?.forEach((p, i) => {
        expect(p).toBeCloseTo(expected[i], 10);
      });
      expect(found.expectedSize).toBeCloseTo(
        expected.reduce((sum, p) => sum + p, 0),
        9,
      );
      expect([found.clippedMass, found.residual, found.totalVariation, found.landmarks]).toEqual([
        0,
        expect.closeTo(0, 10),
        expect.closeTo(0, 10),
        null,
      ]);
    }
    const fixed = await select(kernelInput(l), ofSize(3), portable);
    expect([fixed.marginals, fixed.expectedSize]).toEqual([
      null,
      expect.closeTo(expected.reduce((sum, p) => sum + p, 0)),
    ]);
    const draws = await drawMany(kernelInput(l), SAMPLE, portable, 2);
    expect(draws.marginals).toEqual((await select(kernelInput(l), SAMPLE, portable)).marginals);
  });

  test('of the positive semi-definite part of an indefinite one, with what was clipped', async () => {
    const { clippedMass, marginals } = await select(
      kernelInput([
        [1, 2],
        [2, 1],
      ]),
      SAMPLE,
      portable,
    );
    // Eigenvalues 3 and -1; what is left is 1.5 everywhere.
    expect(clippedMass).toBeCloseTo(0.25, 12);
    expect([...(marginals ?? [])]).toEqual([expect.closeTo(0.375, 12), expect.closeTo(0.375, 12)]);
  });
});
