import { portableEngine } from '../../src/digest/index.ts';
import { loadPrompts } from '../../src/models/index.node.ts';
import { DEFAULT_WORKERS_AI, workersAiEncoder } from '../../src/models/index.ts';
import { digestOutcomes } from '../../src/server/experiments/digest-outcomes.ts';
import { createApp, VERSION } from '../../src/server/index.ts';
import type { JobDeps } from '../../src/server/jobs/run-job.ts';
import { startWorker } from '../../src/server/jobs/start-worker.ts';
import { describeFailure } from '../../src/server/problem.ts';
import { modelsOf } from '../../src/server/runtime/configuration.ts';
import { sendWebhook } from '../../src/server/runtime/node/send-webhook.node.ts';
import { pageFiles } from '../../src/server/runtime/node/serve.node.ts';
import { readEdgeConfiguration } from '../../src/server/runtime/worker/edge-configuration.worker.ts';
import { NO_METRICS } from '../../src/server/service-metrics.ts';
import { startWebhooks } from '../../src/server/webhooks/start-webhooks.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { storeCache } from '../../src/store/index.ts';
import { type Runtime, VARIABLES } from './runtime.ts';
import { ScriptedAi } from './scripted-ai.ts';

const POLL = 100;

/** The service in this process, over SQLite, with the encoder, the limits and the leases of a Worker. */
export async function startNode(): Promise<Runtime> {
  const ai = new ScriptedAi();
  // Only whether there is an AI is asked of the bindings.
  const configuration = readEdgeConfiguration({ ...VARIABLES, AI: ai } as never);
  const { service: settings, languageModel: transport } = configuration;
  const database = openDatabase(':memory:');
  const encoder = workersAiEncoder(DEFAULT_WORKERS_AI, (model, inputs) => ai.run(model, inputs), transport);
  const parts = {
    database,
    cache: storeCache(database),
    engine: portableEngine({ encoders: new Map([['workers-ai', encoder]]), defaultEncoder: 'workers-ai' }),
    models: modelsOf(configuration, loadPrompts()),
    reportFailure: () => {},
  };
  const jobs: JobDeps = {
    ...parts,
    version: VERSION,
    describeFailure,
    reportJobFailure: () => {},
    onJob: () => webhooks.wake(),
    onEnd: digestOutcomes,
  };
  const worker = startWorker(jobs, {
    slots: 4,
    leaseMilliseconds: settings.leaseMilliseconds,
    pollMilliseconds: POLL,
  });
  const webhooks = startWebhooks({
    connection: database,
    send: sendWebhook({ allow: settings.webhookTargets }),
    pollMilliseconds: POLL,
  });
  const app = createApp({
    ...parts,
    worker,
    ready: () => database.ready(),
    maxBodyBytes: configuration.maxBodyBytes,
    limits: settings.limits,
    rate: settings.rate,
    allowsOpen: true,
    concurrency: { digests: 4, others: 4, maxWaitMilliseconds: settings.maxWaitMilliseconds },
    maxCollectionDocuments: settings.collectionDocuments,
    allowedTargets: settings.webhookTargets,
    metrics: NO_METRICS,
    page: pageFiles(),
    log: () => {},
    reportError: () => {},
  });
  return {
    name: 'node',
    ai,
    connection: database,
    fetch: async (path, init) => app.request(path, init),
    // The worker of a process that goes on looks for itself.
    everyMinute: async () => {},
    async close() {
      ai.release();
      await worker.stop(0);
      await webhooks.stop();
      database.close();
    },
  };
}
