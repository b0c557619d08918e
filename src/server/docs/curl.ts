import { mediaExamples } from './media.ts';
import type { Header, MediaType, OpenApiDocument, Parameter, RequestBody, SecurityScheme } from './open-api.ts';
import type { Entry } from './operations.ts';
import { resolve } from './resolve.ts';
import { sample } from './sample.ts';
import { prettyJson } from './values.ts';

/** A command that calls a route, from the examples of the document or the smallest values that are valid. */
export function curlCommand(entry: Entry, document: OpenApiDocument): string {
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
