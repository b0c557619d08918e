import { expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from '../../../src/server/index.ts';

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8787,
  database: 'var/tessera.sqlite',
  models: undefined,
  hub: 'https://huggingface.co',
  encoder: 'transformers',
  matrix: 'auto',
  maxBodyBytes: 32 * 1024 * 1024,
  encoders: Object.fromEntries(['openai', 'transformers', 'rerank', 'workersAi'].map((kind) => [kind, new Map()])),
  languageModel: {
    endpoint: null,
    defaultModel: null,
    extractor: 'sentences',
    writer: 'compose',
    jsonMode: 'auto',
    contextTokens: null,
    thinkingTokens: 0,
    callMilliseconds: 120_000,
    attempts: 3,
    concurrency: 8,
    prices: new Map(),
  },
  service: {
    jobs: 4,
    leaseMilliseconds: 30_000,
    shutdownMilliseconds: 10_000,
    maxWaitMilliseconds: 15_000,
    rate: { requests: 600, seconds: 60 },
    limits: {
      documents: 2000,
      documentCharacters: 2_000_000,
      characters: 50_000_000,
      keyPoints: 1000,
      digestsPerTenant: 100,
      queuedDigests: 1000,
      subscriptionsPerTenant: 100,
      streams: { perTenant: 100, total: 1000 },
      waitMilliseconds: 120_000,
    },
    collectionDocuments: 10_000,
    quietMilliseconds: 30_000,
    digestPoints: 1_000_000,
    webhookTargets: { hosts: new Set(), ranges: [] },
    fetch: 'keys',
    fetchTargets: { hosts: new Set(), ranges: [] },
    retentionMilliseconds: null,
  },
  logLevel: 'info',
};

/** A value of each setting that is not its default, what it sets, and values that it must not have. */
const SETTINGS: [name: string, value: string, path: string, read: unknown, ...bad: string[]][] = [
  ['HOST', '::1', 'host', '::1'],
  ['PORT', '0', 'port', 0, 'http', '-1', '65536', '80.5', '0x50'],
  ['TESSERA_DB', '/tmp/x.sqlite', 'database', '/tmp/x.sqlite'],
  ['TESSERA_MODELS', '/models', 'models', '/models'],
  ['TESSERA_HUB', 'http://127.0.0.1:9', 'hub', 'http://127.0.0.1:9', 'huggingface', 'file:///models'],
  ['TESSERA_ENCODER', 'workers-ai', 'encoder', 'workers-ai', 'word2vec', 'auto'],
  ['TESSERA_MATRIX', 'portable', 'matrix', 'portable', 'gpu'],
  ['TESSERA_MAX_BODY_MB', '1', 'maxBodyBytes', 1024 * 1024, '0', '1025', '1.5'],
  ['TESSERA_MODEL', 'small', 'languageModel.defaultModel', 'small'],
  ['TESSERA_MODEL_JSON', 'text', 'languageModel.jsonMode', 'text', 'yaml'],
  ['TESSERA_MODEL_CONTEXT', '4096', 'languageModel.contextTokens', 4096, '100'],
  ['TESSERA_MODEL_THINKING', '20000', 'languageModel.thinkingTokens', 20_000, '1000001', '-1'],
  ['TESSERA_MODEL_TIMEOUT', '7', 'languageModel.callMilliseconds', 7000, '0'],
  ['TESSERA_MODEL_ATTEMPTS', '2', 'languageModel.attempts', 2, '11'],
  ['TESSERA_MODEL_CONCURRENCY', '1', 'languageModel.concurrency', 1, '0'],
  [
    'TESSERA_MODEL_PRICES',
    '{"m":{"input":0.1,"output":1}}',
    'languageModel.prices',
    new Map([['m', { input: 0.1, output: 1 }]]),
  ],
  ['TESSERA_LOG', 'silent', 'logLevel', 'silent', 'loud'],
  ['TESSERA_JOBS', '0', 'service.jobs', 0, '-1', '257', 'all'],
  ['TESSERA_LEASE_SECONDS', '5', 'service.leaseMilliseconds', 5000, '0', '3601'],
  ['TESSERA_WAIT_SECONDS', '6', 'service.limits.waitMilliseconds', 6000, '0', '3601'],
  ['TESSERA_SHUTDOWN_SECONDS', '0', 'service.shutdownMilliseconds', 0, '-1', '3601', '10s'],
  ['TESSERA_MAX_WAIT_SECONDS', '7', 'service.maxWaitMilliseconds', 7000, '0', '3601'],
  ['TESSERA_RATE', '30/10', 'service.rate', { requests: 30, seconds: 10 }, '600', '0/60', '600/0', '-1/60', '06/60'],
  ['TESSERA_RATE', 'off', 'service.rate', null],
  ['TESSERA_MAX_DOCUMENTS', '11', 'service.limits.documents', 11, '0', '2001'],
  ['TESSERA_MAX_DOCUMENT_CHARACTERS', '12', 'service.limits.documentCharacters', 12, '0', '2000001'],
  ['TESSERA_MAX_CHARACTERS', '17', 'service.limits.characters', 17, '0', '1000000001', '5e7'],
  ['TESSERA_MAX_KEY_POINTS', '13', 'service.limits.keyPoints', 13, '0', '1001'],
  ['TESSERA_MAX_TENANT_DIGESTS', '14', 'service.limits.digestsPerTenant', 14, '0', '1000001'],
  ['TESSERA_MAX_QUEUE', '15', 'service.limits.queuedDigests', 15, '0', '1000001'],
  ['TESSERA_MAX_TENANT_STREAMS', '18', 'service.limits.streams.perTenant', 18, '0'],
  ['TESSERA_MAX_STREAMS', '19', 'service.limits.streams.total', 19, '1000001'],
  ['TESSERA_MAX_SUBSCRIPTIONS', '15', 'service.limits.subscriptionsPerTenant', 15, '0', '1000001'],
  ['TESSERA_QUIET_SECONDS', '5', 'service.quietMilliseconds', 5000, '0', '86401'],
  ['TESSERA_MAX_COLLECTION_DOCUMENTS', '16', 'service.collectionDocuments', 16, '0', '1000001'],
  ['TESSERA_MAX_DIGEST_POINTS', '17', 'service.digestPoints', 17],
  ['TESSERA_FETCH', 'on', 'service.fetch', 'on'],
  ['TESSERA_FETCH_ALLOW', 'wiki.internal', 'service.fetchTargets.hosts', new Set(['wiki.internal'])],
  ['TESSERA_WEBHOOK_ALLOW', 'hooks.internal', 'service.webhookTargets.hosts', new Set(['hooks.internal'])],
  ['TESSERA_RETENTION_DAYS', '2', 'service.retentionMilliseconds', 172_800_000, '0', '36501', '0.5'],
];

