import { utf8Length } from '../../text/documents/windows.ts';
import { wordSet } from '../../selection/kernel/word-overlap.ts';

/** What fits into one question. */
export interface Room {
  readonly points: number;
  /** UTF-8 bytes of their texts. */
  readonly bytes: number;
}

/** Number, point and line end. */
const LINE_BYTES = 5;

/**
 * Points in batches that fit into one question, those that share words together: a batch begins with the first point that is
 * left, and takes the one that is most like one of its own (cosine of the words, the rarer the heavier) until it is full.
 *
 * @param items in their order
 * @returns each batch in the order of the items; an item that is larger than the room alone in its own
 */
export function batches<Item extends { readonly text: string }>(items: readonly Item[], room: Room): Item[][] {
  const sizes = items.map(({ text }) => utf8Length(text) + LINE_BYTES);
  const likeness = likenessOf(items.map(({ text }) => wordSet(text)));
  const isPlaced = items.map(() => false);
  const all: Item[][] = [];
  for (let first = 0; first < items.length; first++) {
    if (isPlaced[first]) continue;
    const batch: number[] = [];
    const best = new Float64Array(items.length);
    let left = room.bytes;
    for (let next = first; next >= 0; ) {
      batch.push(next);
      isPlaced[next] = true;
      left -= sizes[next];
      likeness(next, best);
      next = batch.length < room.points ? mostAlike(best, isPlaced, first) : -1;
      if (next >= 0 && sizes[next] > left) next = -1;
    }
    all.push(batch.sort((a, b) => a - b).map((place) => items[place]));
  }
  return all;
}

/** The first of the best that are left; -1 where none is. */
function mostAlike(best: Float64Array, isPlaced: readonly boolean[], from: number): number {
  let found = -1;
  for (let place = from; place < best.length; place++) {
    if (!isPlaced[place] && (found < 0 || best[place] > best[found])) found = place;
  }
  return found;
}

/** Raises values to the likeness with an item where that is higher. */
function likenessOf(words: readonly ReadonlySet<string>[]): (item: number, best: Float64Array) => void {
  const holders = new Map<string, number[]>();
  words.forEach((set, place) => {
    for (const word of set) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, [place]);
      else known.push(place);
    }
  });
  const weightOf = (word: string): number => Math.log(1 + words.length / (holders.get(word)?.length ?? 1)) ** 2;
  const norms = words.map((set) => Math.sqrt([...set].reduce((sum, word) => sum + weightOf(word), 0)));
  return (item, best) => {
    const shared = new Float64Array(words.length);
    for (const word of words[item]) {
      const weight = weightOf(word);
      for (const place of holders.get(word) ?? []) shared[place] += weight;
    }
    shared.forEach((value, place) => {
      if (value > 0) best[place] = Math.max(best[place], value / (norms[item] * norms[place]));
    });
  };
}
