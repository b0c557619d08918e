import type { Objective } from './objective.ts';

/** What a strategy sees: items in canonical order, so that a lower index wins a tie. */
export interface StrategyInput {
  readonly objective: Objective;
  /** One per item. */
  readonly relevance: Float64Array;
  /** Whether an item may be picked after `picked` items; false ends the selection. */
  readonly fits: (item: number, picked: readonly number[]) => boolean;
  /** Most items to pick. */
  readonly limit: number;
}

export type StoppedBy = 'size' | 'words' | 'rank' | 'exhausted';

export interface Pick {
  readonly item: number;
  /** What the pick added to the objective. */
  readonly gain: number;
}

export interface StrategyResult {
  readonly picks: readonly Pick[];
  readonly stoppedBy: StoppedBy;
}

/** Picks items one after the other. */
export type Strategy = (input: StrategyInput) => Promise<StrategyResult>;
