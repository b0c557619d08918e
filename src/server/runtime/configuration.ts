import { z } from 'zod';
import { ENGINES, EXTRACTORS, LIMITS, WRITERS } from '../../contract/index.ts';
import type { ModelDeps } from '../../digest/index.ts';
import { knownContext, openAiModel, type Price, type Prompts, readEncoderSpecs } from '../../models/index.ts';
import { ConfigurationError } from '../errors.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import { readAllowedTargets } from '../targets.ts';

/** `z.url` alone takes "localhost:80" for an address of the protocol "localhost". */
const webAddress = z.url({ protocol: /^https?$/ });

const prices = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.strictObject({ input: z.number().min(0), output: z.number().min(0) })))
  .transform((table): ReadonlyMap<string, Price> => new Map(Object.entries(table)));

const rate = z
  .string()
  .regex(/^(?:off|[1-9]\d{0,6}\/[1-9]\d{0,4})$/)
  .transform((text): RateLimit | null => {
    const [requests, seconds] = text.split('/').map(Number);
    return text === 'off' ? null : { requests, seconds };
  });

const seconds = ' of seconds';
const tokens = ' of tokens';

/** Secrets never appear in error messages; nor do addresses with credentials or a query. */
const SECRET = new Set(['OPENAI_API_KEY', 'TESSERA_MODEL_PRICES']);

