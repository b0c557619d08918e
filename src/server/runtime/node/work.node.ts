import { type Digest, STAGES } from '../../../contract/index.ts';
import { sweep } from '../../../store/index.ts';
import { poll } from '../../jobs/poll.ts';
import { startWorker } from '../../jobs/start-worker.ts';
import { NO_METRICS, type ServiceMetrics } from '../../service-metrics.ts';
import { runSubscriptions } from '../../subscriptions/run-subscriptions.ts';
import { startWebhooks } from '../../webhooks/deliver.ts';
import type { Configuration, ServiceConfiguration } from '../configuration.ts';
import { deliveryDeps, jobDeps } from '../parts.ts';
import { sendWebhook } from './send-webhook.node.ts';
import { endOnSignal, type Service, startService } from './service.node.ts';

const POLL = 500;
/** Concurrent deliveries: they mostly wait, and a hanging receiver should not delay others. */
const WEBHOOKS = 64;
/** Milliseconds for running deliveries and sweeps, which are retried if cut off. */
const LAST_CHORES = 3000;
const HOUR = 60 * 60 * 1000;

export function startWork({ deps, log }: Service, configuration: ServiceConfiguration, metrics: ServiceMetrics) {
  const { database } = deps;
  const delivery = deliveryDeps(database, sendWebhook({ allow: configuration.webhookTargets }), log);
  const webhooks = startWebhooks({
    ...delivery,
    concurrency: WEBHOOKS,
    report(report) {
      metrics.count('webhooks', { outcome: report.state === 'waiting' ? 'retried' : report.state });
      delivery.report?.(report);
    },
  });
  const worker = startWorker(
    {
      ...jobDeps(deps, log),
      onJob: (event) => {
        metrics.count('jobs', { event });
        if (event === 'done' || event === 'failed' || event === 'cancelled') webhooks.wake();
      },
      onDigest: (digest, milliseconds) => measure(digest, milliseconds, metrics),
    },
    { slots: configuration.jobs, leaseMilliseconds: configuration.leaseMilliseconds, pollMilliseconds: POLL },
  );
  const runDue = async (): Promise<number> => {
    const { length } = await runSubscriptions({ ...deps, worker, log, service: configuration });
    metrics.count('jobs', { event: 'queued' }, length);
    return POLL;
  };
  const subscriptions = poll(runDue, POLL, (err) => log('error', { err }, 'subscriptions'));
  subscriptions.wake();
  let sweeping: Promise<void> = Promise.resolve();
  const sweepAgain = (): void => {
    sweeping = sweep(database, configuration.retentionMilliseconds).then(
      (swept) => log('info', { ...swept }, 'swept'),
      (err) => log('error', { err }, 'sweep failed'),
    );
  };
  sweepAgain();
  const sweeper = setInterval(sweepAgain, HOUR);
  const orLate = (chore: Promise<void>): Promise<void> =>
    Promise.race([chore, new Promise<void>((resolve) => setTimeout(resolve, LAST_CHORES).unref())]);
  return {
    worker,
    async stop(milliseconds: number): Promise<void> {
      clearInterval(sweeper);
      await subscriptions.stop();
      await Promise.all([worker.stop(milliseconds).then(() => orLate(webhooks.stop())), orLate(sweeping)]);
    },
  };
}

function measure(
  { status, timings, usage, keyPoints, counts, documents }: Digest,
  milliseconds: number,
  metrics: ServiceMetrics,
) {
  metrics.time('digests', { status }, milliseconds / 1000);
  for (const stage of STAGES) metrics.time('stages', { stage }, timings[stage] / 1000);
  for (const [stage, spent] of Object.entries(usage.stages)) {
    if (spent === undefined) continue;
    metrics.count('tokens', { stage, kind: 'prompt' }, spent.promptTokens);
    metrics.count('tokens', { stage, kind: 'completion' }, spent.completionTokens);
  }
  const reused = [
    ['extractions', usage.reusedExtractions, documents.length],
    ['encodings', usage.reusedEncodings, counts?.keyPoints ?? keyPoints.length],
  ] as const;
  for (const [kind, hits, total] of reused) {
    metrics.count('lookups', { kind, result: 'hit' }, hits);
    metrics.count('lookups', { kind, result: 'miss' }, total - hits);
  }
}

export async function workOnly(configuration: Configuration): Promise<void> {
  const service = await startService(configuration);
  await service.deps.engine.warmUp();
  const work = startWork(service, configuration.service, NO_METRICS);
  service.log('info', { worker: work.worker.owner, jobs: configuration.service.jobs }, 'working');
  endOnSignal(service.log, async () => {
    await work.stop(configuration.service.shutdownMilliseconds);
    await service.close();
  });
}
