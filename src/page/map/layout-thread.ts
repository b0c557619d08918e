import { Matrix, TSNE } from '@saehrimnir/druidjs';
import type { LayoutNews, LayoutOrder } from './layout.ts';

const SEED = 1;
/** Standard deviation of the initial layout, and size of the jitter between coincident points. */
const SPREAD = 1e-4;
const JITTER = 1e-6;

/**
 * Lays points out by t-SNE (van der Maaten & Hinton 2008), starting from a given layout, which makes it deterministic and keeps the
 * global structure (Kobak & Berens 2019).
 *
 * @returns the layout after each iteration, in memory that the next one overwrites
 */
export function* layOut({ vectors, points, start, perplexity, iterations }: LayoutOrder): Generator<LayoutNews> {
  const dimensions = vectors.length / points;
  const data = new Matrix(points, dimensions, (row, column) => vectors[row * dimensions + column]);
  const tsne = new TSNE(data, { perplexity, d: 2, seed: SEED });
  tsne.Y.values.set(smallStart(start));
  let iteration = 0;
  for (const { values } of tsne.generator(iterations)) yield { iteration: ++iteration, layout: values };
}

function smallStart(start: Float64Array): Float64Array {
  const squares = start.reduce((sum, value) => sum + value * value, 0);
  const factor = squares === 0 ? 0 : SPREAD / Math.sqrt(squares / start.length);
  // Multiples of the golden ratio, modulo 1, never repeat.
  return start.map((value, i) => value * factor + JITTER * (((i + 1) * 0.618_033_988_75) % 1));
}

/** The part of a worker's scope used here; the types of a page lack it. */
interface ThreadScope {
  onmessage: ((event: MessageEvent<LayoutOrder>) => void) | null;
  postMessage(news: LayoutNews, transfer: Transferable[]): void;
}

/** Milliseconds between sent layouts. */
const PAUSE = 60;

const scope = globalThis as unknown as ThreadScope;

scope.onmessage = ({ data: order }) => {
  let sent = performance.now();
  for (const { iteration, layout } of layOut(order)) {
    if (iteration < order.iterations && performance.now() - sent < PAUSE) continue;
    sent = performance.now();
    const copy = layout.slice();
    scope.postMessage({ iteration, layout: copy }, [copy.buffer]);
  }
};
