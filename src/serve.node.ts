import { serve as bind } from '@hono/node-server';
import type { Configuration } from './configuration.ts';
import { createApp } from './http/app.ts';
import { startService } from './service.node.ts';

/**
 * Serves the API until SIGINT or SIGTERM.
 *
 * @returns once the socket is bound, with the address
 */
export async function serve(configuration: Configuration): Promise<string> {
  const service = await startService(configuration);
  await service.parts.engine.warmUp();
  const app = createApp(service.parts);
  return new Promise((resolve, reject) => {
    const server = bind(
      { fetch: app.fetch, hostname: configuration.host, port: configuration.port },
      ({ address, port }) => {
        const host = address.includes(':') ? `[${address}]` : address;
        service.log.info({ url: `http://${host}:${port}` }, 'listening');
        resolve(`http://${host}:${port}`);
      },
    );
    server.once('error', reject);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        server.close(() => void service.close());
      });
    }
  });
}
