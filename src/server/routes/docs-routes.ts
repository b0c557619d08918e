import { OpenAPIHono } from '@hono/zod-openapi';
import { openApiInfo } from '../open-api-info.ts';
import type { ServiceEnv } from '../service-env.ts';
import { docsPage } from './docs-page.ts';

/** The contract of all routes of an app: for programs, and for people. */
export function docsRoutes(app: OpenAPIHono<ServiceEnv>) {
  const routes = new OpenAPIHono<ServiceEnv>();
  let document: ReturnType<typeof app.getOpenAPI31Document> | undefined;
  let page: string | undefined;
  const contract = () => {
    document ??= app.getOpenAPI31Document(openApiInfo);
    return document;
  };
  routes.get('/openapi.json', (context) => context.json(contract()));
  routes.get('/docs', (context) => {
    context.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    page ??= docsPage(contract());
    return context.html(page);
  });
  return routes;
}
