import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument, Schema } from '../../../src/server/docs/open-api.ts';
import { sample } from '../../../src/server/docs/operation-view.ts';
import { docsPage } from '../../../src/server/routes/docs-page.ts';
import { testApp } from '../../support/test-deps.ts';

const INFO = { title: 'Service', version: '1' };
const TAG = /<(?:!doctype html|\/?[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*)>/g;
const ELEMENTS = new Set(
  'a body code details div em h1 h2 h3 h4 h5 head header html li main meta nav ol p pre section small span strong style summary title ul wbr'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set('aria-label charset class content href id lang name open rel tabindex'.split(' '));

async function served(): Promise<OpenApiDocument> {
  return (await (await testApp().app.request('/openapi.json')).json()) as OpenApiDocument;
}

/** A document of one route and one component schema. */
function documentOf(schema: Schema, more: Partial<OpenApiDocument> = {}): OpenApiDocument {
  const body = { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } };
  return {
    openapi: '3.1.0',
    info: INFO,
    paths: { '/things': { post: { requestBody: body, responses: { 204: { description: 'Done.' } } } } },
    components: { schemas: { Thing: schema } },
    ...more,
  };
}

/** What a reader sees: everything but the style and the tags. */
function textOf(page: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return withoutStyle(page)
    .replace(TAG, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]);
}

function withoutStyle(page: string): string {
  return page.replace(/<style>[^<]*<\/style>/, '');
}

function attributes(page: string, name: string): string[] {
  return [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value);
}

/** That the page is well formed, loads and runs nothing, and that all its links lead somewhere. */
function expectSound(page: string): void {
  const rest = withoutStyle(page);
  expect(rest.replace(TAG, '')).not.toMatch(/[<>]/);
  for (const [tag] of rest.matchAll(TAG)) {
    const [, element] = /^<[!/]?([a-z0-9]+)/.exec(tag) ?? [];
    expect(element === 'doctype' || ELEMENTS.has(element), tag).toBe(true);
    if (element === 'doctype') continue;
    for (const [, name] of tag.matchAll(/ ([a-z-]+)(?:="[^"]*")?/g)) expect(ATTRIBUTES.has(name), tag).toBe(true);
  }
  const ids = attributes(page, 'id');
  expect(new Set(ids).size).toBe(ids.length);
  for (const href of attributes(page, 'href')) {
    if (href.startsWith('#')) expect(ids).toContain(href.slice(1));
    else expect(href).toMatch(/^https?:\/\//);
  }
  const [style] = /<style>[^<]*<\/style>/.exec(page) ?? [];
  expect(style).toBeTypeOf('string');
  expect(style).not.toMatch(/@import|url\(/i);
  expect(page).not.toMatch(/<(?:script|link|iframe|img)/i);
}

describe('of the document that is served', () => {
  test('every operation and every schema appears', async () => {
    const document = await served();
    const page = docsPage(document);
    const text = textOf(page);
    expectSound(page);
    const headings = [...page.matchAll(/<p class="route">(.*?)<\/p>/g)].map(([, html]) => textOf(html));
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      for (const [method, operation] of Object.entries(item)) {
        if (method === 'parameters') continue;
        expect(headings.some((heading) => heading.startsWith(`${method.toUpperCase()} ${path}`))).toBe(true);
        expect(text).toContain(operation.summary);
        for (const status of Object.keys(operation.responses)) expect(page).toContain(`>${status}</div>`);
      }
    }
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.length).toBeGreaterThan(10);
    expect(attributes(page, 'id')).toEqual(expect.arrayContaining(names.map((name) => `schema-${name}`)));
    expect(text).toContain(document.info.title);
    expect(document.info.description).toContain('`');
    expect(text).toContain(document.info.description?.replaceAll('`', ''));
  });

  test('every field appears with its name', async () => {
    const document = await served();
    const page = docsPage(document);
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, ...rest } = value as { properties?: Record<string, unknown> };
      for (const name of Object.keys(properties ?? {})) expect(page).toContain(`<code class="name">${name}</code>`);
      for (const each of [...Object.values(properties ?? {}), ...Object.values(rest)]) visit(each);
    };
    visit(document.components?.schemas);
  });

  test('a call to every route is shown, with a body that its schema takes', async () => {
    const document = await served();
    const text = textOf(docsPage(document));
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addSchema(document, 'document');
    for (const [path, item] of Object.entries(document.paths ?? {})) {
      expect(text).toContain(`$BASE_URL${path.replace(/\{.*/, '')}`);
      for (const [method, operation] of Object.entries(item)) {
        const schema = operation.requestBody?.content?.['application/json']?.schema;
        if (schema === undefined) continue;
        const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
        const at = `document#/paths/${pointer}/${method}/requestBody/content/application~1json/schema`;
        const value = sample(schema, document);
        expect(ajv.validate({ $ref: at }, value), `${path}: ${JSON.stringify(value)} ${ajv.errorsText()}`).toBe(true);
      }
    }
  });

  test('the document as Hono types it is taken', () => {
    const page = docsPage(testApp().app.getOpenAPI31Document({ openapi: '3.1.0', info: INFO }));
    expect(textOf(page)).toContain('Service 1');
  });
});

