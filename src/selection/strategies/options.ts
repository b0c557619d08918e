import type { AgreementOptions } from '../kernel/agreement.ts';
import type { CoverageOptions } from '../kernel/coverage.ts';
import type { KernelOptions } from '../kernel/kernel.ts';
import type { SupportOptions } from './support.ts';

/** How many points a strategy picks; null for strategies that decide themselves. */
export type Size = { readonly keyPoints: number } | { readonly words: number } | 'auto';

/** Every option of a selection, resolved: what the answer reports and what the selection runs on. */
export interface SelectionOptions {
  readonly strategy: StrategyName;
  readonly size: Size | null;
  /** Decides what strategies draw. */
  readonly seed: number;
  readonly kernel: KernelOptions & { readonly idf: number };
  readonly relevance: { readonly form: 'exponential' | 'score'; readonly weight: number };
  readonly salience: { readonly weight: number; readonly threshold: number };
  readonly coverage: CoverageOptions;
  /** How much more the next source is worth than the next point of the same one. */
  readonly sources: { readonly weight: number };
  /** Null: nothing joins. */
  readonly support: SupportOptions & AgreementOptions;
  readonly background: { readonly weight: number };
  /** Share of relevance in maximal marginal relevance; the rest is difference. */
  readonly mmr: { readonly lambda: number };
  /** What an exact search may spend; null: as long as it takes. */
  readonly exact: { readonly nodes: number; readonly milliseconds: number | null };
  /** Whether greedy picks are exchanged and re-centred where coverage is asked for. */
  readonly refine: boolean;
}

export const STRATEGY_NAMES = [
  'dpp-map',
  'dpp-map-exact',
  'dpp-sample',
  'k-dpp',
  'mmr',
  'facility-location',
  'k-medoids',
  'relevance',
  'random',
  'all',
  'llm',
  'naive',
] as const;
/** Strategies that a language model carries out, over documents. */
export const MODEL_STRATEGIES: readonly StrategyName[] = ['llm', 'naive'];
export type StrategyName = (typeof STRATEGY_NAMES)[number];
