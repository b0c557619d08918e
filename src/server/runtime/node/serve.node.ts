import { serve as bind } from '@hono/node-server';
import { appParts } from './app-parts.node.ts';
import type { Configuration } from '../configuration.ts';
import { createApp } from '../../app.ts';
import { startService } from './service.node.ts';
import { prometheusMetrics } from './service-metrics.node.ts';
import { hasKeys } from '../../../store/api-keys.ts';
import { countJobs } from '../../../store/jobs.ts';
import { waitingWebhooks } from '../../../store/webhooks.ts';
import { startWork } from './work.node.ts';

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
  const { parts, log } = service;
  const { database, engine } = parts;
  const { service: settings } = configuration;
  await engine.warmUp();
  const isKeyed = await hasKeys(database);
  const isLoopback = LOOPBACK.test(configuration.host);
  if (!isKeyed && !isLoopback) {
    log.warn(
      { asked: configuration.host, bound: '127.0.0.1' },
      'there is no key yet, so that only this machine is served: "tessera keys create", then start again',
    );
  }
  const hostname = isKeyed || isLoopback ? configuration.host : '127.0.0.1';
  const metrics = prometheusMetrics({
    queue: () => countJobs(database),
    waitingWebhooks: () => waitingWebhooks(database),
  });
  const work = startWork(service, settings, metrics);
  const app = createApp(appParts(service, configuration, work.worker, metrics, isLoopback || !isKeyed));
  return new Promise((resolve, reject) => {
    const server = bind({ fetch: app.fetch, hostname, port: configuration.port }, ({ address, port }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      log.info({ url: `http://${host}:${port}`, keys: isKeyed }, 'listening');
      resolve(`http://${host}:${port}`);
    });
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
