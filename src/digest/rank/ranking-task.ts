import {
  contextVectors,
  keptByGate,
  type Relevance,
  type RelevanceInput,
  relevance,
  topOfFacets,
} from '../../selection/index.ts';

export interface Ranking extends Relevance {
  readonly kept: readonly number[];
  readonly context: readonly Float32Array[] | null;
}

export interface RankingTask extends RelevanceInput {
  readonly gate: number | null;
  readonly maxKept: number;
  /** One step of several: returns `found` and no `context`. */
  readonly isPart?: boolean;
}

export function runRanking(task: RankingTask): Ranking {
  const { isPart = false, vectors, documents } = task;
  const ranked = relevance(task);
  const passed = keptByGate(ranked.values, task.gate);
  const kept = task.gate === null ? passed : topOfFacets(passed, ranked, task.maxKept);
  const hasContext = !isPart && ranked.surroundings !== 0;
  return {
    ...ranked,
    found: isPart ? ranked.found : null,
    kept,
    context: hasContext ? contextVectors(vectors, documents, kept) : null,
  };
}