test('an empty environment gives the defaults', () => {
  expect(readConfiguration({})).toEqual(DEFAULTS);
});

test.each(SETTINGS)('%s=%s sets %s, and nothing else', (name, value, path, read) => {
  const configuration = readConfiguration({ [name]: value });
  expect(configuration).toHaveProperty(path, read);
  const names = path.split('.');
  const changed = structuredClone<Record<string, unknown>>(DEFAULTS);
  const owner = names.slice(0, -1).reduce((each, key) => Object(each[key]), changed);
  owner[names[names.length - 1]] = read;
  expect(configuration).toEqual(changed);
});

test('an empty value counts as absent, and other variables do not matter', () => {
  const empty = Object.fromEntries(SETTINGS.map(([name]) => [name, '']));
  expect(readConfiguration({ ...empty, PATH: '/bin', OPENAI_API_KEY: '', LOST: undefined })).toEqual(DEFAULTS);
});

test('a key that is there changes no default: there is a model to ask, and an encoder to name (P10)', () => {
  const { endpoint } = readConfiguration({ OPENAI_API_KEY: 'sk-x' }).languageModel;
  expect(readConfiguration({ OPENAI_API_KEY: 'sk-x' })).toEqual({
    ...DEFAULTS,
    encoders: {
      ...DEFAULTS.encoders,
      openai: new Map([['openai', expect.objectContaining({ model: 'text-embedding-3-small', dimensions: 1536 })]]),
    },
    languageModel: { ...DEFAULTS.languageModel, endpoint },
  });
  expect(endpoint).toEqual({ apiKey: 'sk-x', baseUrl: undefined });
});

test('TESSERA_ENGINE=llm makes the model extractor and writer, unless one of them is set', () => {
  const model = { OPENAI_API_KEY: 'sk-x', TESSERA_MODEL: 'm', TESSERA_ENGINE: 'llm' };
  expect(readConfiguration(model).languageModel).toMatchObject({ extractor: 'auto', writer: 'llm' });
  const { languageModel } = readConfiguration({ ...model, TESSERA_EXTRACTOR: 'sentences' });
  expect(languageModel).toMatchObject({ extractor: 'sentences', writer: 'llm' });
});

test.each(['TESSERA_ENGINE', 'TESSERA_EXTRACTOR', 'TESSERA_WRITER'])(
  '%s=llm without a model stops the start',
  (name) => {
    const message = 'but there is no language model: set TESSERA_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL.';
    expect(() => readConfiguration({ [name]: 'llm' })).toThrow(`${name} is "llm", ${message}`);
    expect(() => readConfiguration({ [name]: 'llm', TESSERA_MODEL: 'm' })).toThrow(`${name} is "llm", ${message}`);
    expect(() => readConfiguration({ [name]: 'llm', OPENAI_API_KEY: 'sk-x' })).toThrow(
      `${name} is "llm", but no language model is named: set TESSERA_MODEL.`,
    );
  },
);

test.each(['ftp://me:hush@models.example/v1', 'models.example/v1?api_key=hush'])(
  'the address %s is refused with the form it should have, and its secret unrepeated',
  (address) => {
    expect(() => readConfiguration({ OPENAI_BASE_URL: address })).toThrow(
      /^OPENAI_BASE_URL must be an http or https address, such as http:\/\/127\.0\.0\.1:11434\/v1\.$/,
    );
  },
);

test.each(['{', '[]', '{"m":{"input":-1,"output":0}}', '{"m":{"input":1}}'])(
  'prices %s are refused, unrepeated',
  (value) => {
    const read = () => readConfiguration({ TESSERA_MODEL_PRICES: value });
    expect(read).toThrow(/^TESSERA_MODEL_PRICES must be JSON such as .+ per million tokens\.$/);
  },
);

test.each([
  ...SETTINGS.flatMap(([name, , , , ...bad]) => bad.map((value) => [name, value])),
  ...['localhost', 'localhost:11434/v1', 'ftp://x'].map((value) => ['OPENAI_BASE_URL', value]),
  ...['gpt'].map((value) => ['TESSERA_EXTRACTOR', value]),
  ...['LLM'].map((value) => ['TESSERA_WRITER', value]),
  ...['model'].map((value) => ['TESSERA_ENGINE', value]),
])('%s must not be %s', (name, value) => {
  const read = () => readConfiguration({ [name]: value });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(new RegExp(`^${name} must be .+, not "${value.replace('.', '\\.')}"\\.$`));
});

test('a webhook target that is none is named', () => {
  const read = () => readConfiguration({ TESSERA_WEBHOOK_ALLOW: 'hooks.internal, 10.0.0.0/8, host:80' });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow('TESSERA_WEBHOOK_ALLOW is wrong at "host:80": ');
});
