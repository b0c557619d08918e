export { type BenchmarkCase, type BenchmarkSet, benchmarkSetSchema, type Making } from './benchmark-set.ts';
export { BadRecordsError, checkRecords, oneRecord, type TextFile } from './check-records.ts';
export { outputsOf, summHaySchema } from './loaders/formats.ts';
export { FORMATS, loadSet } from './loaders/load-set.ts';
export { askedModel } from './makers/asked-model.ts';
export { haystackMaker } from './makers/haystack.ts';
export { HAYSTACK_KINDS } from './makers/haystack-documents.ts';
export { intentsMaker } from './makers/intents.ts';
export { keyPointsMaker } from './makers/key-points.ts';
export { type Maker, type OpenCalls, openCalls } from './makers/maker.ts';
export { nuggetsMaker } from './makers/nuggets.ts';
export { questionsMaker } from './makers/questions.ts';
export { reviewSet } from './makers/review-set.ts';
export {
  agreementOf,
  coverageAgreement,
  humanLevels,
  type JudgeUsage,
  judgeRecord,
  type KnownItem,
  taskAgreement,
  taskCurves,
} from './people/agreement.ts';
export { coverageTables, curveParts, fieldTables, taskTables } from './people/agreement-tables.ts';
export { type AnnotationItem, drawItems, itemsOf, questionItemsOf } from './people/items.ts';
export {
  annotationItems,
  type JudgedRecord,
  judgedRecordSchema,
  labelledSummarySchema,
  readJudgedRecords,
} from './people/judged-records.ts';
export { labelSheet, labelsOfSheet } from './people/label-sheet.ts';
export {
  annotatorSchema,
  type Decision,
  decidedSchema,
  decisionsOf,
  type Label,
  labelSchema,
} from './people/labels.ts';
export * from './people/panel.ts';
export { type JudgedOutput, recordsOfRun } from './people/records-of-run.ts';
export { reportPage } from './report/page.ts';
export { describeFailure, judgeLine, printUsage } from './report/provenance.ts';
export { csvLines, printReport, type Report, reportCsv, textTable } from './report/report.ts';
export { ablationReport, evaluationReport, runReport } from './report/reports.ts';
export {
  DIMENSIONS,
  type Dimension,
  type EvaluationRecord,
  evaluationRecordSchema,
  evaluationResults,
  inCanonicalOrder,
  repeatedRecords,
} from './results/evaluations.ts';
export { answerKey, judgeIdentity } from './results/judge-identity.ts';
export { armSchema, type PublishedArm } from './run/arms.ts';
export { readRun } from './run/configuration.ts';
export { expectedCalls } from './run/expected-calls.ts';
export { type PlannedOutput, planRun, systemRecord } from './run/plan-run.ts';
export { madeOutputs, runOutputs, unscored } from './run/run-outputs.ts';
export { byCase, type SetRun, setReport } from './run/run-report.ts';
export {
  type DigestSystem,
  isFileSystem,
  pooledOutputs,
  type RunFiles,
  type RunSet,
  type System,
} from './run/system.ts';
export { keptSteps, type Run, type RunProgress, runItems } from './runner.ts';
