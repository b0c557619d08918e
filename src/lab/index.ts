export {
  type BenchmarkCase,
  type BenchmarkSet,
  benchmarkSetSchema,
  type Collection,
} from './benchmark-set.ts';
export {
  BadRecordsError,
  checkRecords,
  oneRecord,
  type Placed,
  type RecordProblem,
  type TextFile,
} from './check-records.ts';
export { outputsOf, summHaySchema } from './loaders/formats.ts';
export { FORMATS, isBlank, loadSet } from './loaders/load-set.ts';
export { askedModel } from './makers/asked-model.ts';
export { haystackMaker } from './makers/haystack.ts';
export { HAYSTACK_KINDS } from './makers/haystack-plan.ts';
export { intentsMaker } from './makers/intents.ts';
export { keyPointsMaker } from './makers/key-points.ts';
export { type MadeSet, type Maker, type OpenCalls, openCalls } from './makers/maker.ts';
export { nuggetsMaker } from './makers/nuggets.ts';
export { questionsMaker } from './makers/questions.ts';
export { additionSchema, reviewNuggets } from './makers/review-nuggets.ts';
export { oncePer } from './once-per.ts';
export { agreementOf, humanLevels, judgeRecord, type KnownItem, taskAgreement } from './people/agreement.ts';
export { type AnnotationItem, drawItems, fieldsOf, itemsOf, questionItemsOf } from './people/items.ts';
export {
  judgeAgreement,
  judgedInsights,
  type LabelledSummary,
  labelledSummarySchema,
} from './people/judge-agreement.ts';
export {
  type JudgeCorrelation,
  type JudgedSet,
  judgeCorrelations,
  otherOutput,
} from './people/judge-correlation.ts';
export { annotationItems, type JudgedRecord, judgedRecordSchema, readJudgedRecords } from './people/judged-records.ts';
export {
  annotatorSchema,
  type Decision,
  decisionsOf,
  FIELDS,
  type Field,
  type Label,
  labelSchema,
  newLabelSchema,
} from './people/labels.ts';
export { printFieldAgreement, printJudgeAgreement, printTaskAgreement } from './people/print-agreement.ts';
export { type DrawnVerdicts, type JudgedOutput, recordsOfRun } from './people/records-of-run.ts';
export { ablationReport } from './report/ablation-report.ts';
export { evaluationReport } from './report/evaluation-report.ts';
export { type Content, html, htmlPage } from './report/html.ts';
export { reportPage } from './report/page.ts';
export { describeFailure, judgePrompts, printUsage } from './report/provenance.ts';
export { printReport, type Report, reportCsv, textTable } from './report/report.ts';
export { comparisonReport, runReport } from './report/run-report.ts';
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
export { compareRetrievers, printRetrievers, scorableCases } from './retrieval/compare-retrievers.ts';
export {
  DEFAULT_BUDGET,
  DEFAULT_RETRIEVAL_SEED,
  needsIntent,
  RETRIEVERS,
  type Retrieval,
  type RetrievalDeps,
  type Retriever,
  retrievalSchema,
} from './retrieval/retrieval.ts';
export { asksSomething, knownRelevance } from './retrieval/score-documents.ts';
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
export {
  comparisonSchema,
  datumSchema,
  sweptSystem,
  sweptSystems,
  wantedMetrics,
} from './run/system-schemas.ts';
export { keptSteps, type Run, type RunProgress, runItems } from './runner.ts';
