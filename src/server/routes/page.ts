import { Hono, type MiddlewareHandler } from 'hono';
import type { ServiceEnv } from '../service-deps.ts';

/** Nothing is loaded from or sent to elsewhere, and only own code runs. */
function headers(cache: string, ...policy: readonly string[]) {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': cache,
    'content-security-policy': ["default-src 'none'", "connect-src 'self'", ...policy].join('; '),
  };
}

const DOCUMENT = [
  "script-src 'self'",
  "img-src 'self' data:",
  ...['base-uri', 'form-action', 'frame-ancestors'].map((each) => `${each} 'none'`),
];

/** The trusted types policy parses documents, whose markup is never shown. */
export const PAGE_HEADERS = headers(
  'no-cache',
  ...DOCUMENT,
  "style-src 'self'",
  "worker-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types tessera',
);

/** The renderer of the API reference writes its own styles and has no trusted types policy. */
export const REFERENCE_HEADERS = headers('no-cache', ...DOCUMENT, "style-src 'self' 'unsafe-inline'");

/** Scripts and styles have hashed names. The script policy also applies to their worker threads. */
export const ASSET_HEADERS = headers('public, max-age=31536000, immutable', "script-src 'self' 'wasm-unsafe-eval'");

/** Serves `index.html` for `/` and `docs.html` for `/docs`; calls `next` for a missing file. */
export type PageFiles = MiddlewareHandler<ServiceEnv>;

/** The built page with its security headers, for runtimes that do not serve it themselves; null `files` if there is none. */
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
