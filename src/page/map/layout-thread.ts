import { Matrix, TSNE } from '@saehrimnir/druidjs';
import { firstTwo, type Vectors } from './layout.ts';

const SEED = 1;
const ITERATIONS = 500;
const MAX_NEIGHBOURS = 30;
/** Standard deviation of the initial layout, and size of the jitter between coincident points. */
const SPREAD = 1e-4;
const JITTER = 1e-6;

/**
 * Lays points out by t-SNE (van der Maaten & Hinton 2008), starting from their first two components, which makes it deterministic
 * and keeps the global structure (Kobak & Berens 2019).
 *
 * @returns x and y, point after point
 */
export function layOut(vectors: Vectors): Float64Array {
  const perplexity = Math.max(1, Math.min(MAX_NEIGHBOURS, (vectors.length - 1) / 3));
  const data = new Matrix(vectors.length, vectors[0].length, (row, column) => vectors[row][column]);
  const tsne = new TSNE(data, { perplexity, d: 2, seed: SEED });
  tsne.Y.values.set(smallStart(firstTwo(vectors)));
  for (const _ of tsne.generator(ITERATIONS));
  return tsne.Y.values.slice();
}

function smallStart(start: Float64Array): Float64Array {
  const squares = start.reduce((sum, value) => sum + value * value, 0);
  const factor = squares === 0 ? 0 : SPREAD / Math.sqrt(squares / start.length);
  // Multiples of the golden ratio, modulo 1, never repeat.
  return start.map((value, i) => value * factor + JITTER * (((i + 1) * 0.618_033_988_75) % 1));
}

globalThis.onmessage = ({ data }: MessageEvent<Vectors>) => postMessage(layOut(data));
