import type { OpenApiDocument, Schema, SchemaObject } from './open-api.ts';
import { follow } from './resolve.ts';

/** However many items or characters a schema demands, a sample has no more. */
const MOST_ITEMS = 100;
const MOST_CHARACTERS = 1000;
const STRINGS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'reader@example.org',
  uri: 'https://example.org/',
  uuid: '3f0c8a52-d6b1-4e6f-9a1b-7c2d4e5f6071',
};
/** Tried where a pattern is asked for and no example is given. */
const CANDIDATES = ['text', 'a', 'A', '1', '0001', 'a1', 'a-b', 'a_1', '2026-01-31', 'https://example.org/'];

/** An example that the schema gives, or else the smallest value that it takes; undefined where it finds none. */
export function sample(schema: Schema, document: OpenApiDocument, inside: readonly Schema[] = []): unknown {
  if (typeof schema === 'boolean') return schema ? 'text' : undefined;
  // Seen on the way here: what needs itself has no end.
  if (inside.includes(schema)) return undefined;
  const deeper = [...inside, schema];
  const of = (each: Schema) => sample(each, document, deeper);
  if ('example' in schema) return schema.example;
  if (schema.examples !== undefined && schema.examples.length > 0) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.$ref !== undefined) {
    const target = follow(document, schema.$ref);
    return typeof target === 'object' && target !== null ? of(target as SchemaObject) : undefined;
  }
  const parts = (schema.allOf ?? []).map(of);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) parts.push(firstOf(union, of));
  if (parts.length === 0 || schema.properties !== undefined) parts.push(typed(schema, of));
  if (parts.includes(undefined)) return undefined;
  const fields = parts.filter((part) => typeof part === 'object' && part !== null && !Array.isArray(part));
  return fields.length === parts.length ? Object.assign({}, ...fields) : parts[0];
}

function firstOf(schemas: readonly Schema[], of: (schema: Schema) => unknown): unknown {
  for (const schema of schemas) {
    const value = of(schema);
    if (value !== undefined) return value;
  }
  return undefined;
}

function typed(schema: SchemaObject, of: (schema: Schema) => unknown): unknown {
  const types = [schema.type ?? (schema.properties === undefined ? 'string' : 'object')].flat();
  const type = types.find((each) => each !== 'null') ?? 'null';
  if (type === 'object') return objectOf(schema, of);
  if (type === 'array') return arrayOf(schema, of);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return type === 'string' ? stringOf(schema) : numberOf(schema, type === 'integer');
}

function objectOf(schema: SchemaObject, of: (schema: Schema) => unknown): unknown {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const fields = required.map((name): [string, unknown] => [
    name,
    of(Object.hasOwn(properties, name) ? properties[name] : additionalProperties),
  ]);
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}

function arrayOf({ items = true, prefixItems = [], minItems = 0 }: SchemaObject, of: (schema: Schema) => unknown) {
  const length = Math.min(minItems, MOST_ITEMS);
  const values = Array.from({ length }, (_, index) => of(prefixItems[index] ?? items));
  return values.includes(undefined) ? undefined : values;
}

function stringOf({ format = '', pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaObject): string {
  const found = pattern === undefined ? STRINGS[format] : CANDIDATES.find((text) => matches(text, pattern));
  return (found ?? 'text').padEnd(Math.min(minLength, MOST_CHARACTERS), ' text').slice(0, maxLength);
}

function matches(text: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

function numberOf(schema: SchemaObject, isInteger: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = isInteger ? 1 : undefined } = schema;
  const above = exclusiveMinimum ?? minimum;
  const below = exclusiveMaximum ?? maximum;
  if (multipleOf !== undefined) {
    const least = Math.ceil((above ?? Math.min(0, below ?? 0)) / multipleOf) * multipleOf;
    return least === exclusiveMinimum ? least + multipleOf : least;
  }
  if (exclusiveMinimum === undefined && exclusiveMaximum === undefined) return above ?? Math.min(0, below ?? 0);
  if (above === undefined) return (below ?? 0) - 1;
  return below === undefined ? above + 1 : (above + below) / 2;
}
