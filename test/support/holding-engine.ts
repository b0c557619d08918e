import type { Engine } from '../../src/digest/index.ts';
import { type CacheLimits, selectionCache } from '../../src/digest/select/selection-cache.ts';
import type { SelectionItems } from '../../src/digest/select/selection-task.ts';
import { portable } from '../../src/models/index.ts';
import type { Selection } from '../../src/selection/index.ts';
import { InProcessEngine } from './in-process-engine.ts';

/** An engine that holds what selections among the points of a digest found. */
export class HoldingEngine extends InProcessEngine {
  /** Keys of the calls whose statements were not held. */
  readonly read: string[] = [];
  readonly #held;

  constructor(limits: CacheLimits = { bytes: 64 * 1024 * 1024, idleMilliseconds: 60_000 }) {
    super();
    this.#held = selectionCache(limits);
  }

  async selectCached(
    call: Parameters<NonNullable<Engine['selectCached']>>[0],
    read: () => Promise<SelectionItems>,
  ): Promise<Selection> {
    const known = await this.#held.select({ ...call, items: null }, portable);
    if (known !== null) return known;
    this.read.push(call.key);
    const made = await this.#held.select({ ...call, items: await read() }, portable);
    if (made === null) throw new Error('nothing was made of the items');
    return made;
  }
}
