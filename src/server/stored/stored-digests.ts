import type { Digest } from '../../contract/index.ts';
import {
  autoSizeOf,
  type GivenItems,
  type KeptDigests,
  type StoredPoints,
  type StoredRequest,
  storedPoints,
  summaryOf,
} from '../../digest/index.ts';
import type { AutoSize } from '../../selection/index.ts';
import { type Database, readDigest, readDigestRequest } from '../../store/index.ts';
import { DigestNotFoundError } from '../errors.ts';

interface Held {
  readonly answer: string;
  readonly items: GivenItems;
  readonly at: number;
}

/** Maximum total characters of the answers whose points are cached, with their word counts and language. */
const MAX = 16_000_000;

/** Milliseconds after which unused points are dropped. */
const IDLE = 600_000;

/** Cached points by tenant and digest, the least recently used first. */
const held = new WeakMap<Database['query'], Map<string, Held>>();

/**
 * The points of a stored digest.
 *
 * @param holds whether to cache them; deleted and changed digests are noticed all the same
 * @throws DigestNotFoundError
 */
async function readStoredPoints(id: string, database: Database, holds: boolean): Promise<GivenItems> {
  const all = held.get(database.query) ?? new Map<string, Held>();
  held.set(database.query, all);
  const key = JSON.stringify([database.tenant, id]);
  const row = await readDigest(database, id);
  const known = all.get(key);
  all.delete(key);
  if (row === undefined || row.answer === null) throw new DigestNotFoundError();
  const { answer } = row;
  const items = known?.answer === answer ? known.items : storedPoints(JSON.parse(answer) as Digest); // as this service wrote it
  const at = database.now();
  if (holds) {
    all.set(key, { answer, items, at });
    forgetIdle(all, database.now);
  }
  let characters = [...all.values()].reduce((sum, each) => sum + each.answer.length, 0);
  for (const [oldest, each] of all) {
    if (characters <= MAX) break;
    all.delete(oldest);
    characters -= each.answer.length;
  }
  return items;
}

/** Starts dropping points that nobody reads. */
function forgetIdle(all: Map<string, Held>, now: () => number): void {
  if (sweeping.has(all)) return;
  const timer = setInterval(() => {
    for (const [key, { at }] of all) if (now() - at >= IDLE) all.delete(key);
    if (all.size > 0) return;
    clearInterval(timer);
    sweeping.delete(all);
  }, IDLE / 10);
  // Only Node's timers keep a process alive.
  if (typeof timer === 'object') timer.unref();
  sweeping.add(all);
}
const sweeping = new WeakSet<Map<string, Held>>();

/** The limit of a selection of size `auto`, as the digest's request has it. */
async function readAutoSize({ digest, preset }: StoredPoints, database: Database): Promise<AutoSize> {
  const request = await readDigestRequest(database, digest);
  const asked = request == null ? {} : (JSON.parse(request) as Partial<StoredRequest>); // as this service wrote it
  return autoSizeOf(summaryOf(asked), preset);
}

/** A tenant's digests, for selections among their points. */
export function storedDigests(database: Database): KeptDigests {
  return {
    readPoints: (id, holds) => readStoredPoints(id, database, holds),
    readAutoSize: (stored) => readAutoSize(stored, database),
  };
}
