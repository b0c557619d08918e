import { Hono } from 'hono';
import { respond } from '../problem.ts';
import type { Caller, ServiceEnv } from '../service-deps.ts';
import { VERSION } from './open-api.ts';
import type { StreamDeps } from './stream-digest.ts';

type Serve = (request: Request, caller: Caller) => Promise<Response>;

/** Tools for agents over streamable HTTP. They call `serve`, the whole service, so that the caller's limits and tenant hold. */
export function mcpRoutes(deps: Pick<StreamDeps, 'reportError'>, serve: Serve) {
  const running = new Map<string, AbortController>();
  return new Hono<ServiceEnv>().post('/mcp', async ({ req, var: { caller } }) => {
    const message: unknown = await req.json().catch(() => undefined);
    if (message === undefined) return respond('malformed-json');
    const { method, id, params } = Object(message);
    // A session is a name by which a cancellation finds its call in this process; messages stand alone.
    const session = req.header('mcp-session-id');
    const nameOf = (call: unknown) => JSON.stringify([caller.tenant, caller.key, session, call]);
    if (method === 'notifications/cancelled') running.get(nameOf(params?.requestId))?.abort();
    const cancelled = new AbortController();
    if (method === 'tools/call' && session !== undefined) running.set(nameOf(id), cancelled);
    const onclose = () => running.get(nameOf(id)) === cancelled && running.delete(nameOf(id));
    // Loaded with the first message: most services get none.
    const { createMcpHandler, TOOLS, toolServer } = await import('../../mcp/index.ts');
    const connect = () => {
      const fetch = (url: string, init: RequestInit) => serve(new Request(url, init), caller);
      const { server } = toolServer(TOOLS, {
        version: VERSION,
        service: { baseUrl: new URL(req.url).origin, fetch },
        ended: AbortSignal.any([cancelled.signal, req.raw.signal]),
        reportError: (error) => deps.reportError(error, { method: req.method, path: req.path }),
      });
      return Object.assign(server, { onclose });
    };
    // Tools never change, so there is nothing to subscribe to.
    const answer = await createMcpHandler(connect, { maxSubscriptions: 0 }).fetch(req.raw, { parsedBody: message });
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) onclose();
    if (method === 'initialize') answer.headers.set('mcp-session-id', crypto.randomUUID());
    return answer;
  });
}
