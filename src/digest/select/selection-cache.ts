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
  type SelectionSettings,
  type SelectionTask,
} from './selection-task.ts';

/** One selection among statements that may be held from an earlier one. */
export interface CachedCall {
  /** Names the statements, who they belong to, and everything else that their similarities depend on. */
  readonly key: string;
  readonly settings: SelectionSettings;
  readonly options: SelectionOptions;
  /** The statements; null where they are hoped to be held. */
  readonly task: SelectionTask | null;
}

interface SelectionCache {
  /** Selects; null where the statements are neither held nor given. */
  select(call: CachedCall, product: MatrixProduct): Promise<Selection | null>;
  /** What is held now. */
  readonly bytes: number;
}

export interface CacheLimits {
  /** Bytes of all that is held between selections. */
  readonly bytes: number;
  /** After which statements that nobody selects among are let go. */
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
 * Holds statements, and what was found of their similarities, between selections, the least recently used no longer than
 * there is room. What is selected is the same, to the last bit, as where nothing is held.
 *
 * @param now milliseconds on any clock
 */
export function selectionCache(
  { bytes: most, idleMilliseconds }: CacheLimits,
  now: () => number = () => performance.now(),
): SelectionCache {
  /** The least recently used first. */
  const all = new Map<string, Held>();
  const total = (): number =>
    [...all.values()].reduce((sum, { laidBytes, memory }) => sum + laidBytes + memory.bytes, 0);

  function take({ key, task, options }: CachedCall): Held | undefined {
    const held = all.get(key) ?? (task === null ? undefined : layDown(task, options, most / 2));
    if (held === undefined) return undefined;
    held.usedAt = now();
    all.delete(key);
    all.set(key, held);
    return held;
  }

  function letGo(): void {
    for (const [key, { usedAt }] of all) if (now() - usedAt > idleMilliseconds) all.delete(key);
    for (const key of all.keys()) {
      if (total() <= most) return;
      all.delete(key);
    }
  }

  return {
    async select(call, product) {
      letGo();
      const held = take(call);
      if (held === undefined) return null;
      try {
        return await runLaidSelection(held.laid, call.settings, call.options, product, held.memory);
      } finally {
        held.usedAt = now();
        letGo();
      }
    },
    get bytes() {
      return total();
    },
  };

  function layDown(task: SelectionTask, { kernel }: SelectionOptions, room: number): Held {
    const laid = layOut(task, kernel.similarity);
    const laidBytes = bytesOf(laid);
    return { laid, laidBytes, memory: boundedMemory(room - laidBytes), usedAt: now() };
  }
}

/** Whether the statements of a task may be held, with what a selection finds of their similarities. */
export function fitsCache({ source, context, hashes }: SelectionTask, { bytes }: CacheLimits): boolean {
  if (source.kind !== 'statements') return false;
  const n = hashes.length;
  const tokens = source.statements.reduce((sum, each) => sum + 4 * each.tokens.length, 0); // laid out as Float32
  const vectors = n * (source.statements[0]?.sentence.byteLength ?? 0) * (context === null ? 1 : 2);
  const table = 4 * n * (n <= ALL_ITEMS_LIMIT ? n : LANDMARKS);
  return tokens + vectors + TABLES * table <= bytes / 2;
}

/** S, cosines, contexts, coverage, and three of the agreement. */
const TABLES = 7;

/** Of a token vector: as it was given, and where a backend has no products of eight bits, as a Float32. */
const BYTES_OF_COMPONENT = 5;

function bytesOf({ sentences, texts, tokens, context, hashes }: LaidStatements): number {
  const vectors = [...sentences, ...(context ?? [])].reduce((sum, { byteLength }) => sum + byteLength, 0);
  const strings = [...texts, ...hashes].reduce((sum, { length }) => sum + 2 * length, 0);
  const tokenBytes = tokens === null ? 0 : BYTES_OF_COMPONENT * tokens.tokenIds.length * tokens.dimensions;
  return vectors + strings + tokenBytes + (tokens === null ? 0 : 2 * tokens.tokenIds.byteLength);
}
