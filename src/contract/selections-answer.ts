import type { Reason } from './digest.ts';
import type { FactsAnswer, GateAnswer, OptionsAnswer, OutcomeAnswer } from './selection-answer.ts';

/** An item as an answer names it. */
export interface ItemName {
  /** Its place in the request. */
  readonly index: number;
  /** Null where the request names none. */
  readonly id: string | null;
}

export interface ItemAnswer extends ItemName {
  readonly relevance: number;
  readonly salience: number | null;
  readonly selected: boolean;
  readonly rank: number | null;
  readonly gain: number | null;
  readonly nearest: (ItemName & { readonly similarity: number }) | null;
  readonly marginal: number | null;
  readonly reason: Reason | null;
}

/** What both kinds of answer say of the selection. */
export interface SelectionsShared extends OptionsAnswer, FactsAnswer, GateAnswer {
  readonly engine: { readonly encoder: string | null; readonly matrix: string };
  readonly warnings: readonly string[];
}

/** One selection. */
export interface SelectionsAnswer extends SelectionsShared, OutcomeAnswer {
  readonly selected: readonly (ItemName & { readonly rank: number; readonly gain: number | null })[];
  /** In the order of the request. */
  readonly items: readonly ItemAnswer[];
}

/** Several draws. */
export interface DrawsAnswer extends SelectionsShared {
  readonly draws: readonly { readonly selected: readonly (ItemName & { readonly rank: number })[] }[];
  readonly items: readonly (ItemName & { readonly relevance: number; readonly marginal: number | null })[];
}
