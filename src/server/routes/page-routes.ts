import { Hono, type MiddlewareHandler } from 'hono';
import type { ServiceEnv } from '../service-env.ts';
import { ASSET_HEADERS, PAGE_HEADERS, REFERENCE_HEADERS } from './page-headers.ts';

/** Serves the files of the page: `index.html` for `/`, `docs.html` for `/docs`; calls `next` if there is no such file. */
export type PageFiles = MiddlewareHandler<ServiceEnv>;

/**
 * The built page with its security headers, for runtimes that do not serve it themselves.
 *
 * @param files null if there are none
 */
export function pageRoutes(files: PageFiles | null) {
  const routes = new Hono<ServiceEnv>();
  if (files === null) return routes;
  routes.get('/', withHeaders(PAGE_HEADERS), files);
  routes.get('/docs', withHeaders(REFERENCE_HEADERS), files);
  routes.get('/assets/*', withHeaders(ASSET_HEADERS), files);
  return routes;
}

function withHeaders(headers: Readonly<Record<string, string>>): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    await next();
    if (!context.res.ok) return;
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
  };
}
