import { type Random, seededRandom } from '../../selection/index.ts';
import { contentHash } from '../../text/index.ts';

/** Hex digits of a hash that make a number of 52 bits. */
const DIGITS = 13;

/**
 * Uniform numbers that a seed, a case and a purpose decide.
 *
 * @param seed a whole number
 */
export function randomOfCase(seed: number, benchmarkCase: string, purpose: string): Random {
  const hash = contentHash(JSON.stringify([purpose, seed, benchmarkCase]));
  return seededRandom(Number.parseInt(hash.slice(0, DIGITS), 16));
}
