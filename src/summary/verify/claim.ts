import { dateText } from '../../text/index.ts';
import type { Passage } from '../compose-input.ts';

/** A statement that somebody worded, with the passages that have to bear it out. */
export interface Claim {
  readonly text: string;
  readonly passages: readonly Passage[];
  /** Those of the other items of its list, where it begins with what the list stands under: they count for these words alone. */
  readonly headed?: readonly Passage[] | undefined;
  /** Words of it that a judge is to look at once more. */
  readonly doubted?: readonly string[] | undefined;
}

/** What is found of a claim. */
export interface Finding {
  readonly supported: boolean;
  /** The words of the claim that the passages do not bear out; empty where none are named. */
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
