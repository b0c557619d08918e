import type { ExecutionContext, MessageBatch, ScheduledController } from '@cloudflare/workers-types';
import { consoleLog, createApp, respond } from './server/index.ts';
import {
  beginWorkflows,
  type EdgeEnv,
  edgeService,
  type JobMessage,
  runScheduled,
  workerAppDeps,
} from './server/index.worker.ts';

export { DigestWorkflow, TenantRate } from './server/index.worker.ts';

export default {
  /** One app per request: it takes half a millisecond, and requests share no pending work. */
  fetch(request: Request, env: EdgeEnv, context: ExecutionContext) {
    try {
      const deps = workerAppDeps(edgeService(env), env, (work) => context.waitUntil(work));
      const answer = Promise.resolve(createApp(deps).fetch(request, env, context));
      // If the caller disconnects, the request ends; its work must be cancelled first.
      context.waitUntil(answer.catch(() => {}));
      return answer;
    } catch (err) {
      consoleLog('error')('error', { err }, 'cannot serve');
      return respond('misconfigured');
    }
  },

  /** Starts the workflows of accepted digests; existing ones are left alone. */
  async queue({ messages }: MessageBatch<JobMessage>, env: EdgeEnv) {
    await beginWorkflows(
      env,
      messages.map(({ body: { id, run } }) => ({ name: run === undefined ? id : `${id}-run-${run}`, id })),
    );
  },

  /** Recovers lost work, every minute. */
  async scheduled({ scheduledTime }: ScheduledController, env: EdgeEnv) {
    await runScheduled(edgeService(env), env, scheduledTime);
  },
};
