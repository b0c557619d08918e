import { chunks, nextTurn, recentlyUsed } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';

type Lists = Map<string, Float32Array>;

const held = new WeakMap<Database['query'], ReturnType<typeof recentlyUsed<Float32Array>>>();

/** Lists read together, each of up to 1 MB: D1 answers with numbers, which take some seven times as much. */
const CHUNK = 8;

/**
 * Lists of vectors, of which the last used stay in memory that threads share, for the day: what is under a key never changes.
 *
 * @param read those that are not in memory
 */
export async function heldLists(
  { query, tenant, now, heldBytes = 0 }: Database,
  encoder: string,
  keys: readonly string[],
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>,
): Promise<Lists> {
  const own = held.get(query) ?? recentlyUsed<Float32Array>(heldBytes, ({ byteLength }) => byteLength);
  held.set(query, own);
  const found: Lists = new Map();
  const nameOf = (key: string): string => `${dayOf(now())} ${tenant} ${encoder} ${key}`;
  // Shared only if held: V8 does not count what an isolate shares, so that its limit would not be seen.
  const Bytes = heldBytes > 0 ? SharedArrayBuffer : ArrayBuffer;
  const missing: string[] = [];
  for (const key of new Set(keys)) {
    const list = own.get(nameOf(key));
    if (list === undefined) missing.push(key);
    else found.set(key, list);
  }
  for (const chunk of chunks(missing, CHUNK)) {
    const lists = await read(chunk);
    const length = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
    // One buffer for all that is read together, which stays until the last of it is forgotten.
    const shared = new Float32Array(new Bytes(Float32Array.BYTES_PER_ELEMENT * length));
    let end = 0;
    for (const [key, list] of lists) {
      shared.set(list, end);
      const copy = shared.subarray(end, end + list.length);
      found.set(key, copy);
      own.keep(nameOf(key), copy);
      end += list.length;
    }
    await nextTurn();
  }
  return found;
}
