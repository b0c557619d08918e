import { availableParallelism } from 'node:os';
import { serve as bind } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { countJobs, hasKeys, waitingWebhooks } from '../../../store/index.ts';
import { packageFile } from '../../../text/index.node.ts';
import { type AppDeps, createApp } from '../../app.ts';
import type { Worker } from '../../jobs/start-worker.ts';
import type { PageFiles } from '../../routes/page-routes.ts';
import type { ServiceMetrics } from '../../service-metrics.ts';
import type { Configuration } from '../configuration.ts';
import { answerUnreadRequests } from './answer-unread-requests.node.ts';
import { type Service, startService } from './service.node.ts';
import { prometheusMetrics } from './service-metrics.node.ts';
import { startWork } from './work.node.ts';

/** What `npm run build:page` writes. */
const FOLDER = packageFile('dist', 'page');

/** The files of the page, compressed as they were built where the browser takes that. */
export function pageFiles(): PageFiles {
  return serveStatic({
    root: FOLDER,
    precompressed: true,
    rewriteRequestPath: (path) => (path === '/docs' ? '/docs.html' : path),
  });
}

/**
 * What the HTTP service is built from on Node.
 *
 * @param allowsOpen whether everybody may be served as long as no key was ever made
 */
function appDeps(
  { deps, log }: Service,
  { service: settings, maxBodyBytes }: Configuration,
  worker: Worker,
  metrics: ServiceMetrics,
  allowsOpen: boolean,
): AppDeps {
  return {
    ...deps,
    worker,
    ready: () => deps.database.ready(),
    maxBodyBytes,
    limits: settings.limits,
    rate: settings.rate,
    allowsOpen,
    concurrency: {
      digests: Math.max(1, settings.jobs),
      others: availableParallelism(),
      maxWaitMilliseconds: settings.maxWaitMilliseconds,
    },
    maxCollectionDocuments: settings.collectionDocuments,
    allowedTargets: settings.webhookTargets,
    metrics,
    page: pageFiles(),
    log: (level, fields, message) => log[level](fields, message),
    logsPaths: log.isLevelEnabled('debug'),
    reportError: (err, request) => log.error({ err, ...request }, 'request failed'),
  };
}

/** Milliseconds for answers on their way when everything else has stopped. */
const LAST_WORDS = 1000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;

/**
 * Serves the API, and does the work in the database, until SIGINT or SIGTERM. As long as no key was ever made it binds to
 * loopback only.
 *
 * @returns once the socket is bound, with the address
 */
export async function serve(configuration: Configuration): Promise<string> {
  const service = await startService(configuration);
  const { deps, log } = service;
  const { database, engine } = deps;
  const { service: settings } = configuration;
  await engine.warmUp();
  const hasApiKeys = await hasKeys(database);
  const isLoopback = LOOPBACK.test(configuration.host);
  if (!hasApiKeys && !isLoopback) {
    log.warn(
      { asked: configuration.host, bound: '127.0.0.1' },
      'there is no key yet, so that only this machine is served: "tessera keys create", then start again',
    );
  }
  const hostname = hasApiKeys || isLoopback ? configuration.host : '127.0.0.1';
  const metrics = prometheusMetrics({
    queue: () => countJobs(database),
    waitingWebhooks: () => waitingWebhooks(database),
  });
  const work = startWork(service, settings, metrics);
  const app = createApp(appDeps(service, configuration, work.worker, metrics, isLoopback || !hasApiKeys));
  return new Promise((resolve, reject) => {
    const server = bind({ fetch: app.fetch, hostname, port: configuration.port }, ({ address, port }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      log.info({ url: `http://${host}:${port}`, keys: hasApiKeys }, 'listening');
      resolve(`http://${host}:${port}`);
    });
    answerUnreadRequests(server);
    server.once('error', (failure) => {
      void work.stop(0).then(() => service.close());
      reject(failure);
    });
    let isEnding = false;
    const end = async (signal: string): Promise<void> => {
      if (isEnding) return;
      isEnding = true;
      log.info({ signal }, 'stopping');
      work.worker.drain();
      const closed = new Promise((done) => server.close(done));
      // Callers who wait get their answers; what takes longer is handed back, and they are told where it will be.
      const until = performance.now() + settings.shutdownMilliseconds;
      const late = new Promise((done) => setTimeout(done, settings.shutdownMilliseconds).unref());
      await Promise.race([closed, late]);
      await work.stop(Math.max(0, until - performance.now()));
      // Answers that were just given go out; who still sends, or does not read, is cut off.
      const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), LAST_WORDS);
      await closed;
      clearTimeout(cut);
      metrics.stop();
      await service.close();
      log.info('stopped');
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(signal));
  });
}
