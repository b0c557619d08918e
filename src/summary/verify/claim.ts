import type { Quote } from '../../contract/summary.ts';
import { dateText } from '../../text/documents/date-text.ts';

/** A place of a document, with what a judge needs to know to understand it. */
export interface Passage {
  /** Its id, which tells passages of one document from those of others. */
  readonly document: string;
  /** Its exact quotes, each with what stands around it in the document. */
  readonly quotes: readonly (Pick<Quote, 'text'> & { readonly before?: string; readonly after?: string })[];
  readonly title?: string | undefined;
  /** How the document begins, where that does not stand around a quote already. */
  readonly opening?: string | undefined;
  /** A sentence before all that, which may say who or what is meant; no alarm is stilled by it. */
  readonly earlier?: string | undefined;
  /** ISO 8601. */
  readonly publishedAt?: string | undefined;
  readonly speaker?: string | undefined;
}

/** A statement that somebody worded, with the passages that have to bear it out. */
export interface Claim {
  readonly text: string;
  readonly passages: readonly Passage[];
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

/** How a sentence was held against what it cites; `unverified` where the request wanted none of it. */
export type Verification = 'verbatim' | 'judged' | 'mended' | 'unverified';

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
