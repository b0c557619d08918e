import type { SelectionOptions, StoppedBy } from '../selection/index.ts';
import type { Preset } from './digest-request.ts';
/** The resolved options of a selection, as an answer gives them. */
export interface OptionsAnswer extends Omit<SelectionOptions, 'kernel' | 'relevance' | 'coverage'> {
  readonly preset: Preset;
  readonly kernel: Omit<SelectionOptions['kernel'], 'sigma'> & { readonly sigma: number | null };
  readonly relevance: SelectionOptions['relevance'] & {
    readonly gate: number | null;
    readonly surroundings: number;
    readonly facets: readonly string[];
    readonly estimate: boolean;
    /** Null where relevance is given, or does not count. */
    readonly encoder: string | null;
  };
  readonly coverage: { readonly weight: number; readonly threshold: number | null };
}

/** What was found of the kernel as a whole; null where the strategy did not need to know. */
export interface FactsAnswer {
  readonly expectedSize: number | null;
  /** Share of the absolute trace that lay in negative eigenvalues. */
  readonly clippedMass: number | null;
  /** Trace that an approximation of the kernel leaves unexplained. */
  readonly residual: number | null;
  /** Bound on how far the law of a draw is from the kernel's own. */
  readonly totalVariation: number | null;
  readonly landmarks: number | null;
}

/** What came of one selection. */
export interface OutcomeAnswer {
  /** log det(L_S) + mu cov(S); null where the selected items have no volume. */
  readonly objective: number | null;
  readonly logDeterminant: number | null;
  /** Of an exact search: whether nothing is better; else at most `gap` is. */
  readonly proven: boolean | null;
  readonly gap: number | null;
  readonly stoppedBy: StoppedBy;
}

export interface GateAnswer {
  readonly gate: { readonly kept: number; readonly dropped: number };
}

/** The resolved options of a selection with what came of them. */
export type SelectionAnswer = OptionsAnswer & FactsAnswer & OutcomeAnswer & GateAnswer;
