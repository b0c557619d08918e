export {
  type AnnotatedSource,
  type Answer,
  type Decided,
  type Field,
  type Item,
  LONGEST_NAME,
  type NewLabel,
  type Refusal,
  type Session,
} from './annotation.ts';
export { digestSchema, keyPointsSchema, problemSchema } from './answer-schemas.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  collectionDocumentParams,
  collectionDocumentRequestSchema,
  collectionDocumentSchema,
  collectionDocumentsSchema,
  collectionParams,
  collectionRequestSchema,
  collectionSchema,
  collectionsSchema,
  pageQuery,
  putDocumentSchema,
} from './collection-schemas.ts';
export {
  type Digest,
  type DigestDocument,
  type DigestKeyPoint,
  type DigestMetrics,
  type DigestStatus,
  type DigestTimings,
  type DigestUsage,
  type PointQuote,
  type Reason,
  STAGES,
  type Stage,
  type StageRecord,
} from './digest.ts';
export type { DigestOrder, ExperimentOrder, ExperimentSubject, HashedDocument, StoredRequest } from './digest-order.ts';
export {
  type DigestRequest,
  type EarlierReading,
  type EngineRequest,
  EXTRACTORS,
  type ExperimentPart,
  type ExtractionRequest,
  type ExtractorName,
  type Preset,
  type ReportRequest,
  type RequestDocument,
  type SelectionRequest,
  STAGE_NAMES,
  type StageName,
  type StageRequest,
  VERIFY_MODES,
  WRITERS,
  type WriterName,
} from './digest-request.ts';
export { digestListSchema, PENDING_STATUSES, type PendingDigest, pendingDigestSchema } from './digest-schemas.ts';
export {
  digestDocumentParams,
  digestMapSchema,
  digestParams,
  keptRequestSchema,
  mapQuery,
  sourceTextSchema,
} from './digest-source-schemas.ts';
export type { DigestMap, KeptRequest, MappedPoint, RequestedDocument, SourceText } from './digest-sources.ts';
export type {
  ArgueAnswer,
  ArgueSentenceAnswer,
  CoverageLevel,
  EntailmentAnswer,
  EvaluationAnswer,
  InsightAnswer,
  JudgeRecord,
  KeyPointRecallAnswer,
  QuestionAnswer,
  SentenceOutcome,
  SourceCoverageAnswer,
  SummHayAnswer,
} from './evaluation-answer.ts';
export { evaluationAnswerSchema } from './evaluation-answer-schemas.ts';
export type {
  ArgueOrder,
  EvaluationOrder,
  KeyPointRecallOrder,
  SourceCoverageOrder,
  SummHayOrder,
} from './evaluation-order.ts';
export {
  type ArgueRequest,
  type CitedBullet,
  type EvaluationRequest,
  type Insight,
  JUDGES,
  type JudgeName,
  type JudgeRequest,
  type KeyPointRecallRequest,
  METRICS,
  type Metric,
  type Nugget,
  type ReportRequestText,
  type ReportSentence,
  type SourceCoverageRequest,
  type SourceQuestion,
  type SummHayRequest,
} from './evaluation-request.ts';
export { evaluationRequestSchema, insight, nugget } from './evaluation-schemas.ts';
export { DIGEST } from './examples/digest.ts';
export { DIGEST_REQUESTS } from './examples/digest-requests.ts';
export { EVALUATIONS } from './examples/evaluations.ts';
export { EVALUATIONS_REQUESTS } from './examples/evaluations-requests.ts';
export { TOLD } from './examples/events.ts';
export {
  ASSIGNMENTS,
  EXPERIMENT,
  EXPERIMENTS,
  RECORDED,
  RESULTS,
  STOPPED,
  WITH_VERSIONS,
} from './examples/experiments.ts';
export { CHANGES, EXPERIMENTS_REQUESTS, EXPOSURES, OUTCOMES } from './examples/experiments-requests.ts';
export { KEY_POINTS, KEY_POINTS_REQUESTS } from './examples/key-points.ts';
export { CANCELLED, FAILED, QUEUED, RUNNING } from './examples/pending-digests.ts';
export { DRAWS, SELECTION } from './examples/selections.ts';
export { SELECTIONS_REQUESTS } from './examples/selections-requests.ts';
export {
  type Assignment,
  AUTOMATIC_METRICS,
  type AutomaticMetric,
  type Correction,
  type Experiment,
  type ExperimentChanges,
  type ExperimentDefinition,
  type ExperimentState,
  type Guardrail,
  type Interval,
  isAutomatic,
  type LayerShare,
  METRIC_TYPES,
  type MetricDefinition,
  type MetricType,
  MOST_METRICS,
  MOST_VARIANTS,
  type NewExperiment,
  type Variant,
  type VariantOptions,
} from './experiment.ts';
export {
  assignmentSchema,
  experimentSchema,
  experimentsSchema,
  experimentWithVersionsSchema,
  recordedSchema,
  resultsSchema,
} from './experiment-answer-schemas.ts';
export type {
  ArmResult,
  Basis,
  Comparison,
  ExperimentResults,
  GuardrailVerdict,
  IgnoredOutcomes,
  MetricResult,
} from './experiment-results.ts';
export {
  experimentChangesSchema,
  experimentParams,
  experimentRequestSchema,
  OUTCOME,
  outcomeSchema,
  outcomesRequestSchema,
  resultsQuery,
  subjectSchema,
  versionQuery,
} from './experiment-schemas.ts';
export type { KeyPoints, KeyPointsRequest } from './key-points.ts';
export { MOST_OUTCOMES, MOST_VALUE, type Outcome, type RecordedOutcomes } from './outcome.ts';
export type { Problem } from './problem.ts';
export { problemsIn } from './problems-in.ts';
export { digestOptions, digestRequestSchema, documentSchema, keyPointsRequestSchema, LIMITS, text } from './schemas.ts';
export type { FactsAnswer, OptionsAnswer, OutcomeAnswer, SelectionAnswer } from './selection-answer.ts';
export { selectionsAnswerSchema, selectionsRequestSchema } from './selection-schemas.ts';
export type { DrawsAnswer, ItemAnswer, ItemName, SelectionsAnswer, SelectionsShared } from './selections-answer.ts';
export type { SelectionsRequest } from './selections-request.ts';
export {
  type Citation,
  type ComposeInput,
  type DescribedDocument,
  type Disagreement,
  FORMATS,
  type Format,
  type Intent,
  type LeftOutReason,
  mostSentences,
  type Passage,
  type Quote,
  type SelectedPoint,
  type Source,
  type Summary,
  type SummarySentence,
  type Support,
  type Verification,
  type WritingReport,
} from './summary.ts';
