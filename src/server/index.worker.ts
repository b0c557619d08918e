export { workerAppDeps } from './runtime/worker/app-deps.worker.ts';
export type { EdgeEnv, JobMessage } from './runtime/worker/edge-configuration.worker.ts';
export { edgeService } from './runtime/worker/service.worker.ts';
export { TenantRate } from './runtime/worker/tenant-rate.worker.ts';
export { beginWorkflows, DigestWorkflow, runScheduled } from './runtime/worker/workflows.worker.ts';
