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

export interface CacheLimits {
  readonly bytes: number;
  readonly idleMilliseconds: number;
}

export const CACHE_LIMITS: CacheLimits = { bytes: 256 * 1024 * 1024, idleMilliseconds: 10 * 60 * 1000 };

interface Held {
  readonly laid: LaidStatements;
  readonly bytes: number;
  readonly memory: ReturnType<typeof boundedMemory>;
  usedAt: number;
}

/** Caches statements and their similarities between selections, which stay bit-identical to those without the cache (LRU). */
export function selectionCache(
  { bytes: most, idleMilliseconds }: CacheLimits,
  now: () => number = () => performance.now(),
) {
  const all = new Map<string, Held>();

  function layDown(items: SelectionItems, { kernel }: SelectionOptions): Held {
    const bytes = bytesFor(items);
    return { laid: layOut(items, kernel.similarity), bytes, memory: boundedMemory(most / 2), usedAt: now() };
  }

  function evict(): void {
    let total = 0;
    for (const [key, { usedAt, bytes }] of [...all].reverse()) {
      total += bytes;
      if (total > most || now() - usedAt > idleMilliseconds) all.delete(key);
    }
  }

  return {
    /** Null if the statements are neither cached nor given. */
    async select({ key, settings, options, items }: CachedCall, product: MatrixProduct): Promise<Selection | null> {
      evict();
      const held = all.get(key) ?? (items === null ? undefined : layDown(items, options));
      if (held === undefined) return null;
      held.usedAt = now();
      all.delete(key);
      all.set(key, held);
      try {
        return await runLaidSelection(held.laid, settings, options, product, held.memory);
      } finally {
        held.usedAt = now();
        evict();
      }
    },
  };
}

/** Similarity tables: S, cosines, contexts, coverage, and three for agreement. */
const TABLES = 7;

/** Bytes of statements and of all that may be kept of them, at most. */
function bytesFor({ source, context, hashes }: SelectionItems): number {
  if (source.kind !== 'statements') return Number.POSITIVE_INFINITY;
  const n = hashes.length;
  const tokens = source.statements.reduce((sum, each) => sum + 4 * each.tokens.length, 0);
  const vectors = n * (source.statements[0]?.sentence.byteLength ?? 0) * (context === null ? 1 : 2);
  return tokens + vectors + TABLES * 4 * n * (n <= ALL_ITEMS_LIMIT ? n : LANDMARKS);
}

export function fitsCache(items: SelectionItems, { bytes }: CacheLimits): boolean {
  return bytesFor(items) <= bytes / 2;
}
