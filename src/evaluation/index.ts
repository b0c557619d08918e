export { argue } from './argue/argue.ts';
export type { Nugget, ReportRequestText } from './argue/shapes.ts';
export { nugget } from './argue/shapes.ts';
export { agreementOfFacts, bearsFacts } from './embedded/differences.ts';
export { isForeignTo } from './embedded/is-foreign-to.ts';
export { wholePassage } from './embedded/passage.ts';
export { checkEvaluation, evaluate, type ReadEvaluatedDigest, resolveRequest } from './evaluate.ts';
export type { EvaluatedDigest } from './evaluated-digest.ts';
export {
  type Cell,
  type Explanation,
  fixed,
  number,
  type Part,
  type Section,
  type Thresholds,
} from './explanation.ts';
export type { EntailmentTask, Judge } from './judge.ts';
export { judgeOf } from './judge-of.ts';
export { mean, sum } from './mean.ts';
export {
  type AnyMetric,
  EVALUATION_EXAMPLES,
  type EvaluationAnswer,
  type EvaluationInputs,
  type EvaluationOrder,
  type EvaluationRequest,
  evaluationAnswerSchema,
  evaluationRequestSchema,
  figuresOf,
  figureWeights,
  METRICS,
  type MetricName,
  metricOf,
  requestsFor,
} from './metrics.ts';
export { JUDGE_PURPOSES } from './model/judge-prompts.ts';
export { packed } from './model/pieces.ts';
export { JUDGES, type JudgeName, type JudgeRecord, type JudgeRequest } from './shapes.ts';
export { share } from './share.ts';
export { type CurveBin, positionCurve } from './source-coverage/position-curve.ts';
export type { SourceCoverageAnswer, SourceQuestion } from './source-coverage/shapes.ts';
export { sourceCoverage } from './source-coverage/source-coverage.ts';
export { citationScores } from './summhay/citation-scores.ts';
export { positionSensitivity } from './summhay/position-sensitivity.ts';
export { readBullet } from './summhay/read-bullet.ts';
export type { SummHayAnswer } from './summhay/shapes.ts';
export { insight } from './summhay/shapes.ts';
export { summHay } from './summhay/summhay.ts';
export { summHayTotals, summHayWeights } from './summhay/summhay-totals.ts';
