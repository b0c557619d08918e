import { OpenAPIHono } from '@hono/zod-openapi';
import { clientSample } from '../client-samples.ts';
import { openApiInfo } from '../open-api-info.ts';
import type { ServiceEnv } from '../service-env.ts';

/** The contract of all routes of an app, with a call of the TypeScript client for each operation that it has a method for. */
export function openApiRoutes(app: OpenAPIHono<ServiceEnv>) {
  const routes = new OpenAPIHono<ServiceEnv>();
  let document: Document | undefined;
  routes.get('/openapi.json', (context) => {
    document ??= withSamples(app.getOpenAPI31Document(openApiInfo));
    return context.json(document);
  });
  return routes;
}

type Document = ReturnType<OpenAPIHono<ServiceEnv>['getOpenAPI31Document']>;

/** What is read of an operation. */
interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media | undefined>> };
}

interface Media {
  readonly schema: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

function withSamples(document: Document): Document {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    // Paths hold operations by their methods, and nothing else: `createRoute` makes them.
    const operations = Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => {
      const sample = clientSample(operation.operationId ?? '', exampleOf(operation, document));
      return [method, sample === null ? operation : { ...operation, 'x-codeSamples': [sample] }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The first example of a body, or that of its schema; undefined where there is none. */
function exampleOf({ requestBody }: Operation, { components }: Document): unknown {
  const media = requestBody?.content['application/json'];
  const [first] = Object.values(media?.examples ?? {});
  if (first !== undefined) return first.value;
  const name = media?.schema.$ref?.split('/').at(-1) ?? '';
  return (components?.schemas?.[name] as { readonly example?: unknown } | undefined)?.example;
}
