export { TenantRate, workerAppDeps } from './runtime/worker/app-deps.worker.ts';
export { type EdgeEnv, edgeService, type JobMessage } from './runtime/worker/service.worker.ts';
export { beginWorkflows, DigestWorkflow, runScheduled } from './runtime/worker/workflows.worker.ts';
