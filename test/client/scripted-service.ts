import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a client sent. */
export interface Sent {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed; undefined where there is none. */
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Breaks the connection after the body, or before anything; or leaves it open. */
  readonly end?: 'broken' | 'open';
}

type Script = (sent: Sent, index: number) => Reply | Promise<Reply>;

/** A server on this machine that answers as a script tells it to, until the test ends. */
export class ScriptedService {
  /** All requests, in the order in which they came. */
  readonly sent: Sent[] = [];
  /** Connections that are open. */
  open = 0;
  readonly #script: Script;
  readonly #server: Server;

  private constructor(script: Script) {
    this.#script = script;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((failure: unknown) => response.writeHead(599).end(String(failure)));
    });
  }

  static async start(script: Script): Promise<ScriptedService> {
    const service = new ScriptedService(script);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    onTestFinished(async () => {
      const closed = once(service.#server, 'close');
      service.#server.close();
      service.#server.closeAllConnections();
      await closed;
    });
    return service;
  }

  get url(): string {
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open++;
    response.once('close', () => this.open--);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const { method = '', url: path = '' } = request;
    // No header that is looked at comes twice.
    const headers = request.headers as Sent['headers'];
    const sent = { method, path, headers, body: text === '' ? undefined : JSON.parse(text) };
    const { status = 200, headers: own = {}, body, end } = await this.#script(sent, this.sent.push(sent) - 1);
    if (end === 'broken' && body === undefined) {
      response.destroy();
      return;
    }
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...own });
    const written = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    if (end === undefined) response.end(written);
    // In another turn, so that the body is on its way before the connection is gone.
    else response.write(written, () => end === 'broken' && setImmediate(() => response.destroy()));
  }
}

export const STREAM = { 'content-type': 'text/event-stream' };

/** A problem as the service answers it. */
export function problem(status: number, code: string, more: object = {}): Reply & { readonly body: object } {
  const body = { type: `urn:tessera:problem:${code}`, title: code, status, detail: `it is ${code}`, ...more };
  return { status, headers: { 'x-request-id': 'req_1' }, body };
}

/** An event as it stands in a stream. */
export function eventText(id: number, event: string, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** As much of a digest as a client looks at. */
export const DIGEST = { id: 'dig_1', status: 'completed', summary: { text: 'Trams run. [1]', sentences: [] } };
export const PENDING = { id: 'dig_1', status: 'queued', progress: null, createdAt: '2026-05-01T10:00:00Z' };
