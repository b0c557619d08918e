export {
  type ApiKey,
  createKey,
  findKey,
  hasKeys,
  listKeys,
  type NewApiKey,
  NOBODY,
  noteKeyUse,
  revokeKey,
  SCOPES,
  type Scope,
} from './api-keys.ts';
export {
  type CollectionDocument,
  listCollectionDocuments,
  listCollections,
  readCollection,
  readCollectionDocument,
  readCollectionDocuments,
  removeCollection,
  removeCollectionDocument,
  type StoredCollection,
  saveCollection,
  saveCollectionDocument,
} from './collections.ts';
export { type Connection, type Database, DEFAULT_TENANT, forTenant } from './database.ts';
export { countTenantRows, deleteTenant, tenantDeletion } from './deletion.ts';
export {
  deleteDigest,
  insertDigest,
  listDigests,
  readDigest,
  readDigestOrigin,
  readDigestRequest,
  readDigestSources,
  type StoredDigest,
  saveDigest,
} from './digests.ts';
export { readDocuments, saveDocuments } from './documents.ts';
export { readSentenceVectors, readTokens, readVectorLists, saveEncodings, saveVectorLists } from './encodings.ts';
export { InvalidApiKeyError, StorageFullError } from './errors.ts';
export {
  insertExposure,
  insertOutcomes,
  type NewOutcome,
  readDataState,
  readExposures,
  readKnownEvents,
  readSums,
  type StoredExposure,
  type StoredSums,
} from './experiment-data.ts';
export {
  beginVersion,
  endVersion,
  insertExperiment,
  insertVersion,
  listVersions,
  readRunning,
  readVersion,
  readVersions,
  replaceDefinition,
  type StoredExperiment,
} from './experiments.ts';
export { readExtractions, saveExtractions } from './extractions.ts';
export { bindKey, giveKeyBack, type KeptAnswer, keepAnswer, renewKey, takeKey } from './idempotency-keys.ts';
export {
  insertEvents,
  insertLastEvent,
  type JobEvent,
  readCheckpoints,
  readEvents,
  saveCheckpoint,
} from './job-progress.ts';
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
  listFailedJobs,
  noteProgress,
  readJob,
  releaseJob,
  retryJob,
  wasEndedBy,
} from './jobs.ts';
export { readJudgements, saveJudgements } from './judgements.ts';
export { type Page, type PageRequest, pageOf, timeCursor } from './page.ts';
export { sweep } from './retention.ts';
export * as schema from './schema.ts';
export { apiKeys, digests, documents, tenants } from './schema.ts';
export { storeCache } from './store-cache.ts';
export { claimJob, jobDue, nextJobAt, orphanedJobs, renewLeases, takeJob } from './take-jobs.ts';
export {
  type ClaimedWebhook,
  claimWebhooks,
  endWebhook,
  insertWebhook,
  listFailedWebhooks,
  listWebhooks,
  nextDue,
  postponeWebhook,
  readWebhook,
  retryWebhook,
  rotateWebhookSecret,
  type StoredWebhook,
  waitingWebhooks,
  webhookSecrets,
} from './webhooks.ts';
