import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** The next uniform number in [0, 1). */
export type Random = () => number;

/**
 * Uniform numbers of 53 bits that a seed decides: the same on every runtime.
 *
 * @param seed a whole number; all of its 53 bits count
 */
export function seededRandom(seed: number): Random {
  const high = Math.floor(seed / 2 ** 32);
  const generator = xoroshiro128plus((seed | 0) ^ Math.imul(high, 0x9e3779b1));
  return () => uniformFloat64(generator);
}
