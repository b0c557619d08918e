import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { UsageError } from '../../cli/usage-error.ts';
import { type Annotation, annotationApp } from './annotation-app.node.ts';

const HOST = '127.0.0.1';

export interface ServedAnnotation {
  /** Where the page is; what follows # lets in. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the page for annotators to this machine only.
 *
 * @param port 0 for one that is free
 * @throws UsageError where the port is taken
 */
export function serveAnnotation(annotation: Omit<Annotation, 'door'>, port: number): Promise<ServedAnnotation> {
  const token = randomBytes(24).toString('base64url');
  // Known once the port is.
  const hosts: string[] = [];
  const app = annotationApp({ ...annotation, door: { hosts, token } });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: HOST, port }, ({ port: bound }) => {
      hosts.push(`${HOST}:${bound}`, `localhost:${bound}`);
      // Browsers leave out the port of the protocol.
      if (bound === 80) hosts.push(HOST, 'localhost');
      resolve({
        url: `http://${HOST}:${bound}/#${token}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            // A browser keeps connections open; decisions are on disk before they are answered.
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.once('error', (cause) =>
      reject(new UsageError(`Port ${port} cannot be served: ${cause.message}.`, { cause })),
    );
  });
}
