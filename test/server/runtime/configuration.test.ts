import { describe, expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from '../../../src/server/index.ts';
import { isAllowedAddress, isAllowedHost } from '../../../src/server/webhooks/allowed-targets.ts';

const DEFAULTS = {
  host: '127.0.0.1',
  port: 8787,
  database: 'var/tessera.sqlite',
  models: undefined,
  hub: 'https://huggingface.co',
  encoder: 'transformers',
  matrix: 'auto',
  maxBodyBytes: 32 * 1024 * 1024,
  encoders: {
    openai: new Map(),
    transformers: new Map(),
    rerank: new Map(),
    entailment: new Map(),
    workersAi: new Map(),
  },
  languageModel: {
    endpoint: null,
    defaultModel: null,
    extractor: 'sentences',
    writer: 'compose',
    jsonMode: 'auto',
    contextTokens: 8192,
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
      streams: { perTenant: 100, total: 1000 },
      waitMilliseconds: 120_000,
    },
    collectionDocuments: 10_000,
    digestPoints: 1_000_000,
    webhookTargets: { hosts: new Set(), ranges: [] },
    retentionMilliseconds: null,
  },
  logLevel: 'info',
};

/** Settings of the service, each with a value that is not its default. */
const SERVICE = {
  TESSERA_JOBS: '0',
  TESSERA_LEASE_SECONDS: '5',
  TESSERA_WAIT_SECONDS: '6',
  TESSERA_SHUTDOWN_SECONDS: '0',
  TESSERA_MAX_WAIT_SECONDS: '7',
  TESSERA_RATE: '30/10',
  TESSERA_MAX_DOCUMENTS: '11',
  TESSERA_MAX_DOCUMENT_CHARACTERS: '12',
  TESSERA_MAX_CHARACTERS: '17',
  TESSERA_MAX_KEY_POINTS: '13',
  TESSERA_MAX_TENANT_DIGESTS: '14',
  TESSERA_MAX_QUEUE: '15',
  TESSERA_MAX_TENANT_STREAMS: '18',
  TESSERA_MAX_STREAMS: '19',
  TESSERA_MAX_COLLECTION_DOCUMENTS: '16',
  TESSERA_MAX_DIGEST_POINTS: '17',
  TESSERA_WEBHOOK_ALLOW: 'hooks.internal, 10.0.0.0/8,::1',
  TESSERA_RETENTION_DAYS: '2',
};

test('an empty environment gives the defaults', () => {
  expect(readConfiguration({})).toEqual(DEFAULTS);
});

test('every setting is read', () => {
  const environment = {
    HOST: '::1',
    PORT: '0',
    TESSERA_DB: '/tmp/x.sqlite',
    TESSERA_MODELS: '/models',
    TESSERA_HUB: 'http://127.0.0.1:9',
    TESSERA_ENCODER: 'e5',
    TESSERA_MATRIX: 'portable',
    TESSERA_MAX_BODY_MB: '1',
    OPENAI_API_KEY: 'sk-x',
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
    TESSERA_MODEL: 'small',
    TESSERA_EXTRACTOR: 'llm',
    TESSERA_WRITER: 'llm',
    TESSERA_MODEL_JSON: 'text',
    TESSERA_MODEL_CONTEXT: '4096',
    TESSERA_MODEL_THINKING: '20000',
    TESSERA_MODEL_TIMEOUT: '7',
    TESSERA_MODEL_ATTEMPTS: '2',
    TESSERA_MODEL_CONCURRENCY: '1',
    TESSERA_MODEL_PRICES: '{"small":{"input":0.1,"output":0.4}}',
    TESSERA_ENCODERS: '{"e5":{"kind":"openai","model":"e5","baseUrl":"http://127.0.0.1:9/v1","dimensions":4}}',
    TESSERA_LOG: 'silent',
    ...SERVICE,
  };
  expect(readConfiguration(environment)).toEqual({
    host: '::1',
    port: 0,
    database: '/tmp/x.sqlite',
    models: '/models',
    hub: 'http://127.0.0.1:9',
    encoder: 'e5',
    matrix: 'portable',
    maxBodyBytes: 1024 * 1024,
    encoders: {
      openai: new Map([
        ['openai', expect.objectContaining({ model: 'text-embedding-3-small' })],
        ['e5', expect.objectContaining({ model: 'e5', dimensions: 4 })],
      ]),
      transformers: new Map(),
      rerank: new Map(),
      entailment: new Map(),
      workersAi: new Map(),
    },
    languageModel: {
      endpoint: { apiKey: 'sk-x', baseUrl: 'http://127.0.0.1:11434/v1' },
      defaultModel: 'small',
      extractor: 'llm',
      writer: 'llm',
      jsonMode: 'text',
      contextTokens: 4096,
      thinkingTokens: 20_000,
      callMilliseconds: 7000,
      attempts: 2,
      concurrency: 1,
      prices: new Map([['small', { input: 0.1, output: 0.4 }]]),
    },
    service: {
      jobs: 0,
      leaseMilliseconds: 5000,
      shutdownMilliseconds: 0,
      maxWaitMilliseconds: 7000,
      rate: { requests: 30, seconds: 10 },
      limits: {
        documents: 11,
        documentCharacters: 12,
        characters: 17,
        keyPoints: 13,
        digestsPerTenant: 14,
        queuedDigests: 15,
        streams: { perTenant: 18, total: 19 },
        waitMilliseconds: 6000,
      },
      collectionDocuments: 16,
      digestPoints: 17,
      webhookTargets: { hosts: new Set(['hooks.internal']), ranges: [expect.anything(), expect.anything()] },
      retentionMilliseconds: 172_800_000,
    },
    logLevel: 'silent',
  });
});

