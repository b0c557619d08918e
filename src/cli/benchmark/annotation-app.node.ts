import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AnnotatedSource, Refusal, Session } from '../../contract/index.ts';
import { type AnnotationItem, decidedSchema, decisionsOf } from '../../lab/index.ts';
import { invalidBody, type PageFiles, pageRoutes } from '../../server/index.ts';
import { packageFile } from '../../text/index.node.ts';
import { UsageError } from '../command.node.ts';
import type { LabelFile } from './label-files.node.ts';

function refuse(context: Context, status: 401 | 404 | 413 | 422 | 500, detail: string) {
  return context.json<Refusal>({ detail }, status);
}

/** Requires the token, which no other page knows: not even one whose name resolves to this machine. */
function onlyThisPage(token: string): MiddlewareHandler {
  const wanted = Buffer.from(`Bearer ${token}`);
  return async (context, next) => {
    const given = Buffer.from(context.req.header('authorization') ?? '');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      return refuse(context, 401, 'Open the page by the whole address that was printed.');
    }
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    return next();
  };
}

/** Written by `npm run build:page`. */
const FOLDER = packageFile('dist', 'page', 'annotate');

function annotationPageFiles(): PageFiles {
  if (!existsSync(`${FOLDER}/index.html`)) throw new UsageError('The page is not there yet: npm run build makes it.');
  return serveStatic({ root: FOLDER, precompressed: true });
}

const MAX_BYTES = 10_000;

interface Annotation {
  readonly set: string;
  readonly items: readonly AnnotationItem[];
  readonly annotator: string;
  readonly file: Pick<LabelFile, 'labels' | 'add'>;
}

function annotationApp({ set, items, annotator, file }: Annotation, token: string): Hono {
  const documents = [...new Set(items.map(({ document }) => document))];
  const shown = items.map(({ id, query, kind, statement, document, spans, fields }) => ({
    ...{ id, query, kind, statement, spans, fields },
    document: documents.indexOf(document),
  }));
  const ownDecisions = () =>
    decisionsOf(file.labels().filter((label) => label.annotator === annotator)).map(({ item, field, value }) => {
      return { item, field, value };
    });

  const app = new Hono();
  app.route('/', pageRoutes(annotationPageFiles()));
  app.use('/api/*', onlyThisPage(token));
  app.get('/api/session', (context) => {
    return context.json<Session>({ set, annotator, items: shown, decided: ownDecisions() });
  });
  app.get('/api/documents/:place{[0-9]+}', (context) => {
    const document = documents[Number(context.req.param('place'))];
    if (document === undefined) return refuse(context, 404, 'There is no such document.');
    return context.json<AnnotatedSource>({ title: document.title ?? document.id, text: document.text });
  });
  const onError = (context: Context) => refuse(context, 413, 'This is too large for a decision.');
  app.post('/api/labels', bodyLimit({ maxSize: MAX_BYTES, onError }), async (context) => {
    const { data: decided, error } = decidedSchema.safeParse(await context.req.json().catch(() => null));
    if (error !== undefined) return refuse(context, 422, invalidBody(error).detail);
    const item = items.find(({ id }) => id === decided.item);
    if (item === undefined) return refuse(context, 422, 'There is no such item.');
    if (!item.fields.includes(decided.field)) {
      return refuse(context, 422, `"${decided.field}" is not asked of this item.`);
    }
    try {
      file.add({ ...decided, annotator, at: new Date().toISOString() });
    } catch (failure) {
      return refuse(context, 500, `The decision could not be written to the file of labels: ${String(failure)}`);
    }
    return context.body(null, 204);
  });
  app.notFound((context) => refuse(context, 404, 'There is nothing here.'));
  return app;
}

const HOST = '127.0.0.1';

interface ServedAnnotation {
  /** Address of the page, with the token behind #. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the page to this machine only.
 * @param port 0 for a free one
 * @throws UsageError if the port is taken
 */
export function serveAnnotation(annotation: Annotation, port: number): Promise<ServedAnnotation> {
  const token = randomBytes(24).toString('base64url');
  const app = annotationApp(annotation, token);
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: HOST, port }, ({ port: bound }) => {
      const close = () =>
        new Promise<void>((done) => {
          server.close(() => done());
          // Browsers keep connections open; decisions are on disk before the response.
          if ('closeAllConnections' in server) server.closeAllConnections();
        });
      resolve({ url: `http://${HOST}:${bound}/#${token}`, close });
    });
    server.once('error', (cause) =>
      reject(new UsageError(`Port ${port} cannot be served: ${cause.message}.`, { cause })),
    );
  });
}
