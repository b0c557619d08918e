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
export * from './collections.ts';
export { type Connection, type Database, DEFAULT_TENANT, forTenant } from './database.ts';
export { countTenantRows, deleteTenant, tenantDeletion } from './deletion.ts';
export * from './digests.ts';
export { readDocuments, saveDocuments } from './documents.ts';
export * from './encodings.ts';
export { InvalidApiKeyError, StorageFullError } from './errors.ts';
export * from './experiment-data.ts';
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
export * from './job-progress.ts';
export * from './jobs.ts';
export { readJudgements, saveJudgements } from './judgements.ts';
export type { Page, PageRequest } from './page.ts';
export { sweep } from './retention.ts';
export * as schema from './schema.ts';
export { apiKeys, digests, documents, tenants } from './schema.ts';
export { storeCache } from './store-cache.ts';
export * from './take-jobs.ts';
export * from './webhooks.ts';
