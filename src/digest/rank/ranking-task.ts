import {
  contextVectors,
  passGate,
  type Relevance,
  type RelevanceInput,
  relevance,
  topOfFacets,
} from '../../selection/index.ts';

/** Relevance of all points, and the points past the gate. */
export interface Ranking extends Relevance {
  /** Indices of the points past the gate, ascending. */
  readonly kept: readonly number[];
  /** Unit vectors of the surroundings of the kept points; null if they do not count. */
  readonly context: readonly Float32Array[] | null;
}

/** Input of a ranking, as plain data that can be sent to a thread. */
export interface RankingTask extends RelevanceInput {
  /** Null lets every point through. */
  readonly gate: number | null;
  readonly maxPast: number;
  /** Whether it is one step of several: returns `found` and no `context`. */
  readonly isPart?: boolean;
}

/** Relevance and gate in one step. */
export function runRanking(task: RankingTask): Ranking {
  const { isPart = false, vectors, documents } = task;
  const ranked = relevance(task);
  const past = passGate(ranked.values, task.gate);
  const kept = task.gate === null ? past : topOfFacets(past, ranked, task.maxPast);
  const hasContext = !isPart && ranked.surroundings !== 0;
  return {
    ...ranked,
    found: isPart ? ranked.found : null,
    kept,
    context: hasContext ? contextVectors(vectors, documents, kept) : null,
  };
}
