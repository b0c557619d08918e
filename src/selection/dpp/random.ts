import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export type Random = () => number;

/** Discards the first numbers, which show the generator's initial zeros. */
const WARM_UP = 32;

/** Seeded uniform numbers of 53 bits, equal on every runtime. All 53 bits of the seed count. */
export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(scatter((seed | 0) ^ scatter(Math.floor(seed / 2 ** 32))));
  for (let i = 0; i < WARM_UP; i++) generator.next();
  return () => uniformFloat64(generator);
}

function scatter(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Fisher & Yates 1938. */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const drawn = [...items];
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [drawn[last], drawn[other]] = [drawn[other], drawn[last]];
  }
  return drawn;
}