test('an empty value counts as absent, and other variables do not matter', () => {
  const names = ['HOST', 'PORT', 'TESSERA_DB', 'TESSERA_MODELS', 'TESSERA_HUB', 'TESSERA_ENCODER', 'TESSERA_MATRIX'];
  const empty = Object.fromEntries(
    [...names, 'TESSERA_MAX_BODY_MB', 'TESSERA_LOG', ...Object.keys(SERVICE)].map((name) => [name, '']),
  );
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

test('an address alone is enough: local servers want no key', () => {
  const { endpoint } = readConfiguration({ OPENAI_BASE_URL: 'http://127.0.0.1:8123/v1' }).languageModel;
  expect(endpoint?.baseUrl).toBe('http://127.0.0.1:8123/v1');
});

test('TESSERA_ENGINE=llm makes the model extractor and writer, unless one of them is set', () => {
  const model = { OPENAI_API_KEY: 'sk-x', TESSERA_MODEL: 'm', TESSERA_ENGINE: 'llm' };
  expect(readConfiguration(model).languageModel).toMatchObject({ extractor: 'llm', writer: 'llm' });
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

describe('a wrong value is named with what it may be', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['PORT', '1e3'],
    ['TESSERA_HUB', 'huggingface'],
    ['TESSERA_ENCODER', 'word2vec'],
    ['TESSERA_ENCODER', 'auto'],
    ['TESSERA_MATRIX', 'gpu'],
    ['TESSERA_MAX_BODY_MB', '0'],
    ['TESSERA_MAX_BODY_MB', '1025'],
    ['TESSERA_MAX_BODY_MB', '1.5'],
    ['TESSERA_LOG', 'loud'],
    ['TESSERA_HUB', 'file:///models'],
    ['OPENAI_BASE_URL', 'localhost'],
    ['OPENAI_BASE_URL', 'localhost:11434/v1'],
    ['OPENAI_BASE_URL', 'ftp://x'],
    ['TESSERA_EXTRACTOR', 'gpt'],
    ['TESSERA_WRITER', 'LLM'],
    ['TESSERA_ENGINE', 'model'],
    ['TESSERA_MODEL_JSON', 'yaml'],
    ['TESSERA_MODEL_CONTEXT', '100'],
    ['TESSERA_MODEL_THINKING', '1000001'],
    ['TESSERA_MODEL_THINKING', '-1'],
    ['TESSERA_MODEL_TIMEOUT', '0'],
    ['TESSERA_MODEL_ATTEMPTS', '11'],
    ['TESSERA_MODEL_CONCURRENCY', '0'],
    ['TESSERA_JOBS', '-1'],
    ['TESSERA_JOBS', '257'],
    ['TESSERA_JOBS', 'all'],
    ['TESSERA_LEASE_SECONDS', '0'],
    ['TESSERA_LEASE_SECONDS', '3601'],
    ['TESSERA_WAIT_SECONDS', '0'],
    ['TESSERA_WAIT_SECONDS', '3601'],
    ['TESSERA_SHUTDOWN_SECONDS', '-1'],
    ['TESSERA_SHUTDOWN_SECONDS', '3601'],
    ['TESSERA_SHUTDOWN_SECONDS', '10s'],
    ['TESSERA_MAX_WAIT_SECONDS', '0'],
    ['TESSERA_MAX_WAIT_SECONDS', '3601'],
    ['TESSERA_RATE', '600'],
    ['TESSERA_RATE', '0/60'],
    ['TESSERA_RATE', '600/0'],
    ['TESSERA_RATE', '-1/60'],
    ['TESSERA_RATE', '06/60'],
    ['TESSERA_RATE', '600 / 60'],
    ['TESSERA_RATE', '600/60/1'],
    ['TESSERA_RATE', '10000000/60'],
    ['TESSERA_RATE', '600/100000'],
    ['TESSERA_RATE', 'OFF'],
    ['TESSERA_MAX_DOCUMENTS', '0'],
    ['TESSERA_MAX_DOCUMENTS', '2001'],
    ['TESSERA_MAX_DOCUMENT_CHARACTERS', '0'],
    ['TESSERA_MAX_DOCUMENT_CHARACTERS', '2000001'],
    ['TESSERA_MAX_CHARACTERS', '0'],
    ['TESSERA_MAX_CHARACTERS', '1000000001'],
    ['TESSERA_MAX_CHARACTERS', '5e7'],
    ['TESSERA_MAX_KEY_POINTS', '0'],
    ['TESSERA_MAX_KEY_POINTS', '1001'],
    ['TESSERA_MAX_TENANT_DIGESTS', '0'],
    ['TESSERA_MAX_TENANT_DIGESTS', '1000001'],
    ['TESSERA_MAX_TENANT_STREAMS', '0'],
    ['TESSERA_MAX_STREAMS', '1000001'],
    ['TESSERA_MAX_QUEUE', '0'],
    ['TESSERA_MAX_QUEUE', '1000001'],
    ['TESSERA_MAX_COLLECTION_DOCUMENTS', '0'],
    ['TESSERA_MAX_COLLECTION_DOCUMENTS', '1000001'],
    ['TESSERA_RETENTION_DAYS', '0'],
    ['TESSERA_RETENTION_DAYS', '36501'],
    ['TESSERA_RETENTION_DAYS', '0.5'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfiguration({ [name]: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(new RegExp(`^${name} must be .+, not "${value.replace('.', '\\.')}"\\.$`));
  });
});

test.each([
  ['http://hooks.example/x', 'http://hooks.example/x'],
  ['*.example', '*.example'],
  ['10.0.0.0/33', '10.0.0.0/33'],
  ['10.0.0.1/8', '10.0.0.1/8'],
  ['127.1', '127.1'],
  ['hooks.internal, 10.0.0.0/8, host:80', 'host:80'],
])('webhook targets %s are refused with the entry that is wrong', (value, entry) => {
  const read = () => readConfiguration({ TESSERA_WEBHOOK_ALLOW: value });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(`TESSERA_WEBHOOK_ALLOW is wrong at "${entry}": `);
});

test('webhook targets are read as hosts and ranges of addresses', () => {
  const { webhookTargets } = readConfiguration({ TESSERA_WEBHOOK_ALLOW: SERVICE.TESSERA_WEBHOOK_ALLOW }).service;
  expect(
    ['hooks.internal', 'Hooks.Internal.', 'internal', '10.0.0.1'].map((host) => isAllowedHost(webhookTargets, host)),
  ).toEqual([true, true, false, false]);
  const addresses = ['10.0.0.0', '10.255.255.255', '11.0.0.0', '::1', '::2', '127.0.0.1'];
  expect(addresses.map((address) => isAllowedAddress(webhookTargets, address))).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
});

test('a rate may be anything up to none, and a limit as large as the contract', () => {
  expect(readConfiguration({ TESSERA_RATE: 'off' }).service.rate).toBeNull();
  expect(readConfiguration({ TESSERA_RATE: '1/1' }).service.rate).toEqual({ requests: 1, seconds: 1 });
  expect(readConfiguration({ TESSERA_RATE: '9999999/99999' }).service.rate).toEqual({
    requests: 9_999_999,
    seconds: 99_999,
  });
  const { limits, jobs, retentionMilliseconds } = readConfiguration({
    TESSERA_JOBS: '256',
    TESSERA_MAX_DOCUMENTS: '2000',
    TESSERA_MAX_DOCUMENT_CHARACTERS: '2000000',
    TESSERA_MAX_KEY_POINTS: '1000',
    TESSERA_RETENTION_DAYS: '36500',
  }).service;
  expect(limits).toEqual(DEFAULTS.service.limits);
  expect([jobs, retentionMilliseconds]).toEqual([256, 36_500 * 86_400_000]);
});

test('what stands for an integer is one', () => {
  expect(readConfiguration({ PORT: '65535' }).port).toBe(65535);
  expect(readConfiguration({ TESSERA_MAX_BODY_MB: '1024' }).maxBodyBytes).toBe(2 ** 30);
});
