/** Calls of the TypeScript client by operation; `BODY` stands for the example of the request, as the contract gives it. */
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

/** A sample of code that belongs to an operation, as renderers of OpenAPI documents read it. */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The TypeScript client's call of an operation; null for operations that it has no method for. */
export function clientSample(operationId: string, body: unknown): CodeSample | null {
  if (!Object.hasOwn(CALLS, operationId)) return null;
  const call = CALLS[operationId].replace('...BODY', () => fieldsOf(body)).replace('BODY', () => literal(body));
  return { lang: 'TypeScript', label: 'TypeScript client', source: BEFORE + call };
}

/** A value as TypeScript writes it: names without quotes where they need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
}

/** The fields of an object, to stand within another. */
function fieldsOf(value: unknown): string {
  return literal(value).slice(2, -2).trimStart().replace(/,$/, '');
}
