export { workerAppDeps } from './runtime/worker/app-deps.worker.ts';
export { DigestWorkflow } from './runtime/worker/digest-workflow.worker.ts';
export type { EdgeEnv, JobMessage } from './runtime/worker/edge-configuration.worker.ts';
export { beginWorkflows, runScheduled } from './runtime/worker/run-scheduled.worker.ts';
export { edgeService } from './runtime/worker/service.worker.ts';
export { TenantRate } from './runtime/worker/tenant-rate.worker.ts';
