import type { Passage } from '../compose-input.ts';
import { type Claim, type Finding, type Judge, textsOf } from './claim.ts';
import { type NameSource, nameSource, namesOutside } from './names.ts';
import { type NumberSource, numberSource, numbersOutside } from './numbers.ts';

/**
 * Judges claims, and once more those that were accepted and are doubtful: what is found then counts.
 *
 * @param settle told of each finding that counts, by the place of its claim, as soon as it does; of those of `mend` behind the others
 * @param mend more claims for the second judgement, made where the first findings are known, with the words that are looked at again
 */
export async function judgeTwice(
  claims: readonly Claim[],
  judge: Judge,
  settle: (place: number, finding: Finding) => void,
  mend: (
    found: readonly Finding[],
    doubted: (place: number) => readonly string[],
  ) => Promise<readonly Claim[]> = async () => [],
): Promise<void> {
  const found = await judge(claims);
  const doubtful = doubtfulOf(claims, found);
  for (const [place, finding] of found.entries()) if (!doubtful.has(place)) settle(place, finding);
  const mended = await mend(found, (place) => doubtful.get(place)?.doubted ?? []);
  if (doubtful.size + mended.length === 0) return;
  const foundAgain = await judge([...doubtful.values(), ...mended]);
  const places = [...doubtful.keys(), ...mended.map((_, index) => claims.length + index)];
  for (const [index, place] of places.entries()) settle(place, foundAgain[index]);
}

/**
 * The claims that a judge accepted though a number or a name in them stands nowhere in their passages, by their places, with these
 * words to look at: no proof that they are wrong, a reason to judge them once more, and what is found then counts (docs/decisions/support.md).
 */
export function doubtfulOf(claims: readonly Claim[], found: readonly Finding[]): ReadonlyMap<number, Claim> {
  const read = sourcesOf();
  return new Map(
    claims.flatMap((claim, c) => {
      const doubted = found[c].supported ? alarmsOf(claim, read) : [];
      return doubted.length === 0 ? [] : [[c, { ...claim, doubted }]];
    }),
  );
}

/** Numbers and names of a claim that stand nowhere in its passages. */
export function alarmsOf({ text, passages }: Claim, read = sourcesOf()): string[] {
  const sources = passages.map(read);
  return [
    ...new Set([
      ...numbersOutside(
        text,
        sources.map(({ numbers }) => numbers),
      ),
      ...namesOutside(
        text,
        sources.map(({ names }) => names),
      ),
    ]),
  ];
}

/** Reads each passage once, however many claims cite it. */
function sourcesOf(): (passage: Passage) => Source {
  const known = new Map<Passage, Source>();
  return (passage) => {
    const source = known.get(passage) ?? readPassage(passage);
    known.set(passage, source);
    return source;
  };
}

interface Source {
  readonly numbers: NumberSource;
  readonly names: NameSource;
}

function readPassage(passage: Passage): Source {
  const texts = textsOf(passage);
  return { numbers: numberSource(texts), names: nameSource(texts) };
}
