import { OpenAPIHono } from '@hono/zod-openapi';
import type { ServiceEnv } from '../service-deps.ts';

export const VERSION = '0.1.0';

const openApiInfo = {
  openapi: '3.1.0',
  info: {
    title: 'Tessera',
    version: VERSION,
    description:
      'Turns documents and a question into a short digest in which every sentence cites an exact quote. Errors are RFC 9457 problems. Every response has an `X-Request-Id`; where a rate limit is set, `RateLimit` tells how many requests are left. Every POST takes an `Idempotency-Key`.',
  },
  security: [{ key: [] }],
  tags: [
    { name: 'Digests', description: 'Short answers from many documents, with citations.' },
    { name: 'Collections', description: 'Documents that are stored and processed once for any number of digests.' },
    { name: 'Key points', description: 'Extraction alone.' },
    { name: 'Selections', description: 'Selection alone, among your own items or the key points of a digest.' },
    { name: 'Evaluations', description: 'Scores of digests and other texts by published measures.' },
    { name: 'Experiments', description: 'A/B tests of digest options.' },
    { name: 'Webhooks', description: 'Messages that a digest has ended, and what came of sending them.' },
    { name: 'Service', description: 'Health and metrics.' },
  ],
};

/** TypeScript client calls by operation; `BODY` is replaced by the example of the request. */
const CALLS: Readonly<Record<string, string>> = {
  createDigest: 'const digest = await client.digests.create(BODY);\nconsole.log(digest.summary.text);',
  listDigests: 'for await (const digest of client.digests.list()) console.log(digest.id, digest.status);',
  getDigest: "const digest = await client.digests.get('dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071');",
  deleteDigest: "await client.digests.delete('dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071');",
  retryDigest: "await client.digests.retry('dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071');",
  getDigestMap: "const map = await client.digests.map('dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071', { dimensions: 3 });",
  getDigestRequest: "const request = await client.digests.request('dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071');",
  getDigestDocument:
    "const document = await client.digests.document('dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071', 'council');\nconsole.log(document.text);",
  createCollection: 'const collection = await client.collections.create(BODY);\nconsole.log(collection.id);',
  listCollections: 'for await (const collection of client.collections.list()) console.log(collection.id);',
  getCollection: "const collection = await client.collections.get('col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92');",
  deleteCollection: "await client.collections.delete('col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92');",
  putCollectionDocument:
    "await client.collections.putDocument('col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92', {\n  id: 'minutes-2026-03-02',\n  ...BODY,\n});",
  listCollectionDocuments:
    "for await (const document of client.collections.listDocuments('col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92')) {\n  console.log(document.id, document.title);\n}",
  getCollectionDocument:
    "const document = await client.collections.getDocument('col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92', 'minutes-2026-03-02');",
  deleteCollectionDocument:
    "await client.collections.deleteDocument('col_5b1d9e4f7a2c4863b0d6e8f1a3c57d92', 'minutes-2026-03-02');",
  extractKeyPoints: 'const { keyPoints } = await client.keyPoints.extract(BODY);',
  createSelection: 'const selection = await client.selections.create(BODY);',
  createEvaluation: 'const evaluation = await client.evaluations.create(BODY);',
  createExperiment: 'const experiment = await client.experiments.create(BODY);',
  listExperiments: 'for await (const experiment of client.experiments.list()) console.log(experiment.key);',
  getExperiment: "const experiment = await client.experiments.get('shorter-digests');",
  updateExperiment: "const experiment = await client.experiments.update('shorter-digests', BODY);",
  startExperiment: "await client.experiments.start('shorter-digests');",
  stopExperiment: "await client.experiments.stop('shorter-digests');",
  getExperimentResults:
    "const results = await client.experiments.results('shorter-digests');\nconsole.log(results.conclusion);",
  getAssignment: "const { variant } = await client.experiments.assignment('shorter-digests', 'user-123');",
  recordExposure: "const { variant } = await client.experiments.expose('shorter-digests', 'user-123');",
  recordOutcomes:
    "await client.experiments.recordOutcomes('shorter-digests', [\n  { eventId: 'evt-1', subject: 'user-123', metric: 'source-opened' },\n]);",
  listWebhooks:
    "for await (const webhook of client.webhooks.list({ status: 'failed' })) console.log(webhook.digest, webhook.outcome);",
  retryWebhook: "await client.webhooks.retry('msg_3f0c8a52d6b14e6f9a1b7c2d4e5f6071');",
};

const BEFORE = `import { createClient } from 'tessera/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:8787', apiKey: process.env.TESSERA_KEY });

`;

interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

function clientSample(operationId: string, body: unknown): CodeSample | null {
  if (!Object.hasOwn(CALLS, operationId)) return null;
  const call = CALLS[operationId].replace('...BODY', () => fieldsOf(body)).replace('BODY', () => literal(body));
  return { lang: 'TypeScript', label: 'TypeScript client', source: BEFORE + call };
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
}

function fieldsOf(value: unknown): string {
  return literal(value).slice(2, -2).trimStart().replace(/,$/, '');
}

export function openApiRoutes(app: OpenAPIHono<ServiceEnv>) {
  const routes = new OpenAPIHono<ServiceEnv>();
  let document: Document | undefined;
  routes.get('/openapi.json', (context) => {
    document ??= withSamples(app.getOpenAPI31Document(openApiInfo));
    return context.json(document);
  });
  return routes;
}

type Document = ReturnType<OpenAPIHono<ServiceEnv>['getOpenAPI31Document']>;

interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media | undefined>> };
}

interface Media {
  readonly schema: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

function withSamples(document: Document): Document {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => {
      const sample = clientSample(operation.operationId ?? '', exampleOf(operation, document));
      return [method, sample === null ? operation : { ...operation, 'x-codeSamples': [sample] }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function exampleOf({ requestBody }: Operation, { components }: Document): unknown {
  const media = requestBody?.content['application/json'];
  const [first] = Object.values(media?.examples ?? {});
  if (first !== undefined) return first.value;
  const name = media?.schema.$ref?.split('/').at(-1) ?? '';
  return (components?.schemas?.[name] as { readonly example?: unknown } | undefined)?.example;
}
