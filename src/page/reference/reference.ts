import './reference.css';

/** The part of Scalar's standalone build that is used here; the script before this one defines it. */
interface Renderer {
  createApiReference(element: string, configuration: Readonly<Record<string, unknown>>): unknown;
}

/** Languages of samples that are left out: curl and Python stay, and the TypeScript client's samples come with the contract. */
const HIDDEN_CLIENTS = {
  ...Object.fromEntries(
    [
      ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'js', 'kotlin', 'node', 'objc', 'ocaml'],
      ...['php', 'powershell', 'r', 'ruby', 'rust', 'swift'],
    ].map((language) => [language, true]),
  ),
  shell: ['httpie', 'wget'],
  python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
};

// Everything that would reach another host is off; the policy of the page forbids it as well.
(globalThis as unknown as { readonly Scalar: Renderer }).Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  servers: [{ url: location.origin }],
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  theme: 'default',
  documentDownloadType: 'direct',
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  hiddenClients: HIDDEN_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
