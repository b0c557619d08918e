import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { DigestParts } from '../digest/digest-parts.ts';
import { digestRoutes } from './digests.ts';
import { healthRoutes } from './health.ts';
import { jsonOnly } from './json-only.ts';
import { keyPointRoutes } from './key-points.ts';
import { type Problem, problem, problemOf } from './problem.ts';
import { onInvalid, respond } from './respond.ts';
import { selectionRoutes } from './selections.ts';

/** What the HTTP service is built from. */
export interface AppParts extends DigestParts {
  /** Largest body in bytes. */
  readonly maxBodyBytes: number;
  /** Told of every failure that answers 500. */
  readonly reportError: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
  /** Milliseconds between comments that keep a stream open while nothing happens. */
  readonly heartbeatMilliseconds?: number;
}

export const VERSION = '0.1.0';

/** The whole service as a Hono app; entry points bind it, tests call `app.request`. */
export function createApp(parts: AppParts) {
  const app = new OpenAPIHono({ defaultHook: onInvalid });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return respond(ofHttpException(error));
    const answer = problemOf(error);
    if (answer.status >= 500) parts.reportError(error, { method: context.req.method, path: context.req.path });
    return respond(answer);
  });
  app.notFound(() => respond(problem(404, 'not-found', 'Not found', 'There is nothing at this address.')));
  app.use(
    bodyLimit({
      maxSize: parts.maxBodyBytes,
      onError: () =>
        respond(
          problem(413, 'body-too-large', 'The body is too large', `At most ${parts.maxBodyBytes} bytes are accepted.`),
        ),
    }),
  );
  app.use(jsonOnly);
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: VERSION,
      description: 'Intent-tailored, cited digests of many documents.',
    },
  });
  return app
    .route('/', healthRoutes(parts))
    .route('/', keyPointRoutes(parts))
    .route('/', digestRoutes(parts))
    .route('/', selectionRoutes(parts));
}

export type App = ReturnType<typeof createApp>;

function ofHttpException({ status, message }: HTTPException): Problem {
  if (status === 400)
    return problem(400, 'malformed-json', 'The body is not JSON', 'The body could not be read as JSON.');
  return problem(status, 'http-error', 'The request cannot be served', message);
}
