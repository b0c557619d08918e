import { layOut } from './lay-out.ts';
import type { LayoutNews, LayoutOrder } from './layout-message.ts';

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
