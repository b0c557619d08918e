export { edgeAppParts } from './runtime/worker/app-parts.worker.ts';
export { beginWorkflows } from './runtime/worker/begin-workflows.worker.ts';
export { DigestWorkflow } from './runtime/worker/digest-workflow.worker.ts';
export type { EdgeEnv, JobMessage } from './runtime/worker/edge-env.worker.ts';
export { lookAfter } from './runtime/worker/look-after.worker.ts';
export { edgeService } from './runtime/worker/service.worker.ts';
