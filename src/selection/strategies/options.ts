import type { AgreementOptions } from '../kernel/agreement.ts';
import type { CoverageOptions } from '../kernel/coverage.ts';
import type { KernelOptions } from '../kernel/kernel.ts';
import type { SupportOptions } from './support.ts';

/** How many points a strategy picks; null for strategies that decide themselves. */
export type Size = { readonly keyPoints: number } | { readonly words: number } | 'auto';

/** The options that strategies share, resolved. */
export interface SharedOptions {
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
  /** Whether greedy picks are exchanged and re-centred where coverage is asked for. */
  readonly refine: boolean;
}
