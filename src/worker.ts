import type { ExecutionContext, MessageBatch, ScheduledController } from '@cloudflare/workers-types';
import { createApp } from './server/app.ts';
import { problem } from './server/problem.ts';
import { respond } from './server/respond.ts';
import { consoleLog } from './server/runtime/console-log.ts';
import { edgeAppParts } from './server/runtime/worker/app-parts.worker.ts';
import { beginWorkflows } from './server/runtime/worker/begin-workflows.worker.ts';
import type { EdgeEnv, JobMessage } from './server/runtime/worker/edge-env.worker.ts';
import { lookAfter } from './server/runtime/worker/look-after.worker.ts';
import { edgeService } from './server/runtime/worker/service.worker.ts';

export { DigestWorkflow } from './server/runtime/worker/digest-workflow.worker.ts';

export default {
  /** Serves the API. An app for each request: half a millisecond, and nothing that waits is shared between two. */
  fetch(request: Request, env: EdgeEnv, context: ExecutionContext) {
    try {
      const parts = edgeAppParts(edgeService(env), env, (work) => context.waitUntil(work));
      const answer = Promise.resolve(createApp(parts).fetch(request, env, context));
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
      messages.map(({ body: { id } }) => ({ name: id, id })),
    );
  },

  /** Looks after what got lost on its way, every minute. */
  async scheduled({ scheduledTime }: ScheduledController, env: EdgeEnv) {
    await lookAfter(edgeService(env), env, scheduledTime);
  },
};
