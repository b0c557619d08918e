import type { Digest } from '../../../contract/index.ts';
import { sweep } from '../../../store/index.ts';
import { digestOutcomes } from '../../experiments/digest-outcomes.ts';
import { startWorker, type Worker } from '../../jobs/start-worker.ts';
import { VERSION } from '../../open-api-info.ts';
import { describeFailure } from '../../problem.ts';
import type { ServiceMetrics } from '../../service-metrics.ts';
import { startWebhooks } from '../../webhooks/start-webhooks.ts';
import type { ServiceConfiguration } from '../configuration.ts';
import { sendWebhook } from './send-webhook.node.ts';
import type { Service } from './service.node.ts';

/** What a process does beside answering: jobs, webhooks, clearing away. */
interface Work {
  readonly worker: Worker;
  /** Lets what is under way end for so long, and hands the rest back. */
  stop(milliseconds: number): Promise<void>;
}

const POLL = 500;
/** Deliveries at once: they only wait, and receivers that hang should not hold up the others. */
const WEBHOOKS = 64;
/** Milliseconds for deliveries and clearing under way; what is cut off is done again by whoever is next. */
const LAST_CHORES = 3000;
const HOUR = 60 * 60 * 1000;

function patience(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

/** Starts to do the work that is in the database, beside other processes that may do the same. */
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
        await Promise.race([sweeping, patience(LAST_CHORES)]); // what is left is for the next
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
