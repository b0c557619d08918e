import { expectedSize } from '../dpp/expected-size.ts';
import type { Size } from './options.ts';

/** Most items of an eigendecomposition here: 0.06 s. */
const PROBE = 150;
/** Log quality beyond which an eigenvalue counts as 1 anyway; larger ones would drown the rest in rounding. */
const MOST = 10;

interface SizeInput {
  readonly quality: Float64Array;
  readonly kernelRow: (i: number) => Promise<ArrayLike<number>>;
  readonly words: Int32Array;
  readonly maxWords: number | null;
}

interface ResolvedSize {
  readonly limit: number;
  readonly fits: (item: number, picked: readonly number[]) => boolean;
  readonly expectedSize: number | null;
}

/**
 * Turns a size into a limit and a word budget. `auto` is the expected size of the DPP, bounded by what `maxWords` holds.
 *
 * The expected size is read off the principal submatrix of the PROBE items of highest quality: eigenvalues of a principal
 * submatrix interlace those of L, so it is a lower bound, and exact up to PROBE items.
 */
export async function automaticSize(size: Size, input: SizeInput): Promise<ResolvedSize> {
  const { words, maxWords } = input;
  const within =
    (budget: number) =>
    (item: number, picked: readonly number[]): boolean =>
      picked.length === 0 || picked.reduce((sum, i) => sum + words[i], words[item]) <= budget;
  if (size !== 'auto') {
    return 'keyPoints' in size
      ? { limit: size.keyPoints, fits: () => true, expectedSize: null }
      : { limit: Infinity, fits: within(size.words), expectedSize: null };
  }
  const expected = await expectedSizeOfBest(input);
  return {
    limit: Math.max(1, Math.round(expected)),
    fits: maxWords === null ? () => true : within(maxWords),
    expectedSize: expected,
  };
}

async function expectedSizeOfBest({ quality, kernelRow }: SizeInput): Promise<number> {
  const best = Array.from(quality, (_, i) => i)
    .sort((a, b) => quality[b] - quality[a] || a - b)
    .slice(0, PROBE);
  const rows: number[][] = [];
  for (const i of best) {
    const row = await kernelRow(i);
    rows.push(best.map((j) => row[j] * Math.exp(Math.min(quality[i], MOST) + Math.min(quality[j], MOST))));
  }
  return expectedSize(rows);
}
