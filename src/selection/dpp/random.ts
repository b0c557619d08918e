import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The next uniform number in [0, 1). */
export type Random = () => number;

/** Numbers thrown away at first: the generator starts from a state that is the seed and zeros, and shows it for a while. */
const WARM_UP = 32;

/**
 * Uniform numbers of 53 bits that a seed decides: the same on every runtime, and unlike those of its neighbours from the
 * first number on.
 *
 * @param seed a whole number; all of its 53 bits count
 */
export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(scatter((seed | 0) ^ scatter(Math.floor(seed / 2 ** 32))));
  for (let i = 0; i < WARM_UP; i++) generator.next();
  return () => uniformFloat64(generator);
}

/** A bijection of 32 bits whose every bit depends on all (the finaliser of MurmurHash3, Appleby 2011). */
function scatter(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
