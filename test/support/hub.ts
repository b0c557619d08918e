import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface HubFile {
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection after so many bytes. */
  readonly breakAfter?: number;
}

interface Hub {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
}

/** A server on this machine that plays the model hub: these files by path, 404 for all else. */
export async function startHub(files: Readonly<Record<string, HubFile>>): Promise<Hub> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const file = files[path];
    if (file === undefined) {
      response.writeHead(404).end('Entry not found');
      return;
    }
    response.writeHead(file.status ?? 200, { 'content-length': Buffer.byteLength(file.body), ...file.headers });
    if (file.breakAfter === undefined) response.end(file.body);
    else response.write(file.body.slice(0, file.breakAfter), () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
