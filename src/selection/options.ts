import type { AgreementOptions } from '../kernel/agreement.ts';
import type { CoverageOptions } from '../kernel/coverage.ts';
import type { SupportOptions } from './support.ts';

/** How many points a strategy picks. */
export type Size = { readonly keyPoints: number } | { readonly words: number } | 'auto';

/** Every option of a selection, resolved: what the answer reports and what the selection runs on. */
export interface SelectionOptions {
  readonly strategy: StrategyName;
  readonly size: Size;
  readonly kernel: {
    readonly similarity: 'bertscore' | 'cosine';
    readonly form: 'gaussian' | 'linear';
    readonly sigma: number | 'median';
    readonly idf: number;
  };
  readonly relevance: { readonly form: 'exponential' | 'score'; readonly weight: number };
  readonly salience: { readonly weight: number; readonly threshold: number };
  readonly coverage: CoverageOptions;
  /** Null: nothing joins. */
  readonly support: SupportOptions & AgreementOptions;
  readonly background: { readonly weight: number };
  /** Whether greedy picks are exchanged and re-centred where coverage is asked for. */
  readonly refine: boolean;
}

export const STRATEGY_NAMES = ['dpp-map', 'relevance'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];
