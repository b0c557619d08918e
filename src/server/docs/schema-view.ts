import { facts } from './facts.ts';
import { type Content, type Html, html } from './html.ts';
import { markdown } from './markdown.ts';
import type { Schema, SchemaObject } from './open-api.ts';
import type { Page } from './page.ts';
import { alternatives, mapValues, typeLabel } from './type-label.ts';
import { fieldExamples, folded } from './values.ts';

/** Fields inside a field are unfolded up to so many. */
const FEW = 4;

/** What lies inside a schema, with how many fields there are. */
export interface Body {
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
