export { agreementOf, type FieldAgreement, type KnownItem, type PairAgreement } from './agreement/agreement-of.ts';
export { type AnnotationItem, drawItems, fieldsOf, itemsOf } from './annotation/items-of.ts';
export {
  type Answer,
  type Decision,
  decisionsOf,
  FIELDS,
  type Field,
  isGraded,
  type Label,
  levelOf,
  SCALES,
} from './annotation/label.ts';
export { questionItemsOf } from './annotation/question-items.ts';
export type { AskedModel, CallEstimate, MadeBy, Protocol } from './asking/asked-model.ts';
export { countUnknown, keptAnswers, keptModel, type OpenCalls } from './asking/kept-model.ts';
export {
  type BenchmarkCase,
  type BenchmarkSet,
  benchmarkSetSchema,
  type Collection,
  type Making,
} from './benchmark-set.ts';
export {
  BadRecordsError,
  checkRecords,
  type Placed,
  type RecordProblem,
  splitRecords,
  type TextFile,
} from './check-records.ts';
export {
  comparisonSchema,
  datumSchema,
  sweptSystem,
  sweptSystems,
  wantedMetrics,
} from './comparison/comparison-schemas.ts';
export { countingLine, type ProgressStream } from './counting-line.ts';
export { describeFailure } from './describe-failure.ts';
export {
  type DealingOptions,
  haystackOfStatements,
  type LabelledStatement,
  statementProblems,
} from './haystack/haystack-of-statements.ts';
export { type Counts, HAYSTACK_KINDS, type Haystack, type HaystackOptions } from './haystack/haystack-options.ts';
export { haystackProtocol } from './haystack/haystack-protocol.ts';
export { intentsProtocol, type MadeIntent } from './intents/intents-protocol.ts';
export {
  foreignIds,
  isMeasured,
  keepIntents,
  relevantAbove,
  type ScoredIntent,
  type ShortIntent,
  scoredRelevance,
  withIntents,
} from './intents/keep-intents.ts';
export { askedCases, type CaseKeyPoints, keyPointsProtocol } from './key-points/make-key-points.ts';
export { isBlank } from './loaders/documents.ts';
export { loadSet } from './loaders/load-set.ts';
export { FORMATS, type Format } from './loaders/loaded.ts';
export { outputsOf, summHaySchema } from './loaders/summhay.ts';
export { type Addition, additionSchema, addNuggets } from './nuggets/add-nuggets.ts';
export { nuggetsProtocol } from './nuggets/nuggets-protocol.ts';
export { reviewNuggets } from './nuggets/review-nuggets.ts';
export { oncePer } from './once-per.ts';
export { printUsage, tookLine } from './print-usage.ts';
export { questionsProtocol, takenIds, withQuestions } from './questions/questions-protocol.ts';
export { ablationReport } from './report/ablation-report.ts';
export { evaluationReport } from './report/evaluation-report.ts';
export { type Content, html, htmlPage } from './report/html.ts';
export { reportPage } from './report/page.ts';
export { judgePrompts } from './report/provenance.ts';
export { printEstimate, printReport, type Report, reportCsv, textTable } from './report/report.ts';
export { comparisonReport, runReport } from './report/run-report.ts';
export type { Estimate } from './results/estimate.ts';
export {
  DIMENSIONS,
  type Dimension,
  type EvaluationRecord,
  evaluationRecordSchema,
  inCanonicalOrder,
  outputWords,
  type RecordOrder,
  repeatedRecords,
  type Scoring,
} from './results/evaluation-record.ts';
export { type EvaluationResult, evaluationResults } from './results/evaluation-results.ts';
export { answerKey, type JudgeIdentity, judgeIdentity, printJudge } from './results/judge-identity.ts';
export { LATENCY } from './results/metrics.ts';
export { ORDERS } from './results/positions.ts';
export type { Result } from './results/result.ts';
export { type KnownRelevance, knownRelevance } from './retrieval/known-relevance.ts';
export {
  DEFAULT_BUDGET,
  DEFAULT_RETRIEVAL_SEED,
  needsIntent,
  RETRIEVERS,
  type Retrieval,
  type RetrievalDeps,
  type Retrieved,
  type Retriever,
  retrievalSchema,
} from './retrieval/retrieval.ts';
export { retrieve } from './retrieval/retrieve.ts';
export { asksSomething } from './retrieval/score-documents.ts';
export { expectedCalls } from './run/expected-calls.ts';
export { systemRecord } from './run/plan-identity.ts';
export { type PlannedOutput, planRun } from './run/plan-run.ts';
export type { PublishedArm } from './run/published-arms.ts';
export { madeOutputs, type OutputRun, runOutputs, unscored } from './run/run-outputs.ts';
export { type SetRun, setReport } from './run/run-report.ts';
export type { ScoredOutput } from './run/score-output.ts';
export {
  type DigestSystem,
  type GivenOutput,
  isFileSystem,
  outputKey,
  type RunCase,
  type RunSet,
  type System,
  UnusableSystemError,
} from './run/system.ts';
export { asDrafted } from './run/system-output.ts';
export { keptSteps, type Run, type RunProgress, runItems } from './runner.ts';
export {
  type GroupBias,
  type JudgeAgreement,
  judgeAgreement,
  judgedInsights,
  type LabelledSummary,
  LEVELS,
  labelledSummarySchema,
} from './validation/judge-agreement.ts';
export {
  type JudgeCorrelation,
  type JudgedSet,
  judgeCorrelations,
  otherOutput,
} from './validation/judge-correlation.ts';
export { annotationItems, type JudgedRecord, judgedRecordSchema } from './validation/judged-record.ts';
export { type DrawnVerdicts, type JudgedOutput, recordsOfRun } from './validation/records-of-run.ts';
export {
  type DecidedItem,
  humanLevels,
  judgeRecord,
  type TaskAgreement,
  taskAgreement,
  usageOf,
} from './validation/task-agreement.ts';
