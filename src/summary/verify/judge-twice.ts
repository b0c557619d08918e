import { dateText } from '../../text/index.ts';
import type { Passage } from '../input.ts';
import { type NameSource, nameSource, namesOutside } from './names.ts';
import { type FoundNumber, numbersIn, numbersOutside } from './numbers.ts';

/** A statement that somebody worded, with the passages that have to bear it out. */
export interface Claim {
  readonly text: string;
  readonly passages: readonly Passage[];
  /** Those of the other items of its list, if it begins with what the list stands under: they count for these words alone. */
  readonly headed?: readonly Passage[] | undefined;
  /** Words of it that a judge is to look at once more. */
  readonly doubted?: readonly string[] | undefined;
}

/** What is found of a claim. */
export interface Finding {
  readonly supported: boolean;
  /** The words of the claim that the passages do not bear out; empty if none are named. */
  readonly wrong: string;
  /** Indices of passages that say nothing of the claim. */
  readonly idle: readonly number[];
}

/** Tells whether passages bear claims out: one finding a claim. */
export type Judge = (claims: readonly Claim[]) => Promise<readonly Finding[]>;

/** Who holds what was worded against its quotes: a judge, nobody (`rules`: only a quote's own wording stands), or not at all. */
export type Verifier =
  | { readonly mode: 'judge'; readonly judge: Judge }
  | { readonly mode: 'rules' }
  | { readonly mode: 'off' };

/** The texts of a passage that a claim's words may come from. */
export function textsOf({ quotes, title, opening, publishedAt, speaker }: Passage): string[] {
  const dated = publishedAt === undefined ? [] : [publishedAt, dateText(publishedAt)];
  const around = quotes.map(({ text, before = '', after = '' }) => before + text + after);
  return [...around, ...[title, opening, speaker].filter((each) => each !== undefined), ...dated];
}

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
  const numbers = numbersOutside(
    text,
    sources.flatMap((source) => source.numbers),
  );
  const names = namesOutside(
    text,
    sources.map((source) => source.names),
  );
  return [...new Set([...numbers, ...names])];
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
  readonly numbers: readonly FoundNumber[];
  readonly names: NameSource;
}

function readPassage(passage: Passage): Source {
  const texts = textsOf(passage);
  return { numbers: texts.flatMap(numbersIn), names: nameSource(texts) };
}
