import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { serve as bind } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { countJobs, hasKeys, waitingWebhooks } from '../../../store/index.ts';
import { fileReader, packageFile } from '../../../text/index.node.ts';
import { type AppDeps, createApp } from '../../app.ts';
import { ConfigurationError } from '../../errors.ts';
import { ANYBODY } from '../../middleware/authenticate.ts';
import type { PageFiles } from '../../routes/page.ts';
import { NO_METRICS } from '../../service-metrics.ts';
import type { Configuration } from '../configuration.ts';
import { appSettings } from '../parts.ts';
import { readyText } from '../terminal.ts';
import { addressFetcher } from './guarded-request.node.ts';
import { endOnSignal, type Service, startService } from './service.node.ts';
import { prometheusMetrics } from './service-metrics.node.ts';
import { startWork } from './work.node.ts';

export function pageFiles(): PageFiles {
  return serveStatic({
    root: packageFile('dist', 'page'),
    precompressed: true,
    rewriteRequestPath: (path) => (path === '/docs' ? '/docs.html' : path),
  });
}

/** Milliseconds for the last responses after everything else has stopped. */
const LAST_WORDS = 1000;
/** For a document that is fetched. */
const READING = { heapMegabytes: 500, megabytes: 600, milliseconds: 20_000 };
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Growth of a heap between collections. By default that of each thread may quadruple, and stays so large while others need the memory. */
const HEAP_GROWTH = '--heap-growing-percent=40';

type OwnDeps = Pick<AppDeps, 'allowsOpen' | 'metrics' | 'page'> & Partial<AppDeps>;

function startApp(service: Service, configuration: Configuration, own: OwnDeps) {
  const { deps, log } = service;
  const { service: settings } = configuration;
  const work = startWork(service, settings, own.metrics);
  const app = createApp({
    ...deps,
    ...appSettings(configuration, log),
    worker: work.worker,
    fetching: {
      callers: settings.fetch,
      allow: settings.fetchTargets,
      fetchAddress: addressFetcher({ allow: settings.fetchTargets }),
      openReader: () => fileReader(READING),
    },
    ready: () => deps.database.ready(),
    concurrency: {
      digests: Math.max(1, settings.jobs),
      others: availableParallelism(),
      maxWaitMilliseconds: settings.maxWaitMilliseconds,
    },
    ...own,
  });
  return { app, work };
}

/** The service without a socket, for this process alone, which has the database and so needs no key. */
export async function serveOwnProcess(configuration: Configuration) {
  const service = await startService(configuration);
  const own = { allowsOpen: true, rate: null, metrics: NO_METRICS, page: null };
  const { app, work } = startApp(service, configuration, own);
  const fetch = async (url: string, init: RequestInit) => app.fetch(new Request(url, init), { caller: ANYBODY });
  return { fetch, close: () => work.stop(LAST_WORDS).then(() => service.close()) };
}

/**
 * Serves until SIGINT or SIGTERM, on loopback only until the first key is created. A terminal is told where. Returns the address, once the
 * socket is bound.
 *
 * @throws ConfigurationError if a setting names something missing, or the address is not available
 */
export async function serve(configuration: Configuration): Promise<string> {
  setFlagsFromString(HEAP_GROWTH);
  const terminal = [process.stdout, process.stderr].find(({ isTTY }) => isTTY);
  terminal?.write('Starting …\n');
  const service = await startService(configuration);
  const { deps, log } = service;
  const { database, engine } = deps;
  const { service: settings } = configuration;
  await engine.warmUp();
  const hasApiKeys = await hasKeys(database);
  const isLoopback = LOOPBACK.test(configuration.host);
  if (!hasApiKeys && !isLoopback) {
    log(
      'warn',
      { asked: configuration.host, bound: '127.0.0.1' },
      'there is no key yet, so that only this machine is served: "tessera keys create", then start again',
    );
  }
  const hostname = hasApiKeys || isLoopback ? configuration.host : '127.0.0.1';
  const metrics = prometheusMetrics({
    queue: () => countJobs(database),
    waitingWebhooks: () => waitingWebhooks(database),
  });
  const allowsOpen = isLoopback || !hasApiKeys;
  const stopping = new AbortController();
  const own = { allowsOpen, metrics, page: pageFiles(), stopping: stopping.signal };
  const { app, work } = startApp(service, configuration, own);
  return new Promise((resolve, reject) => {
    const server = bind({ fetch: app.fetch, hostname, port: configuration.port }, ({ address, port }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      const url = `http://${host}:${port}`;
      log('info', { url, keys: hasApiKeys }, 'listening');
      terminal?.write(readyText(url, configuration));
      resolve(url);
    });
    server.once('error', (failure) => {
      void work.stop(0).then(() => service.close());
      reject(unavailable(failure, hostname, configuration.port));
    });
    endOnSignal(log, async () => {
      work.worker.drain();
      const closed = new Promise((done) => server.close(done));
      // Waiting callers get their answers; longer digests return to the queue, and their callers get the address; other work ends.
      const until = performance.now() + settings.shutdownMilliseconds;
      const late = new Promise((done) => setTimeout(done, settings.shutdownMilliseconds).unref());
      await Promise.race([closed, late]);
      stopping.abort();
      await work.stop(Math.max(0, until - performance.now()));
      // Send the last responses, then disconnect stalled clients.
      const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), LAST_WORDS);
      await closed;
      clearTimeout(cut);
      await service.close();
      log('info', {}, 'stopped');
    });
  });
}

const WHY_UNAVAILABLE: Readonly<Record<string, string>> = {
  EACCES: 'this user may not listen there',
  EADDRINUSE: 'another program is listening there',
  EADDRNOTAVAIL: 'this machine does not have this address',
  ENOTFOUND: 'there is no such host',
};

function unavailable(cause: Error, host: string, port: number): ConfigurationError {
  const code = 'code' in cause ? String(cause.code) : cause.message;
  const why = WHY_UNAVAILABLE[code] ?? code;
  const message = `${host}:${port} is not available: ${why}. Choose another with --port or --host (PORT, HOST).`;
  return new ConfigurationError(message, { cause });
}
