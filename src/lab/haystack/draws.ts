import { type Random, seededRandom } from '../../selection/index.ts';

/** What is drawn, each from numbers of its own: what one draw takes does not move the others. */
const PURPOSES = ['recategorising', 'dealing', 'planning', 'showing', 'statements'] as const;

/** @param seed a whole number below 2^32 */
export function drawsFor(purpose: (typeof PURPOSES)[number], seed: number): Random {
  return seededRandom(seed + PURPOSES.indexOf(purpose) * 2 ** 32);
}
