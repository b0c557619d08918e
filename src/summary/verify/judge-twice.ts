import { doubtfulOf } from './alarms.ts';
import type { Claim, Finding, Judge } from './claim.ts';

/**
 * Judges claims, and once more those that were accepted and are doubtful: what is found then counts.
 *
 * @param settle told of each finding that counts, by the place of its claim, as soon as it does; of those of `mend` behind the others
 * @param mend more claims for the second judgement, made where the first findings are known
 */
export async function judgeTwice(
  claims: readonly Claim[],
  judge: Judge,
  settle: (place: number, finding: Finding) => void,
  mend: (found: readonly Finding[]) => Promise<readonly Claim[]> = async () => [],
): Promise<void> {
  const found = await judge(claims);
  const doubtful = doubtfulOf(claims, found);
  for (const [place, finding] of found.entries()) if (!doubtful.has(place)) settle(place, finding);
  const mended = await mend(found);
  if (doubtful.size + mended.length === 0) return;
  const foundAgain = await judge([...doubtful.values(), ...mended]);
  const places = [...doubtful.keys(), ...mended.map((_, index) => claims.length + index)];
  for (const [index, place] of places.entries()) settle(place, foundAgain[index]);
}
