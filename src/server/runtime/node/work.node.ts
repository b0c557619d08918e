import type { Digest } from '../../../contract/index.ts';
import { sweep } from '../../../store/index.ts';
import { digestOutcomes } from '../../experiments/digest-outcomes.ts';
import { startWorker, type Worker } from '../../jobs/start-worker.ts';
import { describeFailure } from '../../problem.ts';
import { VERSION } from '../../routes/open-api.ts';
import { NO_METRICS, type ServiceMetrics } from '../../service-metrics.ts';
import { startWebhooks } from '../../webhooks/start-webhooks.ts';
import type { Configuration, ServiceConfiguration } from '../configuration.ts';
import { sendWebhook } from './send-webhook.node.ts';
import { type Service, startService } from './service.node.ts';

interface Work {
  readonly worker: Worker;
  stop(milliseconds: number): Promise<void>;
}

const POLL = 500;
/** Concurrent deliveries: they mostly wait, and a hanging receiver should not delay others. */
const WEBHOOKS = 64;
/** Milliseconds for running deliveries and sweeps, which are retried if cut off. */
const LAST_CHORES = 3000;
const HOUR = 60 * 60 * 1000;

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

export function startWork({ deps, log }: Service, configuration: ServiceConfiguration, metrics: ServiceMetrics): Work {
  const { database } = deps;
  const webhooks = startWebhooks({
    connection: database,
    concurrency: WEBHOOKS,
    send: sendWebhook({ allow: configuration.webhookTargets }),
    report: ({ state, ...report }) => {
      metrics.webhook(state === 'waiting' ? 'retried' : state);
      log[state === 'delivered' ? 'info' : 'warn']({ state, ...report }, 'webhook');
    },
    reportError: (err) => log.error({ err }, 'webhooks'),
  });
  const worker = startWorker(
    {
      ...deps,
      version: VERSION,
      describeFailure,
      reportJobFailure: (err, job) => log.error({ err, job: job.id, attempt: job.attempt }, 'job failed'),
      onJob: (event) => {
        metrics.job(event);
        if (event === 'done' || event === 'failed' || event === 'cancelled') webhooks.wake();
      },
      onDigest: (digest, milliseconds) => measure(digest, milliseconds, metrics),
      onEnd: digestOutcomes,
    },
    { slots: configuration.jobs, leaseMilliseconds: configuration.leaseMilliseconds, pollMilliseconds: POLL },
  );
  const sweeper = startSweeper(configuration.retentionMilliseconds);

  function startSweeper(retention: number | null) {
    let sweeping: Promise<void> = Promise.resolve();
    const again = (): void => {
      sweeping = sweep(database, retention).then(
        (swept) => log.info(swept, 'swept'),
        (err) => log.error({ err }, 'sweep failed'),
      );
    };
    again();
    const timer = setInterval(again, HOUR);
    return {
      async stop() {
        clearInterval(timer);
        await Promise.race([sweeping, patience(LAST_CHORES)]);
      },
    };
  }

  return {
    worker,
    async stop(milliseconds) {
      await Promise.all([
        worker.stop(milliseconds).then(() => Promise.race([webhooks.stop(), patience(LAST_CHORES)])),
        sweeper.stop(),
      ]);
    },
  };
}

function measure(
  { status, timings, usage, keyPoints, documents }: Digest,
  milliseconds: number,
  metrics: ServiceMetrics,
) {
  metrics.digest(status, milliseconds / 1000);
  for (const stage of ['extract', 'encode', 'rank', 'select', 'write'] as const) {
    metrics.stage(stage, timings[stage] / 1000);
  }
  for (const stage of ['extract', 'select', 'write', 'judge', 'encode'] as const) {
    const spent = usage.stages[stage];
    if (spent !== undefined) metrics.tokens(stage, spent.promptTokens, spent.completionTokens);
  }
  metrics.reused('extractions', usage.reusedExtractions, documents.length);
  metrics.reused('encodings', usage.reusedEncodings, keyPoints.length);
}

export async function workOnly(configuration: Configuration): Promise<void> {
  const service = await startService(configuration);
  await service.deps.engine.warmUp();
  const work = startWork(service, configuration.service, NO_METRICS);
  service.log.info({ worker: work.worker.owner, jobs: configuration.service.jobs }, 'working');
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      service.log.info({ signal }, 'stopping');
      void work.stop(configuration.service.shutdownMilliseconds).then(() => service.close());
    });
  }
}
