import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { AnnotationItem } from '../../annotation/items-of.ts';
import { fieldsOf } from '../../annotation/items-of.ts';
import { decisionsOf, type Field, type Label } from '../../annotation/label.ts';
import { pageRoutes } from '../../../server/routes/page-routes.ts';
import { invalidBody } from '../../../server/problem.ts';
import type { Decided, Refusal, Session, SourceText } from '../../../page/annotate/protocol.ts';

import type { LabelFile } from './label-file.node.ts';
import { newLabelSchema } from './label-schema.ts';
import { type Door, onlyByName, onlyThisPage } from './only-this-page.ts';
import { annotationPageFiles } from './page-files.node.ts';

/** Bytes of a decision, at most. */
const MOST_BYTES = 10_000;

export interface Annotation {
  /** Name of the set. */
  readonly set: string;
  readonly items: readonly AnnotationItem[];
  readonly asked: readonly Field[];
  /** Null where the page asks. */
  readonly annotator: string | null;
  readonly file: Pick<LabelFile, 'labels' | 'add'>;
  readonly door: Door;
  /** Told what a decision failed to be written for. */
  readonly onFailure: (failure: unknown) => void;
}

/** The page for annotators and what it asks for (`src/page/annotate/protocol.ts`). */
export function annotationApp({ set, items, asked, annotator, file, door, onFailure }: Annotation): Hono {
  const documents = [...new Set(items.map(({ document }) => document))];
  const places = new Map(documents.map((document, place) => [document, place]));
  const shown = items.map(({ id, query, keyPoint, document, spans }) => ({
    ...{ id, query, keyPoint, spans },
    document: places.get(document) ?? 0,
    fields: fieldsOf({ query }, asked),
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
    return context.json<SourceText>({ title: document.title ?? document.id, text: document.text });
  });
  app.get('/api/labels', (context) => {
    const name = context.req.query('annotator') ?? '';
    const own = decisionsOf(file.labels().filter((label) => label.annotator === name && fields.has(label.item)));
    return context.json<Decided[]>(own.map(({ item, field, value }) => ({ item, field, value })));
  });
  const tooLarge = () =>
    Response.json({ detail: 'This is too large for a decision.' } satisfies Refusal, { status: 413 });
  app.post('/api/labels', bodyLimit({ maxSize: MOST_BYTES, onError: tooLarge }), async (context) => {
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
