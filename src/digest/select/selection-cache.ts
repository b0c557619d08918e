import type { MatrixProduct } from '../../models/index.ts';
import {
  ALL_ITEMS_LIMIT,
  boundedMemory,
  LANDMARKS,
  type Selection,
  type SelectionOptions,
} from '../../selection/index.ts';
import {
  type LaidStatements,
  layOut,
  runLaidSelection,
  type SelectionItems,
  type SelectionSettings,
} from './selection-task.ts';

export interface CachedCall {
  /** Identifies the statements, their owner, and everything that their similarities depend on. */
  readonly key: string;
  readonly settings: SelectionSettings;
  readonly options: SelectionOptions;
  /** Null to use cached statements only. */
  readonly items: SelectionItems | null;
}

interface SelectionCache {
  /** Null if the statements are neither cached nor given. */
  select(call: CachedCall, product: MatrixProduct): Promise<Selection | null>;
  readonly bytes: number;
}

export interface CacheLimits {
  readonly bytes: number;
  readonly idleMilliseconds: number;
}

export const CACHE_LIMITS: CacheLimits = { bytes: 256 * 1024 * 1024, idleMilliseconds: 10 * 60 * 1000 };

interface Held {
  readonly laid: LaidStatements;
  readonly laidBytes: number;
  readonly memory: ReturnType<typeof boundedMemory>;
  usedAt: number;
}

/**
 * Caches statements and their similarities between selections, with LRU eviction. Selections are bit-identical to those without the cache.
 *
 * @param now milliseconds on any clock
 */
export function selectionCache(
  { bytes: most, idleMilliseconds }: CacheLimits,
  now: () => number = () => performance.now(),
): SelectionCache {
  const all = new Map<string, Held>();
  const total = (): number =>
    [...all.values()].reduce((sum, { laidBytes, memory }) => sum + laidBytes + memory.bytes, 0);

  function layDown(items: SelectionItems, { kernel }: SelectionOptions): Held {
    const laid = layOut(items, kernel.similarity);
    const laidBytes = bytesOf(laid);
    return { laid, laidBytes, memory: boundedMemory(most / 2 - laidBytes), usedAt: now() };
  }

  function take({ key, items, options }: CachedCall): Held | undefined {
    const held = all.get(key) ?? (items === null ? undefined : layDown(items, options));
    if (held === undefined) return undefined;
    held.usedAt = now();
    all.delete(key);
    all.set(key, held);
    return held;
  }

  function evict(): void {
    for (const [key, { usedAt }] of all) if (now() - usedAt > idleMilliseconds) all.delete(key);
    for (const key of all.keys()) {
      if (total() <= most) return;
      all.delete(key);
    }
  }

  return {
    async select(call, product) {
      evict();
      const held = take(call);
      if (held === undefined) return null;
      try {
        return await runLaidSelection(held.laid, call.settings, call.options, product, held.memory);
      } finally {
        held.usedAt = now();
        evict();
      }
    },
    get bytes() {
      return total();
    },
  };
}

/** Similarity tables: S, cosines, contexts, coverage, and three for agreement. */
const TABLES = 7;

export function fitsCache({ source, context, hashes }: SelectionItems, { bytes }: CacheLimits): boolean {
  if (source.kind !== 'statements') return false;
  const n = hashes.length;
  const tokens = source.statements.reduce((sum, each) => sum + each.tokens.length, 0);
  const vectors = n * (source.statements[0]?.sentence.byteLength ?? 0) * (context === null ? 1 : 2);
  const table = 4 * n * (n <= ALL_ITEMS_LIMIT ? n : LANDMARKS);
  return tokens + vectors + TABLES * table <= bytes / 2;
}

function bytesOf({ sentences, texts, tokens, context, hashes }: LaidStatements): number {
  const vectors = [...sentences, ...(context ?? [])].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const strings = [...texts, ...hashes].reduce((sum, { length }) => sum + 2 * length, 0);
  const tokenBytes = tokens === null ? 0 : tokens.tokens.byteLength;
  return vectors + strings + tokenBytes + (tokens === null ? 0 : 2 * tokens.tokenIds.byteLength);
}
