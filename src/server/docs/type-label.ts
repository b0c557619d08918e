import { facts } from './facts.ts';
import { type Html, html, joined } from './html.ts';
import type { Schema, SchemaObject } from './open-api.ts';
import type { Page } from './page.ts';
import { schemaName } from './resolve.ts';
import { literal } from './values.ts';

/** What a schema takes, in a line: component schemas are named and linked to, never gone into. */
export function typeLabel(schema: Schema, page: Page): Html {
  if (typeof schema === 'boolean') return html`${schema ? 'anything' : 'nothing'}`;
  const { $ref, enum: values, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return reference($ref, page);
  if ('const' in schema) return literal(schema.const);
  if (values !== undefined) return joined(values.map(literal), ' or ');
  const union = anyOf ?? oneOf;
  if (union !== undefined) return either(union, page);
  if (allOf !== undefined) return joined(distinct(allOf.map((each) => grouped(each, page))), ' and ');
  return joined(
    typesOf(schema).map((type) => ofType(type, schema, page)),
    ' or ',
  );
}

/** The schema of all values of an object without named fields, such as a map of strings to numbers. */
export function mapValues(schema: SchemaObject): SchemaObject | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = Object.keys(properties ?? {}).length + Object.keys(patternProperties ?? {}).length;
  return named === 0 && typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Alternatives of a schema besides null, with whether null is one. */
export function alternatives(schema: SchemaObject): { readonly others: readonly Schema[]; readonly orNull: boolean } {
  const all = schema.anyOf ?? schema.oneOf ?? [];
  const others = all.filter((each) => !isNull(each));
  return { others, orNull: others.length < all.length };
}

function isNull(schema: Schema): boolean {
  return typeof schema === 'object' && (schema.type === 'null' || ('const' in schema && schema.const === null));
}

function typesOf({ type, properties, additionalProperties, items, prefixItems }: SchemaObject): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type;
  if (properties !== undefined || additionalProperties !== undefined) return ['object'];
  return items !== undefined || prefixItems !== undefined ? ['array'] : ['anything'];
}

function ofType(type: string, schema: SchemaObject, page: Page): Html {
  if (type === 'array') return arrayLabel(schema, page);
  const values = type === 'object' ? mapValues(schema) : undefined;
  if (values !== undefined) return html`map of ${grouped(values, page)}`;
  return type === 'string' && schema.format !== undefined ? html`string (${schema.format})` : html`${type}`;
}

function arrayLabel({ items, prefixItems }: SchemaObject, page: Page): Html {
  if (prefixItems !== undefined) {
    const places = prefixItems.map((each) => grouped(each, page));
    return html`array [${joined(typeof items === 'object' ? [...places, html`${grouped(items, page)} …`] : places, ', ')}]`;
  }
  return items === undefined ? html`array` : html`array of ${grouped(items, page)}`;
}

function reference(ref: string, page: Page): Html {
  const name = schemaName(ref);
  const id = name === undefined ? undefined : page.schemas.get(name);
  return id === undefined ? html`<code>${name ?? ref}</code>` : html`<a href="#${id}">${name}</a>`;
}

function either(union: readonly Schema[], page: Page): Html {
  const labels = union.map((each) => {
    const limits = facts(each);
    const isBoth = typeof each === 'object' && each.allOf !== undefined;
    return html`${isBoth ? grouped(each, page) : typeLabel(each, page)}${limits.length > 0 && html` (${joined(limits, ', ')})`}`;
  });
  return joined(distinct(labels), ' or ');
}

/** A label in brackets where it says “or” or “and” inside another. */
function grouped(schema: Schema, page: Page): Html {
  const label = typeLabel(schema, page);
  return isCompound(schema) ? html`(${label})` : label;
}

function isCompound(schema: Schema): boolean {
  if (typeof schema === 'boolean' || schema.$ref !== undefined || 'const' in schema) return false;
  const { enum: values, anyOf, oneOf, allOf, type } = schema;
  const parts = values ?? anyOf ?? oneOf ?? allOf ?? (typeof type === 'string' ? [] : type);
  return parts !== undefined && parts.length > 1;
}

function distinct(labels: readonly Html[]): Html[] {
  return [...new Map(labels.map((label) => [label.markup, label])).values()];
}
