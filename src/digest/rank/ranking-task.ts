import { passGate, type Relevance, type RelevanceInput, relevance } from '../../selection/index.ts';

/** Relevance of all points, and which of them are read on. */
export interface Ranking extends Relevance {
  /** Indices of the points past the gate, ascending. */
  readonly kept: readonly number[];
  /** Context vectors of the kept points only. */
  readonly context: Relevance['context'];
}

/** Everything a ranking needs, as plain data that can go to another thread. */
export interface RankingTask extends RelevanceInput {
  /** Null lets every point through. */
  readonly gate: number | null;
}

/** Relevance and gate in one step. */
export function runRanking(task: RankingTask): Ranking {
  const { context, ...ranked } = relevance(task);
  const kept = passGate(ranked.values, task.gate);
  return { ...ranked, kept, context: context && kept.map((i) => context[i]) };
}
