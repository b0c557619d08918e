import type { OpenApiDocument, Referable } from './open-api.ts';

const SCHEMAS = '#/components/schemas/';
/** References that lead to references are followed so far. */
const MAX_STEPS = 20;

/** A value, or what its `$ref` points at inside the document; undefined where that is nothing. */
export function resolve<Value extends object>(
  document: OpenApiDocument,
  value: Referable<Value> | undefined,
): Value | undefined {
  let found: unknown = value;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (typeof found !== 'object' || found === null) return undefined;
    if (!('$ref' in found) || typeof found.$ref !== 'string') return found as Value;
    found = follow(document, found.$ref);
  }
  return undefined;
}

/** The name of the component schema that a `$ref` names, if it names one. */
export function schemaName(ref: string): string | undefined {
  return ref.startsWith(SCHEMAS) ? pointerTokens(ref.slice(SCHEMAS.length - 1))[0] : undefined;
}

/** What a `$ref` of the form `#/a/b` points at. */
export function follow(document: OpenApiDocument, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  return pointerTokens(ref.slice(1)).reduce<unknown>(
    (at, token) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, token)
        ? (at as Readonly<Record<string, unknown>>)[token]
        : undefined,
    document,
  );
}

function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
