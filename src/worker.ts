import type { ExecutionContext, MessageBatch, ScheduledController } from '@cloudflare/workers-types';
import { consoleLog, createApp, problem, respond } from './server/index.ts';
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
  /** Serves the API. An app for each request: half a millisecond, and nothing that waits is shared between two. */
  fetch(request: Request, env: EdgeEnv, context: ExecutionContext) {
    try {
      const deps = workerAppDeps(edgeService(env), env, (work) => context.waitUntil(work));
      const answer = Promise.resolve(createApp(deps).fetch(request, env, context));
      // A caller who hangs up ends the request; what it was for is to be cancelled before.
      context.waitUntil(answer.catch(() => {}));
      return answer;
    } catch (err) {
      consoleLog('error')('error', { err }, 'cannot serve');
      return respond(problem(500, 'misconfigured', 'The service is not configured', 'Its log says what is wrong.'));
    }
  },

  /** Begins the workflows of digests that were accepted; those that exist already are left alone. */
  async queue({ messages }: MessageBatch<JobMessage>, env: EdgeEnv) {
    await beginWorkflows(
      env,
      messages.map(({ body: { id, run } }) => ({ name: run === undefined ? id : `${id}-run-${run}`, id })),
    );
  },

  /** Looks after what got lost on its way, every minute. */
  async scheduled({ scheduledTime }: ScheduledController, env: EdgeEnv) {
    await runScheduled(edgeService(env), env, scheduledTime);
  },
};
