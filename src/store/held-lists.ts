import { chunks, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';

type Lists = Map<string, Float32Array>;

const held = new WeakMap<Database['query'], { readonly lists: Lists; bytes: number }>();

/** Lists read together. */
const CHUNK = 32;

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
  const own = held.get(query) ?? { lists: new Map(), bytes: 0 };
  held.set(query, own);
  const found: Lists = new Map();
  const nameOf = (key: string): string => `${dayOf(now())} ${tenant} ${encoder} ${key}`;
  const hold = (key: string, list: Float32Array): void => {
    found.set(key, list);
    const name = nameOf(key);
    if (!own.lists.delete(name)) own.bytes += list.byteLength;
    own.lists.set(name, list);
  };
  const missing: string[] = [];
  for (const key of new Set(keys)) {
    const list = own.lists.get(nameOf(key));
    if (list === undefined) missing.push(key);
    else hold(key, list);
  }
  for (const chunk of chunks(missing, CHUNK)) {
    const lists = await read(chunk);
    const length = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
    // One for all: what is read together is forgotten together.
    const shared = new Float32Array(sharedBytes(Float32Array.BYTES_PER_ELEMENT * length));
    let end = 0;
    for (const [key, list] of lists) {
      shared.set(list, end);
      hold(key, shared.subarray(end, end + list.length));
      end += list.length;
    }
    await nextTurn();
  }
  for (const [name, list] of own.lists) {
    if (own.bytes <= heldBytes) break;
    own.lists.delete(name);
    own.bytes -= list.byteLength;
  }
  return found;
}

/** Workers may have no shared memory. */
function sharedBytes(length: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(length) : new SharedArrayBuffer(length);
}
