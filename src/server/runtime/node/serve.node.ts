import { STATUS_CODES } from 'node:http';
import { availableParallelism } from 'node:os';
import type { Duplex } from 'node:stream';
import { serve as bind, type ServerType } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { countJobs, hasKeys, waitingWebhooks } from '../../../store/index.ts';
import { packageFile } from '../../../text/index.node.ts';
import { createApp } from '../../app.ts';
import { problem } from '../../problem.ts';
import type { PageFiles } from '../../routes/page.ts';
import type { Configuration } from '../configuration.ts';
import { appSettings } from '../parts.ts';
import { startService } from './service.node.ts';
import { prometheusMetrics } from './service-metrics.node.ts';
import { startWork } from './work.node.ts';

/** Problems for unparseable requests by Node's error code; otherwise 400. */
const PROBLEMS: Readonly<Record<string, ReturnType<typeof problem>>> = {
  HPE_HEADER_OVERFLOW: problem('headers-too-large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: problem('body-too-large', 'The chunk extensions of a request may have at most 16 kB.'),
  ERR_HTTP_REQUEST_TIMEOUT: problem('request-timeout'),
};

/** Answers unparseable requests with a problem; Node itself sends only a status. */
export function answerUnreadRequests(server: ServerType): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });
  server.on('clientError', (failure: NodeJS.ErrnoException, socket: Duplex) => {
    // Anything written now would become part of the current response.
    if (!socket.writable || answering.has(socket)) {
      socket.destroy();
      return;
    }
    const answer = PROBLEMS[failure.code ?? ''] ?? problem('malformed-request');
    const body = JSON.stringify(answer);
    const head = [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

export function pageFiles(): PageFiles {
  return serveStatic({
    root: packageFile('dist', 'page'),
    precompressed: true,
    rewriteRequestPath: (path) => (path === '/docs' ? '/docs.html' : path),
  });
}

/** Milliseconds for the last responses after everything else has stopped. */
const LAST_WORDS = 1000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Serves until SIGINT or SIGTERM, on loopback only until the first key is created. Returns the address, once the socket is bound. */
export async function serve(configuration: Configuration): Promise<string> {
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
  const work = startWork(service, settings, metrics);
  const app = createApp({
    ...deps,
    ...appSettings(configuration, log),
    worker: work.worker,
    ready: () => database.ready(),
    allowsOpen: isLoopback || !hasApiKeys,
    concurrency: {
      digests: Math.max(1, settings.jobs),
      others: availableParallelism(),
      maxWaitMilliseconds: settings.maxWaitMilliseconds,
    },
    metrics,
    page: pageFiles(),
  });
  return new Promise((resolve, reject) => {
    const server = bind({ fetch: app.fetch, hostname, port: configuration.port }, ({ address, port }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      log('info', { url: `http://${host}:${port}`, keys: hasApiKeys }, 'listening');
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
      log('info', { signal }, 'stopping');
      work.worker.drain();
      const closed = new Promise((done) => server.close(done));
      // Waiting callers get their answers; longer work returns to the queue, and its callers get the address.
      const until = performance.now() + settings.shutdownMilliseconds;
      const late = new Promise((done) => setTimeout(done, settings.shutdownMilliseconds).unref());
      await Promise.race([closed, late]);
      await work.stop(Math.max(0, until - performance.now()));
      // Send the last responses, then disconnect stalled clients.
      const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), LAST_WORDS);
      await closed;
      clearTimeout(cut);
      await service.close();
      log('info', {}, 'stopped');
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(signal));
  });
}