describe('schemas', () => {
  const lineOf = (schema: Schema, more?: Partial<OpenApiDocument>) => {
    const page = docsPage(documentOf({ type: 'object', properties: { it: schema } }, more));
    expectSound(page);
    const [line = ''] = /<div class="line"><code class="name">it<\/code>.*?<\/div>/s.exec(page) ?? [];
    return textOf(line.replaceAll('<span class="fact">', ' · ')).replace(/^it /, '');
  };

  test.each<[Schema, string]>([
    [{ type: ['string', 'null'], minLength: 1, maxLength: 200 }, 'string or null · 1 to 200 characters'],
    [{ type: 'string', pattern: '^<b>$', default: '<b>' }, 'string · matches ^<b>$ · default "<b>"'],
    [{ enum: ['a', 1, null] }, '"a" or 1 or null'],
    [{ const: 'only' }, '"only"'],
    [{ type: 'integer', minimum: 0 }, 'integer · ≥ 0'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 1e6 }, 'number · ≤ 1,000,000 · > 0'],
    [{ anyOf: [{ type: 'number', minimum: 0.001 }, { const: 'x' }] }, 'number (≥ 0.001) or "x"'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Thing' }, minItems: 1 }, 'array of Thing · at least 1 item'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'array of (string or null)'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, 'array [string, number]'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map of integer'],
    [{ allOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'object' }] }, 'Thing and object'],
    [
      { anyOf: [{ allOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'object' }] }, true] },
      '(Thing and object) or anything',
    ],
    [{ $ref: '#/components/schemas/Gone' }, 'Gone'],
    [{ $ref: 'https://example.org/schema' }, 'https://example.org/schema'],
    [{ type: 'string', format: 'date', deprecated: true }, 'string (date) · deprecated'],
    [true, 'anything'],
  ])('%j is said in a line', (schema, line) => {
    expect(lineOf(schema)).toBe(line);
  });

  test('fields inside fields, alternatives and items are shown', () => {
    const inner = (name: string): Schema => ({
      type: 'object',
      properties: { [name]: { type: 'string', description: `About ${name}` } },
      additionalProperties: false,
    });
    const page = docsPage(
      documentOf({
        type: 'object',
        properties: {
          object: inner('one'),
          list: { type: 'array', items: inner('two') },
          map: { type: 'object', additionalProperties: inner('three') },
          union: { anyOf: [inner('four'), { type: 'null' }] },
          either: { oneOf: [inner('five'), { const: 'auto' }] },
          both: { allOf: [inner('six'), inner('seven')] },
        },
      }),
    );
    expectSound(page);
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) {
      expect(textOf(page)).toContain(`About ${name}`);
    }
    expect(page).toContain('No other fields.');
  });

  test('a schema that refers to itself has an end', () => {
    const self = { $ref: '#/components/schemas/Thing' };
    const properties = { next: self, also: { anyOf: [self, { type: 'null' }] }, list: { type: 'array', items: self } };
    for (const required of [['next'], ['also'], ['list'], []]) {
      const page = docsPage(documentOf({ type: 'object', properties, required }));
      expectSound(page);
      expect(page).toContain('<a href="#schema-Thing">Thing</a>');
    }
    expectSound(docsPage(documentOf(self)));
    const document = documentOf({ type: 'object', properties, required: ['also', 'list'] });
    expect(sample(self, document)).toEqual({ also: null, list: [] });
  });
});

