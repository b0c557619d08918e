import { Hono, type MiddlewareHandler } from 'hono';
import type { ServiceEnv } from '../service-deps.ts';

/** The page loads and sends nothing elsewhere, and runs only its own code. */
const SHARED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The trusted types policy parses documents, whose markup is never shown. */
export const PAGE_HEADERS = {
  ...SHARED,
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types tessera',
  ].join('; '),
} as const;

/** The renderer of the API reference writes its own styles and has no trusted types policy. */
export const REFERENCE_HEADERS = {
  ...SHARED,
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

/** Scripts and styles have hashed names. The script policy also applies to their worker threads. */
export const ASSET_HEADERS = {
  ...SHARED,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
} as const;

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
