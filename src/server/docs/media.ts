import { codeBlock, type Html, html } from './html.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import type { Example, MediaType, Named, OpenApiDocument } from './open-api.ts';
import type { Page } from './page.ts';
import { follow, resolve } from './resolve.ts';
import { foldedBody, schemaBody, typeLine } from './schema-view.ts';
import { folded, prettyJson } from './values.ts';

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
export function mediaExamples(media: WithExamples, document: OpenApiDocument): NamedExample[] {
  if ('example' in media) return [{ title: 'Example', value: media.example }];
  return Object.entries(media.examples ?? {}).flatMap(([name, reference]) => {
    const example = resolve<Example>(document, reference);
    if (example === undefined || !('value' in example)) return [];
    return [{ title: example.summary ?? name, value: example.value, description: example.description }];
  });
}

/** Bodies by media type, each with its schema and examples; `expanded` shows the fields of a component schema, too. */
export function contentView(content: Named<MediaType> | undefined, page: Page, expanded = false): Html {
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
