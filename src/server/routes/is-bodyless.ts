import type { Context } from 'hono';

const BODYLESS = /^\/v1\/(?:experiments\/[^/]+\/(?:start|stop)|(?:digests|webhooks)\/[^/]+\/retry)$/;

/** Whether a request needs no body, and thus no type of one; pages of other origins say where they are from, and are asked for it. */
export function isBodyless({ req }: Context): boolean {
  return req.method === 'POST' && BODYLESS.test(req.path) && req.header('origin') === undefined;
}
