import { passGate } from '../kernel/gate.ts';
import { type Relevance, type RelevanceInput, relevance } from '../kernel/relevance.ts';

/** Relevance of all points, and which of them are read on. */
export interface Ranking extends Relevance {
  /** Indices of the points past the gate, ascending. */
  readonly kept: readonly number[];
}

/** Everything a ranking needs, as plain data that can go to another thread. */
export interface RankingTask extends RelevanceInput {
  /** Null lets every point through. */
  readonly gate: number | null;
}

/** Relevance and gate in one step. */
export function runRanking(task: RankingTask): Ranking {
  const ranked = relevance(task);
  return { ...ranked, kept: passGate(ranked.values, task.gate) };
}