describe('operations', () => {
  const document = documentOf(
    { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    {
      tags: [{ name: 'Things', description: 'About *things*.' }],
      security: [{ key: ['read'] }],
      paths: {
        '/things/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: "it's/1" }],
          put: {
            tags: ['Things'],
            summary: 'Put a thing',
            description: 'First.\n\n- `one`\n- **two**\n  more\n\n1. [Link](https://example.org/a?b=1&c=2)',
            parameters: [
              { name: 'If-Match', in: 'header', required: true, schema: { type: 'string', example: '"1"' } },
              { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 3 } },
            ],
            requestBody: {
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Thing' },
                  examples: { small: { summary: 'A small one', value: { text: "it's" } } },
                },
              },
            },
            responses: {
              201: {
                description: 'Put; see `Location`.',
                headers: { Location: { description: 'Where it is.', schema: { type: 'string' } } },
                content: { 'application/json': { schema: { type: 'string' }, example: 'an answer' } },
              },
              default: { description: 'A problem.' },
            },
            callbacks: { done: { '{$request.body#/url}': { post: { summary: 'It is done' } } } },
          },
          get: { tags: ['Things'], security: [], responses: {} },
        },
      },
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Made by hand.' } } },
    },
  );
  const page = docsPage(document);
  const text = textOf(page);

  test('all that is said of them is there', () => {
    expectSound(page);
    for (const said of [
      'Things',
      'PUT /things/{id}',
      'for example "1"',
      'done {$request.body#/url} callback',
      'A small one',
      'Where it is.',
      'an answer',
      'A problem.',
      'It is done',
      'Made by hand.',
      'Authentication: key with the scope read',
      'Authentication: none',
    ]) {
      expect(text).toContain(said);
    }
    expect(page).toContain(
      '<p>First.</p><ul><li><code>one</code></li>\n<li><strong>two</strong>\nmore</li></ul><ol><li><a href="https://example.org/a?b=1&amp;c=2" rel="noreferrer">Link</a></li></ol>',
    );
  });

  test('a call is a command of the shell', () => {
    expect(text).toContain(
      `curl -X PUT "$BASE_URL"'/things/it'\\''s%2F1?limit=3' \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'If-Match: "1"' \\
  -H 'Content-Type: application/json' \\
  -d '{"text":"it'\\''s"}'`,
    );
    expect(text).toContain(`curl "$BASE_URL"'/things/it'\\''s%2F1'`);
  });
});

describe('texts of others', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='alert(1)",
      '[a](javascript:alert(1))',
      '[a](https://x" onclick="alert(1))',
      '`<b>`',
      '**<i>**',
      '```\n</code><script>',
      '</style><script>',
      '- <li>\n1. </ul>',
      '<!--',
      ']]>',
      '&lt;',
      '__proto__',
      'constructor',
      '\uD800',
    ),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...'<>&"\'`*[]()/-#.\n 1ah:{}$~%'), maxLength: 30 }),
  );

  /** A document that says a text wherever it can. */
  function saying(text: string): OpenApiDocument {
    const example = { [text]: text };
    const schema: Schema = {
      type: 'object',
      description: text,
      example,
      required: [text, 'union'],
      properties: Object.fromEntries([
        [text, { type: text, format: text, description: text, default: text, examples: [text.repeat(9)] }],
        ['ref', { $ref: text }],
        ['union', { anyOf: [{ const: text }, { enum: [text], description: text }, { type: 'string', pattern: text }] }],
      ]),
      additionalProperties: { $ref: `#/components/schemas/${text}` },
    };
    const content = { [text]: { schema, examples: { [text]: { summary: text, description: text, value: example } } } };
    const operation = {
      tags: [text],
      summary: text,
      description: text,
      parameters: ['path', 'query', 'header', 'cookie', text].map((place) => ({
        name: text,
        in: place,
        required: true,
        description: text,
        schema: { type: 'string', pattern: text },
        example: text,
      })),
      requestBody: { description: text, content },
      responses: { [text]: { description: text, headers: { [text]: { description: text, schema } }, content } },
      callbacks: { [text]: { [text]: { post: { summary: text } } } },
    };
    const scheme = { type: 'apiKey', in: text, name: text, description: text };
    return {
      openapi: '3.1.0',
      info: { title: text, version: text, description: text },
      servers: [{ url: text, description: text }],
      tags: [{ name: text, description: text }],
      security: [{ [text]: [text] }],
      paths: { [text]: { get: operation }, [`/${text}/{${text}}`]: { post: operation } },
      webhooks: { [text]: { post: operation } },
      components: {
        schemas: Object.fromEntries([
          [text, schema],
          [`${text} `, true],
        ]),
        securitySchemes: Object.fromEntries([
          [text, scheme],
          [`${text}-`, { ...scheme, type: 'http', scheme: text, bearerFormat: text }],
        ]),
      },
    };
  }

  test('stay texts, wherever they stand', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const page = docsPage(saying(text));
        expectSound(page);
        expect(textOf(page)).toContain(`${text} ${text}`);
      }),
      { numRuns: 100 },
    );
  });

  test('a script in a description is shown', () => {
    const page = docsPage(documentOf({ type: 'string', description: 'Not <script>alert(1)</script>' }));
    expect(page).toContain('Not &lt;script&gt;alert(1)&lt;/script&gt;');
    expectSound(page);
  });
});
