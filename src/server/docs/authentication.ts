import { type Html, html, joined } from './html.ts';
import { markdown } from './markdown.ts';
import type { SecurityRequirement, SecurityScheme } from './open-api.ts';
import type { Page } from './page.ts';
import { resolve } from './resolve.ts';

/** How clients say who they are, and what the examples take for granted. */
export function authenticationView(page: Page): Html {
  const { document, schemes } = page;
  return html`<section id="authentication"><h2>Authentication</h2>
${schemes.size === 0 && html`<p>No operation asks for credentials.</p>`}
${requirementView('Unless an operation says otherwise', document.security, page)}
${[...schemes].map(([name, id]) => schemeView(name, id, page))}
<p>The calls on this page expect the address of the service in <code>$BASE_URL</code>${
    schemes.size > 0 && html` and your key in <code>$API_KEY</code>`
  }.${serversView(page)}</p>
</section>
`;
}

/** What an operation asks for; nothing where the document knows no authentication at all. */
export function requirementView(
  title: string,
  security: readonly SecurityRequirement[] | undefined,
  page: Page,
): Html | undefined {
  if (page.schemes.size === 0) return undefined;
  const ways = (security ?? []).map((requirement) => wayOf(requirement, page));
  return html`<p class="needs">${title}: ${ways.length === 0 ? 'none' : joined(ways, ' or ')}</p>`;
}

function wayOf(requirement: SecurityRequirement, page: Page): Html {
  const schemes = Object.entries(requirement).map(([name, scopes]) => {
    const id = page.schemes.get(name);
    const needed = joined(
      scopes.map((scope) => html`<code>${scope}</code>`),
      ', ',
    );
    return html`${id === undefined ? name : html`<a href="#${id}">${name}</a>`}${scopes.length > 0 && html` with the scope ${needed}`}`;
  });
  return schemes.length === 0 ? html`none` : joined(schemes, ' and ');
}

function schemeView(name: string, id: string, page: Page): Html | undefined {
  const scheme = resolve<SecurityScheme>(page.document, page.document.components?.securitySchemes?.[name]);
  if (scheme === undefined) return undefined;
  return html`<div class="scheme" id="${id}"><h3>${name}</h3><p>${carrier(scheme)}</p>${
    scheme.description !== undefined && markdown(scheme.description)
  }</div>`;
}

/** Where the credentials go. */
function carrier({ type, scheme, name, in: place, bearerFormat }: SecurityScheme): Html {
  if (type === 'apiKey') return html`A key in the ${place} <code>${name}</code>.`;
  if (type !== 'http') return html`By ${type}.`;
  if (scheme?.toLowerCase() !== 'bearer') return html`HTTP authentication: <code>Authorization: ${scheme} …</code>`;
  return html`A bearer token${bearerFormat !== undefined && html` (${bearerFormat})`}: <code>Authorization: Bearer …</code>`;
}

function serversView({ document }: Page): Html | undefined {
  const { servers = [] } = document;
  if (servers.length === 0) return undefined;
  const addresses = servers.map(
    ({ url, description }) => html`<code>${url}</code>${description !== undefined && ` (${description})`}`,
  );
  return html` It answers at ${joined(addresses, ', ')}.`;
}
