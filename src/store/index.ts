export {
  type ApiKey,
  createKey,
  findKey,
  hasKeys,
  InvalidApiKeyError,
  listKeys,
  type NewApiKey,
  NOBODY,
  noteKeyUse,
  revokeKey,
} from './api-keys.ts';
export {
  type CollectionDocument,
  listCollectionDocuments,
  readCollectionDocument,
  readCollectionDocuments,
  removeCollectionDocument,
  saveCollectionDocument,
} from './collection-documents.ts';
export {
  listCollections,
  readCollection,
  removeCollection,
  type StoredCollection,
  saveCollection,
} from './collections.ts';
export { type Connection, type Database, DEFAULT_TENANT, forTenant } from './database.ts';
export { countTenantRows, deleteTenant, tenantDeletion } from './delete-tenant.ts';
export { readDigestOrigin, readDigestSources } from './digest-sources.ts';
export {
  deleteDigest,
  insertDigest,
  listDigests,
  readDigest,
  readDigestRequest,
  type StoredDigest,
  saveDigest,
} from './digests.ts';
export { readDocuments, saveDocuments } from './documents.ts';
export { readSentenceVectors, readTokens, saveEncodings } from './encodings.ts';
export { insertExposure, readExposures, type StoredExposure } from './experiment-exposures.ts';
export { insertOutcomes, type NewOutcome, readKnownEvents } from './experiment-outcomes.ts';
export { readDataState, readSums, type StoredAggregates, type StoredSums } from './experiment-sums.ts';
export { beginVersion, endVersion, insertVersion, replaceDefinition } from './experiment-versions.ts';
export {
  insertExperiment,
  listVersions,
  readRunning,
  readVersion,
  readVersions,
  type StoredExperiment,
} from './experiments.ts';
export { readExtractions, saveExtractions } from './extractions.ts';
export { listFailedJobs, retryJob } from './failed-jobs.ts';
export { bindKey, giveKeyBack, type KeptAnswer, keepAnswer, renewKey, takeKey } from './idempotency-keys.ts';
export { readCheckpoints, saveCheckpoint } from './job-checkpoints.ts';
export { insertEvents, insertLastEvent, type JobEvent, readEvents } from './job-events.ts';
export {
  cancelJob,
  countJobs,
  countOpenJobs,
  endJob,
  endStateOf,
  hasEnded,
  insertJob,
  isOpen,
  isUnderWay,
  type JobEnd,
  type Lease,
  noteProgress,
  readJob,
  releaseJob,
  wasEndedBy,
} from './jobs.ts';
export { readJudgements, saveJudgements } from './judgements.ts';
export { listFailedWebhooks, listWebhooks, readWebhook, retryWebhook, type StoredWebhook } from './kept-webhooks.ts';
export { type Page, type PageRequest, pageOf, timeCursor } from './page.ts';
export { sweep } from './retention.ts';
/** The tables, for drizzle. */
export * as schema from './schema.ts';
export { apiKeys, digests, documents, tenants } from './schema.ts';
export { SCOPES, type Scope } from './scopes.ts';
export { StorageFullError } from './storage-full-error.ts';
export { storeCache } from './store-cache.ts';
export { claimJob, jobDue, nextJobAt, orphanedJobs, renewLeases, takeJob } from './take-jobs.ts';
export { readVectorLists, saveVectorLists } from './vector-lists.ts';
export { rotateWebhookSecret, webhookSecrets } from './webhook-secrets.ts';
export {
  type ClaimedWebhook,
  claimWebhooks,
  endWebhook,
  insertWebhook,
  nextDue,
  postponeWebhook,
  waitingWebhooks,
} from './webhooks.ts';
