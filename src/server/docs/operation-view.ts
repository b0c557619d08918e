import { requirementView } from './authentication.ts';
import { curlCommand } from './curl.ts';
import { codeBlock, type Html, html, joined } from './html.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { contentView, mediaExamples } from './media.ts';
import type { Header, Named, Parameter, Referable, RequestBody, Response } from './open-api.ts';
import type { Entry } from './operations.ts';
import type { Page } from './page.ts';
import { resolve } from './resolve.ts';
import { type Field, fieldList } from './schema-view.ts';

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
