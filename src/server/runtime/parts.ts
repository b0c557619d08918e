import type { Engine } from '../../digest/index.ts';
import type { Prompts } from '../../models/index.ts';
import { type Database, storeCache } from '../../store/index.ts';
import type { AppDeps } from '../app.ts';
import type { JobDeps } from '../jobs/run-job.ts';
import type { Log } from '../middleware/request-log.ts';
import { VERSION } from '../routes/open-api.ts';
import { type ServiceDeps, WORK_HERE } from '../service-deps.ts';
import type { DeliveryDeps, SendWebhook } from '../webhooks/deliver.ts';
import { type Configuration, modelsOf } from './configuration.ts';

/** What digests are made with, on either runtime. */
export function serviceDeps<Own extends { readonly database: Database; readonly engine: Engine }>(
  own: Own,
  configuration: Configuration,
  prompts: Prompts,
  log: Log,
  servedContext?: number,
): ServiceDeps & Own {
  return {
    work: WORK_HERE,
    ...own,
    cache: storeCache(own.database),
    models: modelsOf(configuration, prompts, servedContext),
    maxPoints: configuration.service.digestPoints,
    reportFailure: (err, where) => log('warn', { err, ...where }, 'absorbed a failure'),
  };
}

export function jobDeps(deps: ServiceDeps, log: Log): JobDeps {
  return {
    ...deps,
    version: VERSION,
    reportJobFailure: (err, { id, attempt }) => log('error', { err, job: id, attempt }, 'job failed'),
  };
}

export function deliveryDeps(connection: Database, send: SendWebhook, log: Log): DeliveryDeps {
  return {
    connection,
    send,
    report: (report) => log(report.state === 'delivered' ? 'info' : 'warn', { ...report }, 'webhook'),
    reportError: (err) => log('error', { err }, 'webhooks'),
  };
}

/** The settings of the HTTP service, but for those that depend on the runtime. */
export function appSettings({ service, maxBodyBytes }: Configuration, log: Log) {
  return {
    maxBodyBytes,
    limits: service.limits,
    rate: service.rate,
    maxCollectionDocuments: service.collectionDocuments,
    allowedTargets: service.webhookTargets,
    log,
    reportError: (err, request) => log('error', { err, ...request }, 'request failed'),
  } satisfies Partial<AppDeps>;
}
