import { Matrix, TSNE } from '@saehrimnir/druidjs';
import type { LayoutNews, LayoutOrder } from './layout-message.ts';

const SEED = 1;
/** Standard deviation that the picture begins with, and of what keeps points of the same place from staying together. */
const SPREAD = 1e-4;
const APART = 1e-6;

/**
 * Lays points out by t-SNE (van der Maaten & Hinton 2008), from a given picture, which gives the same result for the same points
 * and keeps what lies far apart as it was (Kobak & Berens 2019).
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
  let squares = 0;
  for (const value of start) squares += value * value;
  const factor = squares === 0 ? 0 : SPREAD / Math.sqrt(squares / start.length);
  // Any sequence that does not repeat will do: multiples of the golden ratio, whole parts cut off.
  return start.map((value, i) => value * factor + APART * (((i + 1) * 0.618_033_988_75) % 1));
}

/** As much as is used here of the scope of a thread, which the types of a page do not hold. */
interface ThreadScope {
  onmessage: ((event: MessageEvent<LayoutOrder>) => void) | null;
  postMessage(news: LayoutNews, transfer: Transferable[]): void;
}

/** Milliseconds between two layouts that are told: as often as the picture can follow. */
const PAUSE = 60;

const scope = globalThis as unknown as ThreadScope;

scope.onmessage = ({ data: order }) => {
  let told = performance.now();
  for (const { iteration, layout } of layOut(order)) {
    if (iteration < order.iterations && performance.now() - told < PAUSE) continue;
    told = performance.now();
    const copy = layout.slice();
    scope.postMessage({ iteration, layout: copy }, [copy.buffer]);
  }
};
