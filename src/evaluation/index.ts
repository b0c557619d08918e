export { adjustPValues, chiSquareTail, normalQuantile, tQuantile, twoSidedP } from './distributions.ts';
export { isForeignTo } from './embedded/matching.ts';
export * from './evaluate.ts';
export type { Judge } from './judge.ts';
export { type EvaluatedDigest, mean, number, share, sum } from './metric.ts';
export { argue } from './metrics/argue.ts';
export { citationScores, readBullet, type SummHayAnswer, summHayTotals, summHayWeights } from './metrics/summhay.ts';
export * from './metrics.ts';
export { JUDGE_PURPOSES } from './model/asker.ts';
export {
  insight,
  JUDGES,
  type JudgeRecord,
  type JudgeRequest,
  judgeOptionsOf,
  type Nugget,
  nugget,
  type ReportRequestText,
  type SourceQuestion,
} from './shapes.ts';
