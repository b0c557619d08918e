import { type Content, type Html, html, joined } from './html.ts';
import { markdown } from './markdown.ts';
import type { Schema, SchemaObject } from './open-api.ts';
import type { Page } from './page.ts';
import { schemaName } from './resolve.ts';
import { fieldExamples, folded, literal } from './values.ts';

/** Fields inside a field are unfolded up to so many. */
const FEW = 4;

/** What lies inside a schema, with how many fields there are. */
interface Body {
  readonly content: Html;
  readonly fields: number;
}

/** A named value: a field, a parameter or a header. */
export interface Field {
  readonly name: Content;
  readonly schema: Schema;
  readonly required: boolean;
  /** Instead of the description and the examples of the schema. */
  readonly description?: string | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly deprecated?: boolean | undefined;
  /** Strings are sent without quotes, as in a header. */
  readonly isText?: boolean;
}

/** Fields as a list, with what they take, demand and mean. */
export function fieldList(fields: readonly Field[], page: Page): Html {
  return html`<ul class="fields">${fields.map((field) => html`<li>${fieldView(field, page)}</li>\n`)}</ul>`;
}

/** The type of a schema with its limits, as part of a line. */
export function typeLine(schema: Schema, page: Page): Html {
  return html`<span class="type">${typeLabel(schema, page)}</span>${facts(schema).map((fact) => html`<span class="fact">${fact}</span>`)}`;
}

/** Description, examples and fields of a schema, for a section of its own. */
export function schemaView(schema: Schema, page: Page): Html {
  if (typeof schema === 'boolean') return html``;
  return html`${about(schema.description)}${fieldExamples(examplesOf(schema))}${schemaBody(schema, page)?.content}`;
}

/** Fields, items and alternatives of a schema, where its type does not say all about them. */
export function schemaBody(schema: Schema, page: Page): Body | undefined {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return undefined;
  const inner = [mapValues(schema), schema.items, ...(schema.prefixItems ?? []), ...(schema.allOf ?? [])];
  return combined([
    ownFields(schema, page),
    ...inner.flatMap((each) => (each === undefined ? [] : [examplesIn(each), described(each, page)])),
    alternativesOf(schema, page),
  ]);
}

function fieldView({ name, schema, required, ...field }: Field, page: Page): Html {
  const own = typeof schema === 'boolean' ? {} : schema;
  const body = schemaBody(schema, page);
  return html`<div class="line"><code class="name">${name}</code> ${typeLine(schema, page)}${
    required && html`<span class="required">required</span>`
  }${field.deprecated === true && own.deprecated !== true && html`<span class="fact">deprecated</span>`}</div>${about(
    field.description ?? own.description,
  )}${fieldExamples(field.examples ?? examplesOf(own), field.isText)}${body && foldedBody(body)}`;
}

/** What lies inside a schema, folded away where it is much. */
export function foldedBody({ content, fields }: Body, title?: Html): Html {
  if (fields === 0) return content;
  return folded(title ?? html`${fields} ${fields === 1 ? 'field' : 'fields'}`, content, fields <= FEW);
}

function about(description: string | undefined): Html | undefined {
  return description === undefined ? undefined : html`<div class="about">${markdown(description)}</div>`;
}

function examplesOf(schema: SchemaObject): readonly unknown[] {
  return 'example' in schema ? [schema.example] : (schema.examples ?? []);
}

/** Fields by name and by pattern, and what all others take. */
function ownFields(schema: SchemaObject, page: Page): Body | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties, required = [] } = schema;
  const fields: Field[] = [
    ...Object.entries(properties).map(([name, each]) => ({ name, schema: each, required: required.includes(name) })),
    ...Object.entries(patternProperties).map(([name, each]) => ({ name: `/${name}/`, schema: each, required: false })),
  ];
  if (fields.length === 0) return undefined;
  if (typeof additionalProperties === 'object') {
    fields.push({ name: html`<em>any other</em>`, schema: additionalProperties, required: false });
  }
  const content = html`${fieldList(fields, page)}${additionalProperties === false && html`<p class="note">No other fields.</p>`}`;
  return { content, fields: fields.length };
}

