import {
  contextVectors,
  passGate,
  type Relevance,
  type RelevanceInput,
  relevance,
  topOfFacets,
} from '../../selection/index.ts';

/** Relevance of all points, and which of them are read on. */
export interface Ranking extends Relevance {
  /** Indices of the points past the gate, ascending. */
  readonly kept: readonly number[];
  /** Unit vectors of what stands around the kept points; null where it does not count. */
  readonly context: readonly Float32Array[] | null;
}

/** Everything a ranking needs, as plain data that can go to another thread. */
export interface RankingTask extends RelevanceInput {
  /** Null lets every point through. */
  readonly gate: number | null;
  /** Points that pass it at most, the most relevant; not read where there is no gate. */
  readonly maxPast: number;
  /** Whether it is one step of several, which gives `found` back and no `context`. */
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
