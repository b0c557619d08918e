import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AnnotatedSource, Decided, Refusal, Session } from '../../contract/index.ts';
import { type AnnotationItem, decisionsOf, type Field, fieldsOf, type Label, newLabelSchema } from '../../lab/index.ts';
import { invalidBody, type PageFiles, pageRoutes } from '../../server/index.ts';
import { packageFile } from '../../text/index.node.ts';
import { UsageError } from '../command.node.ts';
import type { LabelFile } from './label-files.node.ts';

interface Door {
  /** Accepted `Host` values, with port. */
  readonly hosts: readonly string[];
  readonly token: string;
}

/** Refuses other host names: a foreign page whose name resolves to this machine (DNS rebinding). */
function onlyByName({ hosts }: Pick<Door, 'hosts'>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (hosts.includes(host)) return next();
    return context.json<Refusal>({ detail: 'This page is served under its printed address only.' }, 403);
  };
}

/** Requires the token and, for changes, the origin of this page. */
function onlyThisPage({ hosts, token }: Door): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin');
    const isRead = context.req.method === 'GET';
    const isOwn = origin === undefined ? isRead : hosts.some((host) => origin === `http://${host}`);
    if (!isOwn) return context.json<Refusal>({ detail: origin === undefined ? MISSING : FOREIGN }, 403);
    if (isSame(context.req.header('authorization') ?? '', `Bearer ${token}`)) return next();
    return context.json<Refusal>({ detail: 'Open the page by the whole address that was printed.' }, 401);
  };
}

const MISSING =
  'The header Origin is missing: whatever changes something says where it comes from, as browsers do by themselves. Send the address of this page without its path.';
const FOREIGN = 'The header Origin names another page.';

function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let i = 0; i < wanted.length; i++) difference |= given.charCodeAt(i) ^ wanted.charCodeAt(i);
  return difference === 0;
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
  readonly asked: readonly Field[];
  /** Null if the page asks for the name. */
  readonly annotator: string | null;
  readonly file: Pick<LabelFile, 'labels' | 'add'>;
  readonly door: Door;
  readonly onFailure: (failure: unknown) => void;
}

function annotationApp({ set, items, asked, annotator, file, door, onFailure }: Annotation): Hono {
  const documents = [...new Set(items.map(({ document }) => document))];
  const places = new Map(documents.map((document, place) => [document, place]));
  const shown = items.map(({ id, query, kind, statement, document, spans, fields }) => ({
    ...{ id, query, kind, statement, spans },
    document: places.get(document) ?? 0,
    fields: fieldsOf({ fields }, asked),
  }));
  const fields = new Map<string, readonly Field[]>(shown.map(({ id, fields }) => [id, fields]));
  const session: Session = { set, annotator, items: shown };

  const app = new Hono();
  app.use(onlyByName(door));
  app.route('/', pageRoutes(annotationPageFiles()));
  app.use('/api/*', onlyThisPage(door));
  app.use('/api/*', async (context, next) => {
    await next();
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
  });
  app.get('/api/session', (context) => context.json(session));
  app.get('/api/documents/:place{[0-9]+}', (context) => {
    const document = documents[Number(context.req.param('place'))];
    if (document === undefined) return context.json<Refusal>({ detail: 'There is no such document.' }, 404);
    return context.json<AnnotatedSource>({ title: document.title ?? document.id, text: document.text });
  });
  app.get('/api/labels', (context) => {
    const name = context.req.query('annotator') ?? '';
    const own = decisionsOf(file.labels().filter((label) => label.annotator === name && fields.has(label.item)));
    return context.json<Decided[]>(own.map(({ item, field, value }) => ({ item, field, value })));
  });
  const tooLarge = () =>
    Response.json({ detail: 'This is too large for a decision.' } satisfies Refusal, { status: 413 });
  app.post('/api/labels', bodyLimit({ maxSize: MAX_BYTES, onError: tooLarge }), async (context) => {
    const given = newLabelSchema.safeParse(await context.req.json().catch(() => null));
    if (!given.success) return context.json<Refusal>({ detail: invalidBody(given.error).detail }, 422);
    const label = given.data;
    const refused = refusalOf(label);
    if (refused !== null) return context.json<Refusal>({ detail: refused }, 422);
    try {
      file.add({ ...label, at: new Date().toISOString() });
    } catch (failure) {
      onFailure(failure);
      return context.json<Refusal>({ detail: 'The decision could not be written to the file of labels.' }, 500);
    }
    return context.body(null, 204);
  });
  app.notFound((context) => context.json<Refusal>({ detail: 'There is nothing here.' }, 404));
  return app;

  function refusalOf(label: Pick<Label, 'item' | 'field' | 'annotator'>): string | null {
    const known = fields.get(label.item);
    if (known === undefined) return 'There is no such item.';
    if (!known.includes(label.field)) return `"${label.field}" is not asked of this item.`;
    return annotator !== null && label.annotator !== annotator ? `Only ${annotator} annotates here.` : null;
  }
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
export function serveAnnotation(annotation: Omit<Annotation, 'door'>, port: number): Promise<ServedAnnotation> {
  const token = randomBytes(24).toString('base64url');
  const hosts: string[] = [];
  const app = annotationApp({ ...annotation, door: { hosts, token } });
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: HOST, port }, ({ port: bound }) => {
      hosts.push(`${HOST}:${bound}`, `localhost:${bound}`);
      // Browsers omit the default port.
      if (bound === 80) hosts.push(HOST, 'localhost');
      resolve({
        url: `http://${HOST}:${bound}/#${token}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            // Browsers keep connections open; decisions are on disk before the response.
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.once('error', (cause) =>
      reject(new UsageError(`Port ${port} cannot be served: ${cause.message}.`, { cause })),
    );
  });
}