/** A schema inside another: what it means and what lies inside. */
function described(schema: Schema, page: Page): Body | undefined {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return undefined;
  const { description } = schema;
  return combined([
    description === undefined ? undefined : { content: html`${about(description)}`, fields: 0 },
    schemaBody(schema, page),
  ]);
}

/** The alternatives one by one, unless the type says all about them; then only their examples. */
function alternativesOf(schema: SchemaObject, page: Page): Body | undefined {
  const { others } = alternatives(schema);
  const bodies = others.map((each) => described(each, page));
  const examples = others.map(examplesIn);
  if (others.length < 2 || bodies.every((body) => body === undefined)) return combined([...examples, ...bodies]);
  const items = others.map((each, index) => {
    return html`<li><div class="line">${typeLine(each, page)}</div>${examples[index]?.content}${bodies[index]?.content}</li>\n`;
  });
  return { content: html`<ul class="alternatives">${items}</ul>`, fields: combined(bodies)?.fields ?? 0 };
}

function examplesIn(schema: Schema): Body | undefined {
  const examples = typeof schema === 'boolean' ? [] : examplesOf(schema);
  return examples.length === 0 ? undefined : { content: fieldExamples(examples), fields: 0 };
}

function combined(bodies: readonly (Body | undefined)[]): Body | undefined {
  const present = bodies.filter((body) => body !== undefined);
  if (present.length === 0) return undefined;
  return {
    content: html`${present.map(({ content }) => content)}`,
    fields: present.reduce((sum, { fields }) => sum + fields, 0),
  };
}

/** What a schema takes, in a line: component schemas are named and linked to, never gone into. */
function typeLabel(schema: Schema, page: Page): Html {
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
function mapValues(schema: SchemaObject): SchemaObject | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  const named = Object.keys(properties ?? {}).length + Object.keys(patternProperties ?? {}).length;
  return named === 0 && typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Alternatives of a schema besides null, with whether null is one. */
function alternatives(schema: SchemaObject): { readonly others: readonly Schema[]; readonly orNull: boolean } {
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

/** What a schema demands beyond its type, in a few words each. */
function facts(schema: Schema): Html[] {
  if (typeof schema === 'boolean') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, pattern } = schema;
  const words = [
    range(minimum, maximum),
    exclusiveMinimum !== undefined && `> ${numeral(exclusiveMinimum)}`,
    exclusiveMaximum !== undefined && `< ${numeral(exclusiveMaximum)}`,
    schema.multipleOf !== undefined && `a multiple of ${numeral(schema.multipleOf)}`,
    count(schema.minLength, schema.maxLength, 'character'),
    count(schema.minItems, schema.maxItems, 'item'),
    count(schema.minProperties, schema.maxProperties, 'field'),
    schema.uniqueItems === true && 'no item twice',
    schema.oneOf !== undefined && schema.oneOf.length > 1 && 'exactly one of these',
    schema.readOnly === true && 'only in answers',
    schema.writeOnly === true && 'only in requests',
    schema.deprecated === true && 'deprecated',
  ];
  return [
    ...words.flatMap((word) => (typeof word === 'string' ? [html`${word}`] : [])),
    ...(pattern === undefined ? [] : [html`matches <code>${pattern}</code>`]),
    ...('default' in schema ? [html`default ${literal(schema.default)}`] : []),
    ...(schema.items === undefined ? [] : facts(schema.items).map((fact) => html`each ${fact}`)),
  ];
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return `${numeral(least)} to ${numeral(most)}`;
  if (least !== undefined) return `≥ ${numeral(least)}`;
  return most === undefined ? undefined : `≤ ${numeral(most)}`;
}

function count(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const units = (number: number) => `${numeral(number)} ${unit}${number === 1 ? '' : 's'}`;
  if (most === undefined) return least === undefined || least === 0 ? undefined : `at least ${units(least)}`;
  if (least === undefined || least === 0) return `at most ${units(most)}`;
  return least === most ? units(most) : `${numeral(least)} to ${units(most)}`;
}

function numeral(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : String(value);
}