/** Readers of single settings. An empty value counts as missing. They throw ConfigurationError, which names the setting. */
function readers(environment: Readonly<Record<string, string | undefined>>) {
  function read<Schema extends z.ZodType>(name: string, schema: Schema, expected: string): z.output<Schema> {
    const value = environment[name] || undefined;
    const { success, data } = schema.safeParse(value);
    if (success) return data;
    const but = SECRET.has(name) || /[@?]/.test(String(value)) ? '' : `, not "${value}"`;
    throw new ConfigurationError(`${name} must be ${expected}${but}.`);
  }
  function integer<Missing>(name: string, least: number, most: number, fallback: Missing, unit = '') {
    const whole = z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));
    return read(name, whole.optional(), `a number${unit} from ${least} to ${most}`) ?? fallback;
  }
  function choice<const Name extends string>(name: string, names: readonly Name[], fallback: NoInfer<Name>): Name {
    const quoted = names.map((each) => `"${each}"`);
    const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted[quoted.length - 1]}`;
    return read(name, z.enum(names).optional(), expected) ?? fallback;
  }
  return { read, integer, choice };
}
type Readers = ReturnType<typeof readers>;

export type Configuration = ReturnType<typeof readConfiguration>;
export type ServiceConfiguration = Configuration['service'];

/** @throws ConfigurationError that names the first invalid value */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>) {
  const settings = readers(environment);
  const { read, integer, choice } = settings;
  const encoder = 'TESSERA_ENCODER';
  const expectedEncoder = '"transformers", "workers-ai" or a name of TESSERA_ENCODERS';
  const configuration = {
    host: read('HOST', z.string().default('127.0.0.1'), 'an address to bind to'),
    port: integer('PORT', 0, 65535, 8787),
    database: read('TESSERA_DB', z.string().default('var/tessera.sqlite'), 'the path of the database file'),
    models: read('TESSERA_MODELS', z.string().optional(), 'a folder of model folders'),
    prompts: read('TESSERA_PROMPTS', z.string().optional(), 'a folder of prompts'),
    /** Model hub for `tessera models pull`. */
    hub: read(
      'TESSERA_HUB',
      webAddress.default('https://huggingface.co'),
      'the http or https address of a model hub, such as https://huggingface.co',
    ),
    encoder: read(encoder, z.string().default('transformers'), expectedEncoder),
    matrix: choice('TESSERA_MATRIX', ['auto', 'onnxruntime', 'portable'], 'auto'),
    maxBodyBytes: integer('TESSERA_MAX_BODY_MB', 1, 1024, 32) * 1024 * 1024,
    languageModel: readLanguageModel(settings),
    service: readService(settings),
    logLevel: choice('TESSERA_LOG', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  };
  const encoders = readEncoderSpecs(environment);
  if ('problem' in encoders) throw new ConfigurationError(encoders.problem);
  const { openai, transformers, workersAi } = encoders.specs;
  const known = ['transformers', 'workers-ai', ...openai.keys(), ...transformers.keys(), ...workersAi.keys()];
  if (!known.includes(configuration.encoder)) {
    throw new ConfigurationError(`${encoder} must be ${expectedEncoder}, not "${configuration.encoder}".`);
  }
  return { ...configuration, encoders: encoders.specs };
}

function readService({ read, integer, choice }: Readers) {
  const targets = (name: string) =>
    readAllowedTargets(
      name,
      read(name, z.string().default(''), 'host names and addresses such as 127.0.0.1,10.0.0.0/8'),
    );
  const days = integer('TESSERA_RETENTION_DAYS', 1, 36_500, null, ' of days');
  return {
    jobs: integer('TESSERA_JOBS', 0, 256, 4),
    leaseMilliseconds: 1000 * integer('TESSERA_LEASE_SECONDS', 1, 3600, 30, seconds),
    shutdownMilliseconds: 1000 * integer('TESSERA_SHUTDOWN_SECONDS', 0, 3600, 10, seconds),
    maxWaitMilliseconds: 1000 * integer('TESSERA_MAX_WAIT_SECONDS', 1, 3600, 15, seconds),
    rate: read(
      'TESSERA_RATE',
      rate.default({ requests: 600, seconds: 60 }),
      'requests and seconds such as 600/60, or "off"',
    ),
    limits: {
      documents: integer('TESSERA_MAX_DOCUMENTS', 1, LIMITS.documents, LIMITS.documents),
      documentCharacters: integer(
        'TESSERA_MAX_DOCUMENT_CHARACTERS',
        1,
        LIMITS.documentCharacters,
        LIMITS.documentCharacters,
      ),
      characters: integer('TESSERA_MAX_CHARACTERS', 1, 1_000_000_000, 50_000_000),
      keyPoints: integer('TESSERA_MAX_KEY_POINTS', 1, LIMITS.keyPoints, LIMITS.keyPoints),
      digestsPerTenant: integer('TESSERA_MAX_TENANT_DIGESTS', 1, 1_000_000, 100),
      queuedDigests: integer('TESSERA_MAX_QUEUE', 1, 1_000_000, 1000),
      subscriptionsPerTenant: integer('TESSERA_MAX_SUBSCRIPTIONS', 1, 1_000_000, 100),
      streams: {
        perTenant: integer('TESSERA_MAX_TENANT_STREAMS', 1, 1_000_000, 100),
        total: integer('TESSERA_MAX_STREAMS', 1, 1_000_000, 1000),
      },
      waitMilliseconds: 1000 * integer('TESSERA_WAIT_SECONDS', 1, 3600, 120, seconds),
    },
    collectionDocuments: integer('TESSERA_MAX_COLLECTION_DOCUMENTS', 1, 1_000_000, 10_000),
    quietMilliseconds: 1000 * integer('TESSERA_QUIET_SECONDS', 1, 86_400, 30, seconds),
    digestPoints: integer('TESSERA_MAX_DIGEST_POINTS', 1, 10_000_000, 1_000_000),
    webhookTargets: targets('TESSERA_WEBHOOK_ALLOW'),
    /** Whose addresses of documents are fetched: those of callers with a key, of all, or of none. */
    fetch: choice('TESSERA_FETCH', ['keys', 'on', 'off'], 'keys'),
    fetchTargets: targets('TESSERA_FETCH_ALLOW'),
    /** Null keeps everything. */
    retentionMilliseconds: days && days * 24 * 60 * 60 * 1000,
  };
}

function readLanguageModel({ read, integer, choice }: Readers) {
  const apiKey = read('OPENAI_API_KEY', z.string().optional(), 'a key');
  const address = 'an http or https address, such as http://127.0.0.1:11434/v1';
  const baseUrl = read('OPENAI_BASE_URL', webAddress.optional(), address);
  const defaultModel = read('TESSERA_MODEL', z.string().default(''), 'the name of a language model') || null;
  const engine = choice('TESSERA_ENGINE', ENGINES, 'embedded');
  const extractor = choice('TESSERA_EXTRACTOR', EXTRACTORS, engine === 'llm' ? 'auto' : 'sentences');
  const writer = choice('TESSERA_WRITER', WRITERS, engine === 'llm' ? 'llm' : 'compose');
  const hasEndpoint = apiKey !== undefined || baseUrl !== undefined;
  const chosen = { TESSERA_ENGINE: engine, TESSERA_EXTRACTOR: extractor, TESSERA_WRITER: writer };
  for (const [name, value] of Object.entries(chosen)) {
    if (value !== 'llm' || (hasEndpoint && defaultModel !== null)) continue;
    throw new ConfigurationError(
      hasEndpoint
        ? `${name} is "llm", but no language model is named: set TESSERA_MODEL.`
        : `${name} is "llm", but there is no language model: set TESSERA_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL.`,
    );
  }
  return {
    /** Null without a key and an address: no language model. */
    endpoint: hasEndpoint ? { apiKey: apiKey ?? null, baseUrl } : null,
    defaultModel,
    extractor,
    writer,
    jsonMode: choice('TESSERA_MODEL_JSON', ['auto', 'json_schema', 'json_object', 'text'], 'auto'),
    /** Null if not set: what the server or the model's name tells. */
    contextTokens: integer('TESSERA_MODEL_CONTEXT', 1024, 10_000_000, null, tokens),
    /** Added to the token limit of every answer, for models that think first. */
    thinkingTokens: integer('TESSERA_MODEL_THINKING', 0, 1_000_000, 0, tokens),
    callMilliseconds: 1000 * integer('TESSERA_MODEL_TIMEOUT', 1, 3600, 120, seconds),
    attempts: integer('TESSERA_MODEL_ATTEMPTS', 1, 10, 3),
    concurrency: integer('TESSERA_MODEL_CONCURRENCY', 1, 256, 8),
    prices: read(
      'TESSERA_MODEL_PRICES',
      prices.default(new Map()),
      'JSON such as {"model": {"input": 0.15, "output": 0.6}}, per million tokens',
    ),
  };
}

/** Tokens of prompt and answer that a model may take of which neither the server nor the name tells. */
const ASSUMED_CONTEXT = 8192;

/** @param served what the model's server says of its context */
export function modelsOf({ languageModel }: Configuration, prompts: Prompts, served?: number): ModelDeps {
  const { endpoint, extractor, writer, ...rest } = languageModel;
  const known = knownContext(rest.defaultModel ?? '');
  const contextTokens = rest.contextTokens ?? served ?? known ?? ASSUMED_CONTEXT;
  const model = endpoint && openAiModel({ ...rest, contextTokens, apiKey: endpoint.apiKey, baseUrl: endpoint.baseUrl });
  return { model, prompts, extractor, writer };
}
