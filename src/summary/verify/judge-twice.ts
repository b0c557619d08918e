import { dateText } from '../../text/index.ts';
import type { Passage } from '../input.ts';
import { unsupportedNames } from './names.ts';
import { unsupportedNumbers } from './numbers.ts';

export interface Claim {
  readonly text: string;
  readonly passages: readonly Passage[];
  /** Passages of the other items of its list, which count for the label alone. */
  readonly headed?: readonly Passage[] | undefined;
  readonly doubted?: readonly string[] | undefined;
}

export interface Finding {
  readonly supported: boolean;
  /** Unsupported words of the claim; empty if none are named. */
  readonly wrong: string;
  /** Indices of passages irrelevant to the claim. */
  readonly idle: readonly number[];
}

export type Judge = (claims: readonly Claim[]) => Promise<readonly Finding[]>;

/** How wording is verified: by a judge, by `rules` (only verbatim text stands), or not at all. */
export type Verifier =
  | { readonly mode: 'judge'; readonly judge: Judge }
  | { readonly mode: 'rules' }
  | { readonly mode: 'off' };

/**
 * Judges claims, and doubtful acceptances a second time; the second finding counts.
 * @param settle called with each final finding and the place of its claim; claims of `mend` follow the others
 * @param mend further claims for the second judgement, made from the first findings and the doubted words
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
 * Accepted claims with a number or name that is missing from their passages, by place. No proof of an error, but a
 * reason to judge them again; the second finding counts (docs/decisions/support.md).
 */
function doubtfulOf(claims: readonly Claim[], found: readonly Finding[]): ReadonlyMap<number, Claim> {
  return new Map(
    claims.flatMap((claim, c) => {
      const doubted = found[c].supported ? alarmsOf(claim) : [];
      return doubted.length === 0 ? [] : [[c, { ...claim, doubted }]];
    }),
  );
}

export function alarmsOf({ text, passages }: Claim): string[] {
  const quotes = passages.flatMap(textsOf);
  return [...new Set([...unsupportedNumbers(text, quotes), ...unsupportedNames({ text, quotes })])];
}

export function textsOf({ quotes, title, opening, publishedAt, speaker }: Passage): string[] {
  const dated = publishedAt === undefined ? [] : [publishedAt, dateText(publishedAt)];
  const around = quotes.map(({ text, before = '', after = '' }) => before + text + after);
  return [...around, ...[title, opening, speaker].filter((each) => each !== undefined), ...dated];
}
