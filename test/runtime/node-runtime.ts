import { portableEngine } from '../../src/digest/index.ts';
import { loadPrompts } from '../../src/models/index.node.ts';
import { DEFAULT_WORKERS_AI, workersAiEncoder } from '../../src/models/index.ts';
import { createApp } from '../../src/server/index.ts';
import { startWorker } from '../../src/server/jobs/start-worker.ts';
import { sendWebhook } from '../../src/server/runtime/node/send-webhook.node.ts';
import { pageFiles } from '../../src/server/runtime/node/serve.node.ts';
import { appSettings, deliveryDeps, jobDeps, serviceDeps } from '../../src/server/runtime/parts.ts';
import { readEdgeConfiguration } from '../../src/server/runtime/worker/service.worker.ts';
import { NO_METRICS } from '../../src/server/service-metrics.ts';
import { runSubscriptions } from '../../src/server/subscriptions/run-subscriptions.ts';
import { startWebhooks } from '../../src/server/webhooks/deliver.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { type Runtime, VARIABLES } from './runtime.ts';
import { ScriptedAi } from './scripted-ai.ts';

const POLL = 100;
const SILENT = () => {};

/** The service in this process, over SQLite, with the encoder, the limits and the leases of a Worker. */
export async function startNode(): Promise<Runtime> {
  const ai = new ScriptedAi();
  // Only whether there is an AI is asked of the bindings.
  const configuration = readEdgeConfiguration({ ...VARIABLES, AI: ai } as never);
  const { service: settings, languageModel: transport } = configuration;
  const database = openDatabase(':memory:');
  const encoder = workersAiEncoder(DEFAULT_WORKERS_AI, (model, inputs) => ai.run(model, inputs), transport);
  const engine = portableEngine({ encoders: new Map([['workers-ai', encoder]]), defaultEncoder: 'workers-ai' });
  const deps = serviceDeps({ database, engine }, configuration, loadPrompts(), SILENT);
  const worker = startWorker(
    { ...jobDeps(deps, SILENT), onJob: () => webhooks.wake() },
    { slots: 4, leaseMilliseconds: settings.leaseMilliseconds, pollMilliseconds: POLL },
  );
  const delivery = deliveryDeps(database, sendWebhook({ allow: settings.webhookTargets }), SILENT);
  const webhooks = startWebhooks({ ...delivery, pollMilliseconds: POLL });
  const app = createApp({
    ...deps,
    ...appSettings(configuration, SILENT),
    worker,
    ready: () => database.ready(),
    allowsOpen: true,
    concurrency: { digests: 4, others: 4, maxWaitMilliseconds: settings.maxWaitMilliseconds },
    metrics: NO_METRICS,
    page: pageFiles(),
  });
  return {
    ai,
    connection: database,
    fetch: async (path, init) => app.request(path, init),
    // The rest a process looks for by itself.
    everyMinute: async () => void (await runSubscriptions({ ...deps, worker, log: SILENT, service: settings })),
    async close() {
      ai.release();
      await worker.stop(0);
      await webhooks.stop();
      database.close();
    },
  };
}
