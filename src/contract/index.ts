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
export { canonicalJson } from './canonical-json.ts';
export {
  DEFAULT_KEY_POINTS,
  DEFAULT_MAX_WORDS,
  EXTRACTORS,
  type ExtractorName,
  FORMATS,
  type Format,
  type Preset,
  STAGE_NAMES,
  STAGES,
  type Stage,
  type StageName,
  VERIFY_MODES,
  WRITERS,
  type WriterName,
} from './choices.ts';
export {
  type Collection,
  type CollectionDocument,
  type CollectionText,
  collectionDocumentParams,
  collectionDocumentRequestSchema,
  collectionDocumentsSchema,
  collectionParams,
  collectionRequestSchema,
  collectionSchema,
  collectionsSchema,
  collectionTextSchema,
  type PutDocument,
  pageQuery,
  putDocumentSchema,
} from './collections.ts';
export {
  type Digest,
  type DigestDocument,
  type DigestKeyPoint,
  type DigestMetrics,
  type DigestStatus,
  type DigestTimings,
  type DigestUsage,
  digestSchema,
  type ExperimentPart,
  type PointQuote,
  type Reason,
  type SelectionAnswer,
} from './digest.ts';
export {
  DIGEST_REQUESTS,
  type DigestRequest,
  digestOptions,
  digestRequestSchema,
  type EngineRequest,
  type ExtractionRequest,
  type ReportRequest,
  type SummaryRequest,
} from './digest-request.ts';
export {
  type DigestMap,
  digestDocumentParams,
  digestMapSchema,
  digestParams,
  type KeptRequest,
  keptRequestSchema,
  type MappedPoint,
  mapQuery,
  type RequestedDocument,
  type SourceText,
  sourceTextSchema,
} from './digest-sources.ts';
export { documentSchema, type SourceDocument } from './documents.ts';
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
export { DIGEST, EVENT_STREAM } from './examples/digest.ts';
export { EVALUATIONS } from './examples/evaluations.ts';
export { EVALUATIONS_REQUESTS } from './examples/evaluations-requests.ts';
export {
  ASSIGNMENTS,
  CHANGES,
  EXPERIMENT,
  EXPERIMENTS,
  EXPERIMENTS_REQUESTS,
  EXPOSURES,
  OUTCOMES,
  RECORDED,
  RESULTS,
  STOPPED,
  WITH_VERSIONS,
} from './examples/experiments.ts';
export { DRAWS, SELECTION, SELECTIONS_REQUESTS } from './examples/selections.ts';
export {
  type ArmResult,
  type Basis,
  type Comparison,
  type Correction,
  type ExperimentResults,
  experimentResultsSchema,
  type GuardrailVerdict,
  type IgnoredOutcomes,
  type Interval,
  type MetricResult,
  resultsQuery,
} from './experiment-results.ts';
export {
  type Assignment,
  assignmentSchema,
  type Experiment,
  type ExperimentChanges,
  type ExperimentInput,
  type ExperimentRequest,
  type ExperimentState,
  type ExperimentUpdate,
  type ExperimentVersion,
  type ExperimentWithVersions,
  experimentChangesSchema,
  experimentParams,
  experimentRequestSchema,
  experimentSchema,
  experimentsSchema,
  experimentWithVersionsSchema,
  type Guardrail,
  type LayerShare,
  METRIC_TYPES,
  type MetricDefinition,
  type MetricType,
  MOST_METRICS,
  MOST_VARIANTS,
  subjectSchema,
  type Variant,
  type VariantOptions,
  versionQuery,
} from './experiments.ts';
export { LIMITS, text } from './fields.ts';
export {
  KEY_POINTS,
  KEY_POINTS_REQUESTS,
  type KeyPoints,
  type KeyPointsRequest,
  keyPointsRequestSchema,
  keyPointsSchema,
} from './key-points.ts';
export type { StageRecord, StageRequest } from './model-stages.ts';
export {
  MOST_OUTCOMES,
  OUTCOME,
  type Outcome,
  outcomeSchema,
  outcomesRequestSchema,
  type RecordedOutcomes,
  recordedOutcomesSchema,
} from './outcomes.ts';
export {
  type Accepted,
  CANCELLED,
  digestListSchema,
  FAILED,
  PENDING_STATUSES,
  type PendingDigest,
  type Progress,
  pendingDigestSchema,
  QUEUED,
  RUNNING,
  type SentenceEvent,
} from './pending-digest.ts';
export { problemsIn } from './problems-in.ts';
export type { FactsAnswer, OptionsAnswer, OutcomeAnswer, SelectionRequest } from './selection-options.ts';
export {
  type DrawsAnswer,
  type ItemAnswer,
  type ItemName,
  type SelectionsAnswer,
  type SelectionsRequest,
  type SelectionsShared,
  selectionsAnswerSchema,
  selectionsRequestSchema,
} from './selections.ts';
export { type Problem, problemSchema, type Readiness, readinessSchema } from './service.ts';
export type {
  Citation,
  Disagreement,
  LeftOutReason,
  Quote,
  Source,
  Summary,
  SummarySentence,
  Verification,
  WritingReport,
} from './summary.ts';
