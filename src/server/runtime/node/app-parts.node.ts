import { availableParallelism } from 'node:os';
import type { Configuration } from '../configuration.ts';
import type { Worker } from '../../jobs/start-worker.ts';
import type { AppParts } from '../../app.ts';
import type { ServiceMetrics } from '../../service-metrics.ts';
import { pageFiles } from './page-files.node.ts';
import type { Service } from './service.node.ts';

/**
 * What the HTTP service is built from on Node.
 *
 * @param allowsOpen whether everybody may be served as long as no key was ever made
 */
export function appParts(
  { parts, log }: Service,
  { service: settings, maxBodyBytes }: Configuration,
  worker: Worker,
  metrics: ServiceMetrics,
  allowsOpen: boolean,
): AppParts {
  return {
    ...parts,
    worker,
    maxBodyBytes,
    limits: settings.limits,
    rate: settings.rate,
    allowsOpen,
    hands: {
      digests: Math.max(1, settings.jobs),
      others: availableParallelism(),
      patienceMilliseconds: settings.patienceMilliseconds,
    },
    mostCollectionDocuments: settings.collectionDocuments,
    allowedTargets: settings.webhookTargets,
    metrics,
    page: pageFiles(),
    log: (level, fields, message) => log[level](fields, message),
    logsPaths: log.isLevelEnabled('debug'),
    reportError: (err, request) => log.error({ err, ...request }, 'request failed'),
  };
}
