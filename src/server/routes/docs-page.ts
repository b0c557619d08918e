import { authenticationView } from '../docs/authentication.ts';
import { type Html, html } from '../docs/html.ts';
import { htmlPage } from '../docs/html-page.ts';
import { markdown } from '../docs/markdown.ts';
import type { OpenApiDocument, Schema } from '../docs/open-api.ts';
import { operationView, routeLabel } from '../docs/operation-view.ts';
import { type Group, operationGroups } from '../docs/operations.ts';
import { Ids, type Page } from '../docs/page.ts';
import { schemaView, typeLine } from '../docs/schema-view.ts';
import { STYLE } from '../docs/style.ts';

/**
 * An OpenAPI document as one HTML page to read. It loads nothing and runs nothing, so it works offline and under
 * `Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'`; every text of the document is escaped.
 */
export function docsPage(document: OpenApiDocument): string {
  const ids = new Ids();
  const { schemas = {}, securitySchemes = {} } = document.components ?? {};
  const page: Page = {
    document,
    schemas: ids.takeAll('schema', Object.keys(schemas)),
    schemes: ids.takeAll('scheme', Object.keys(securitySchemes)),
  };
  const groups = operationGroups(document, ids);
  const { title, version, description } = document.info;
  const body = html`<header><h1>${title} <small>${version}</small></h1>${description !== undefined && markdown(description)}</header>
${contents(page, groups)}
<main id="main">
${authenticationView(page)}
${groups.map((group) => groupView(group, page))}
${page.schemas.size > 0 && schemasView(page, schemas)}
</main>`;
  return htmlPage({ title: `${title} ${version}`, style: STYLE, body });
}

/** Links to every operation and schema, in parts that can be folded away. */
function contents({ schemas }: Page, groups: readonly Group[]): Html {
  return html`<nav aria-label="Contents">
<a href="#authentication">Authentication</a>
${groups.map(({ name, entries }) => {
  const links = entries.map((entry) => html`<li><a href="#${entry.id}">${routeLabel(entry)}</a></li>\n`);
  return html`<details open><summary>${name}</summary><ul>${links}</ul></details>\n`;
})}
${
  schemas.size > 0 &&
  html`<details open><summary>Schemas</summary><ul class="names">${[...schemas].map(
    ([name, id]) => html`<li><a href="#${id}">${name}</a></li>\n`,
  )}</ul></details>`
}
</nav>
`;
}

function groupView({ id, name, description, entries }: Group, page: Page): Html {
  return html`<section id="${id}"><h2>${name}</h2>${description !== undefined && markdown(description)}
${entries.map((entry) => operationView(entry, page))}</section>
`;
}

function schemasView(page: Page, schemas: Readonly<Record<string, Schema>>): Html {
  const sections = [...page.schemas].map(([name, id]) => {
    const schema = schemas[name];
    return html`<section class="schema" id="${id}"><h3><a href="#${id}">${name}</a></h3>
<div class="line">${typeLine(schema, page)}</div>${schemaView(schema, page)}</section>
`;
  });
  return html`<section id="schemas"><h2>Schemas</h2>${sections}</section>`;
}
