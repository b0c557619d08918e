import type { MiddlewareHandler } from 'hono';

/** Says of answers that hold a tenant's texts: kept by no cache, read by no other site, and of the type that they say. */
export const privateAnswers: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  context.header('x-content-type-options', 'nosniff');
  context.header('cross-origin-resource-policy', 'same-origin');
  if (!headers.has('cache-control')) context.header('cache-control', 'no-store');
};
