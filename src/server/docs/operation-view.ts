import { requirementView } from './authentication.ts';
import { codeBlock, type Html, html, joined } from './html.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import type {
  Example,
  Header,
  MediaType,
  Named,
  OpenApiDocument,
  Parameter,
  Referable,
  RequestBody,
  Response,
  Schema,
  SchemaObject,
  SecurityScheme,
} from './open-api.ts';
import type { Entry } from './operations.ts';
import type { Page } from './page.ts';
import { follow, resolve } from './resolve.ts';
import { type Field, fieldList, foldedBody, schemaBody, typeLine } from './schema-view.ts';
import { folded, prettyJson } from './values.ts';

/** However many items or characters a schema demands, a sample has no more. */
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 1000;
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
  const length = Math.min(minItems, MAX_ITEMS);
  const values = Array.from({ length }, (_, index) => of(prefixItems[index] ?? items));
  return values.includes(undefined) ? undefined : values;
}

function stringOf({ format = '', pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaObject): string {
  const found = pattern === undefined ? STRINGS[format] : CANDIDATES.find((text) => matches(text, pattern));
  return (found ?? 'text').padEnd(Math.min(minLength, MAX_CHARACTERS), ' text').slice(0, maxLength);
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

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Request headers'],
  ['cookie', 'Cookies'],
] as const;

/** Everything that the document says of an operation, with a command that calls it. */
export function operationView(entry: Entry, page: Page): Html {
  const { id, kind, operation } = entry;
  const { summary, description, security } = operation;
  const body = resolve<RequestBody>(page.document, operation.requestBody);
  return html`<section class="operation" id="${id}">
<h3><a href="#${id}">${summary === undefined ? entry.path : inlineMarkdown(summary)}</a></h3>
<p class="route">${routeLabel(entry)}${operation.deprecated === true && html` <span class="fact">deprecated</span>`}</p>
${description !== undefined && markdown(description)}
${kind === 'route' && requirementView('Authentication', security ?? page.document.security, page)}
${PLACES.map(([place, title]) => parametersView(title, place, entry.parameters, page))}
${body && bodyView(body, page)}
${kind === 'route' && html`<h4>Call</h4>${codeBlock(curlCommand(entry, page.document))}`}
${responsesView(operation.responses, page)}
</section>
`;
}

/** Method and path, with what it is if no route, for headings and the table of contents. */
export function routeLabel({ kind, method, path }: Entry): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span> <span><code class="path">${breakable(path)}</code>${kind !== 'route' && html` <span class="fact">${kind}</span>`}</span>`;
}

/** A path that a narrow column breaks before its slashes. */
function breakable(path: string): Html {
  return joined(path.split(/(?=\/)/), html`<wbr>`);
}

function parametersView(title: string, place: string, all: readonly Parameter[], page: Page): Html | undefined {
  const parameters = all.filter((each) => each.in === place);
  if (parameters.length === 0) return undefined;
  const fields = parameters.map((each) => fieldOf(each.name, each, page));
  return html`<h4>${title}</h4>${fieldList(fields, page)}`;
}

function fieldOf(name: string, header: Header, page: Page): Field {
  const examples = mediaExamples(header, page.document).map(({ value }) => value);
  return {
    name,
    schema: header.schema ?? Object.values(header.content ?? {})[0]?.schema ?? true,
    required: header.required === true,
    description: header.description,
    examples: examples.length > 0 ? examples : undefined,
    deprecated: header.deprecated,
    isText: true,
  };
}

function bodyView({ description, required, content }: RequestBody, page: Page): Html {
  return html`<h4>Request body${required !== true && html` <span class="fact">optional</span>`}</h4>${
    description !== undefined && markdown(description)
  }${contentView(content, page, true)}`;
}

function responsesView(responses: Named<Referable<Response>> | undefined, page: Page): Html | undefined {
  if (responses === undefined) return undefined;
  const items = Object.entries(responses).map(([status, reference]) => {
    const response = resolve<Response>(page.document, reference);
    return html`<li><div class="status s${/^[1-5]/.exec(status)?.[0] ?? 'x'}">${status}</div><div class="answer">${response && responseView(response, page)}</div></li>\n`;
  });
  return html`<h4>Responses</h4><ul class="responses">${items}</ul>`;
}

function responseView({ description, headers, content }: Response, page: Page): Html {
  const fields = Object.entries(headers ?? {}).flatMap(([name, reference]) => {
    const header = resolve<Header>(page.document, reference);
    return header === undefined ? [] : [fieldOf(name, header, page)];
  });
  return html`${markdown(description)}${
    fields.length > 0 && html`<h5>Headers</h5>${fieldList(fields, page)}`
  }${contentView(content, page)}`;
}

/** A command that calls a route, from the examples of the document or the smallest values that are valid. */
function curlCommand(entry: Entry, document: OpenApiDocument): string {
  const { method, operation } = entry;
  const body = resolve<RequestBody>(document, operation.requestBody);
  const headers = needed(entry, 'header').map((each) => `${each.name}: ${exampleOf(each, document)}`);
  const cookies = needed(entry, 'cookie').map((each) => `${each.name}=${encode(exampleOf(each, document))}`);
  return [
    `curl ${methodOption(method, body !== undefined)}${streams(entry, document) ? '-N ' : ''}${address(entry, document)}`,
    ...credentials(entry, document),
    ...headers.map((header) => `-H ${quote(header)}`),
    ...(cookies.length > 0 ? [`-b ${quote(cookies.join('; '))}`] : []),
    ...(body === undefined ? [] : bodyOptions(body, document)),
  ].join(' \\\n  ');
}

function methodOption(method: string, hasBody: boolean): string {
  if (method === (hasBody ? 'post' : 'get')) return '';
  return method === 'head' ? '-I ' : `-X ${method.toUpperCase()} `;
}

/** Whether success is a stream of events and nothing else. */
function streams({ operation }: Entry, document: OpenApiDocument): boolean {
  const types = Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
    status.startsWith('2') ? Object.keys(resolve(document, response)?.content ?? {}) : [],
  );
  return types.length > 0 && types.every((type) => type.startsWith('text/event-stream'));
}

function needed({ parameters }: Entry, place: string): Parameter[] {
  return parameters.filter((each) => each.in === place && each.required === true);
}

function exampleOf(header: Header, document: OpenApiDocument): string {
  const [first] = mediaExamples(header, document);
  const value = first === undefined ? sample(header.schema ?? true, document) : first.value;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'text');
}

function address(entry: Entry, document: OpenApiDocument): string {
  const values = new Map(needed(entry, 'path').map((each) => [each.name, encode(exampleOf(each, document))]));
  const path = entry.path.replace(/\{([^{}]*)\}/g, (all, name: string) => values.get(name) ?? all);
  const query = needed(entry, 'query').map((each) => `${encode(each.name)}=${encode(exampleOf(each, document))}`);
  const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
  return /^[\w/.~%?&=+:,-]*$/.test(target) ? `"$BASE_URL${target}"` : `"$BASE_URL"${quote(target)}`;
}

/** Options for the first way to be authenticated. */
function credentials({ operation }: Entry, document: OpenApiDocument): string[] {
  const [requirement = {}] = operation.security ?? document.security ?? [];
  return Object.keys(requirement).flatMap((name) => {
    const scheme = resolve<SecurityScheme>(document, document.components?.securitySchemes?.[name]);
    if (scheme === undefined) return [];
    if (scheme.type !== 'apiKey') {
      return scheme.scheme?.toLowerCase() === 'basic'
        ? ['-u "$USERNAME:$PASSWORD"']
        : ['-H "Authorization: Bearer $API_KEY"'];
    }
    const key = scheme.name ?? 'key';
    if (scheme.in === 'query') return [`--url-query ${quote(`${key}=`)}"$API_KEY"`];
    return scheme.in === 'cookie' ? [`-b ${quote(`${key}=`)}"$API_KEY"`] : [`-H ${quote(`${key}: `)}"$API_KEY"`];
  });
}

function bodyOptions({ content }: RequestBody, document: OpenApiDocument): string[] {
  const types = Object.keys(content);
  const type = types.find(isJson) ?? types[0];
  if (type === undefined) return [];
  const header = `-H ${quote(`Content-Type: ${type}`)}`;
  const value = bodyOf(content[type], document);
  if (isJson(type)) return [header, `-d ${quote(prettyJson(value))}`];
  return [header, typeof value === 'string' ? `--data-raw ${quote(value)}` : '--data-binary @body'];
}

function bodyOf(media: MediaType, document: OpenApiDocument): unknown {
  const [first] = mediaExamples(media, document);
  return first === undefined ? (sample(media.schema ?? {}, document) ?? null) : first.value;
}

function isJson(type: string): boolean {
  return /[/+]json\b/i.test(type);
}

/** A text as one word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** As `encodeURIComponent`, which throws on halves of surrogate pairs. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** What media types, parameters and headers give as examples. */
interface WithExamples {
  readonly example?: unknown;
  readonly examples?: MediaType['examples'];
}

interface NamedExample {
  readonly title: string;
  readonly value: unknown;
  readonly description?: string | undefined;
}

/** Examples in the order of the document; those that are kept elsewhere are left out. */
function mediaExamples(media: WithExamples, document: OpenApiDocument): NamedExample[] {
  if ('example' in media) return [{ title: 'Example', value: media.example }];
  return Object.entries(media.examples ?? {}).flatMap(([name, reference]) => {
    const example = resolve<Example>(document, reference);
    if (example === undefined || !('value' in example)) return [];
    return [{ title: example.summary ?? name, value: example.value, description: example.description }];
  });
}

/** Bodies by media type, each with its schema and examples; `expanded` shows the fields of a component schema, too. */
function contentView(content: Named<MediaType> | undefined, page: Page, expanded = false): Html {
  return html`${Object.entries(content ?? {}).map(([type, media]) => mediaView(type, media, page, expanded))}`;
}

function mediaView(type: string, media: MediaType, page: Page, expanded: boolean): Html {
  const { schema } = media;
  return html`<div class="media"><div class="line"><code class="name">${type}</code> ${
    schema !== undefined && typeLine(schema, page)
  }</div>${typeof schema === 'object' && schema.$ref === undefined && schema.description !== undefined && markdown(schema.description)}${
    schema !== undefined && fieldsOf(schema, page, expanded)
  }${mediaExamples(media, page.document).map(exampleView)}</div>`;
}

function fieldsOf(schema: MediaType['schema'], page: Page, expanded: boolean): Html | undefined {
  if (typeof schema !== 'object') return undefined;
  if (schema.$ref === undefined || !expanded) {
    const body = schemaBody(schema, page);
    return body && foldedBody(body, html`Fields`);
  }
  const target = follow(page.document, schema.$ref);
  const body = typeof target === 'object' && target !== null ? schemaBody(target, page) : undefined;
  return body && folded(html`Fields`, body.content);
}

function exampleView({ title, value, description }: NamedExample): Html {
  const code = codeBlock(typeof value === 'string' ? value : prettyJson(value));
  return folded(inlineMarkdown(title), html`${description !== undefined && markdown(description)}${code}`);
}
