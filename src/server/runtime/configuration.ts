import { z } from 'zod';
import { EXTRACTORS, LIMITS, WRITERS } from '../../contract/index.ts';
import type { ModelDeps } from '../../digest/index.ts';
import { openAiModel, type Price, type Prompts, readEncoderSpecs } from '../../models/index.ts';
import { ConfigurationError } from '../errors.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import { readAllowedTargets } from '../webhooks/targets.ts';

function whole(least: number, most: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));
}

/** Described as `a number of seconds from 1 to 3600`, last of all: @hono/zod-openapi has `default` forget it. */
function integer(least: number, most: number, fallback: number, unit = '') {
  return whole(least, most).default(fallback).describe(`a number${unit} from ${least} to ${most}`);
}

/** Described as `"a", "b" or "c"`. */
function choice<const Name extends string>(names: readonly Name[], fallback: Name) {
  return z
    .enum(names)
    .default(fallback as Exclude<Name, undefined>)
    .describe(oneOf(names));
}

function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted[quoted.length - 1]}`;
}

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

/** Error messages include the descriptions. */
const settings = z.object({
  HOST: z.string().default('127.0.0.1').describe('an address to bind to'),
  PORT: integer(0, 65535, 8787),
  TESSERA_DB: z.string().default('var/tessera.sqlite').describe('the path of the database file'),
  TESSERA_MODELS: z.string().optional().describe('a folder of model folders'),
  TESSERA_HUB: webAddress
    .default('https://huggingface.co')
    .describe('the http or https address of a model hub, such as https://huggingface.co'),
  TESSERA_ENCODER: z
    .string()
    .default('transformers')
    .describe('"transformers", "workers-ai" or a name of TESSERA_ENCODERS'),
  TESSERA_MATRIX: choice(['auto', 'onnxruntime', 'portable'], 'auto'),
  TESSERA_MAX_BODY_MB: integer(1, 1024, 32),
  OPENAI_API_KEY: z.string().optional().describe('a key'),
  OPENAI_BASE_URL: webAddress.optional().describe('an http or https address, such as http://127.0.0.1:11434/v1'),
  TESSERA_MODEL: z.string().optional().describe('the name of a language model'),
  TESSERA_ENGINE: choice(['embedded', 'llm'], 'embedded'),
  TESSERA_EXTRACTOR: z.enum(EXTRACTORS).optional().describe(oneOf(EXTRACTORS)),
  TESSERA_WRITER: z.enum(WRITERS).optional().describe(oneOf(WRITERS)),
  TESSERA_MODEL_JSON: choice(['auto', 'json_schema', 'json_object', 'text'], 'auto'),
  TESSERA_MODEL_CONTEXT: integer(1024, 10_000_000, 8192, tokens),
  TESSERA_MODEL_THINKING: integer(0, 1_000_000, 0, tokens),
  TESSERA_MODEL_TIMEOUT: integer(1, 3600, 120, seconds),
  TESSERA_MODEL_ATTEMPTS: integer(1, 10, 3),
  TESSERA_MODEL_CONCURRENCY: integer(1, 256, 8),
  TESSERA_MODEL_PRICES: prices
    .default(new Map())
    .describe('JSON such as {"model": {"input": 0.15, "output": 0.6}}, per million tokens'),
  TESSERA_LOG: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  TESSERA_JOBS: integer(0, 256, 4),
  TESSERA_LEASE_SECONDS: integer(1, 3600, 30, seconds),
  TESSERA_WAIT_SECONDS: integer(1, 3600, 120, seconds),
  TESSERA_SHUTDOWN_SECONDS: integer(0, 3600, 10, seconds),
  TESSERA_MAX_WAIT_SECONDS: integer(1, 3600, 15, seconds),
  TESSERA_RATE: rate.default({ requests: 600, seconds: 60 }).describe('requests and seconds such as 600/60, or "off"'),
  TESSERA_MAX_DOCUMENTS: integer(1, LIMITS.documents, LIMITS.documents),
  TESSERA_MAX_DOCUMENT_CHARACTERS: integer(1, LIMITS.documentCharacters, LIMITS.documentCharacters),
  TESSERA_MAX_CHARACTERS: integer(1, 1_000_000_000, 50_000_000),
  TESSERA_MAX_DIGEST_POINTS: integer(1, 10_000_000, 1_000_000),
  TESSERA_MAX_KEY_POINTS: integer(1, LIMITS.keyPoints, LIMITS.keyPoints),
  TESSERA_MAX_TENANT_DIGESTS: integer(1, 1_000_000, 100),
  TESSERA_MAX_QUEUE: integer(1, 1_000_000, 1000),
  TESSERA_MAX_TENANT_STREAMS: integer(1, 1_000_000, 100),
  TESSERA_MAX_STREAMS: integer(1, 1_000_000, 1000),
  TESSERA_MAX_COLLECTION_DOCUMENTS: integer(1, 1_000_000, 10_000),
  TESSERA_WEBHOOK_ALLOW: z.string().default('').describe('host names and addresses such as 127.0.0.1,10.0.0.0/8'),
  TESSERA_RETENTION_DAYS: whole(1, 36_500).optional().describe('a number of days from 1 to 36500'),
});
type Settings = z.infer<typeof settings>;

export type Configuration = ReturnType<typeof readConfiguration>;
export type ServiceConfiguration = Configuration['service'];

/** Secrets never appear in error messages; nor do addresses with credentials or a query. */
const SECRET = new Set(['OPENAI_API_KEY', 'TESSERA_MODEL_PRICES']);

/** An empty value counts as missing. @throws ConfigurationError that names the first invalid value */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { success, data, error } = settings.safeParse(given);
  if (!success) {
    const name = String(error.issues[0].path[0]) as keyof Settings; // every issue lies under a setting's name
    const but = SECRET.has(name) || /[@?]/.test(String(given[name])) ? '' : `, not "${given[name]}"`;
    throw new ConfigurationError(`${name} must be ${settings.shape[name].description}${but}.`);
  }
  const encoders = readEncoderSpecs(environment);
  if ('problem' in encoders) throw new ConfigurationError(encoders.problem);
  const { openai, transformers, workersAi } = encoders.specs;
  const known = ['transformers', 'workers-ai', ...openai.keys(), ...transformers.keys(), ...workersAi.keys()];
  if (!known.includes(data.TESSERA_ENCODER)) {
    const expected = settings.shape.TESSERA_ENCODER.description;
    throw new ConfigurationError(`TESSERA_ENCODER must be ${expected}, not "${data.TESSERA_ENCODER}".`);
  }
  return {
    host: data.HOST,
    port: data.PORT,
    database: data.TESSERA_DB,
    models: data.TESSERA_MODELS,
    /** Model hub for `tessera models pull`. */
    hub: data.TESSERA_HUB,
    encoder: data.TESSERA_ENCODER,
    matrix: data.TESSERA_MATRIX,
    maxBodyBytes: data.TESSERA_MAX_BODY_MB * 1024 * 1024,
    encoders: encoders.specs,
    languageModel: languageModelOf(data),
    service: serviceOf(data),
    logLevel: data.TESSERA_LOG,
  };
}

function serviceOf(data: Settings) {
  const allowed = readAllowedTargets(data.TESSERA_WEBHOOK_ALLOW);
  if ('problem' in allowed) throw new ConfigurationError(allowed.problem);
  const { TESSERA_RETENTION_DAYS: days } = data;
  return {
    jobs: data.TESSERA_JOBS,
    leaseMilliseconds: 1000 * data.TESSERA_LEASE_SECONDS,
    shutdownMilliseconds: 1000 * data.TESSERA_SHUTDOWN_SECONDS,
    maxWaitMilliseconds: 1000 * data.TESSERA_MAX_WAIT_SECONDS,
    rate: data.TESSERA_RATE,
    limits: {
      documents: data.TESSERA_MAX_DOCUMENTS,
      documentCharacters: data.TESSERA_MAX_DOCUMENT_CHARACTERS,
      characters: data.TESSERA_MAX_CHARACTERS,
      keyPoints: data.TESSERA_MAX_KEY_POINTS,
      digestsPerTenant: data.TESSERA_MAX_TENANT_DIGESTS,
      queuedDigests: data.TESSERA_MAX_QUEUE,
      streams: { perTenant: data.TESSERA_MAX_TENANT_STREAMS, total: data.TESSERA_MAX_STREAMS },
      waitMilliseconds: 1000 * data.TESSERA_WAIT_SECONDS,
    },
    collectionDocuments: data.TESSERA_MAX_COLLECTION_DOCUMENTS,
    digestPoints: data.TESSERA_MAX_DIGEST_POINTS,
    webhookTargets: allowed.targets,
    /** Null keeps everything. */
    retentionMilliseconds: days === undefined ? null : days * 24 * 60 * 60 * 1000,
  };
}

function languageModelOf(data: Settings) {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = data;
  const hasEndpoint = apiKey !== undefined || baseUrl !== undefined;
  for (const name of ['TESSERA_ENGINE', 'TESSERA_EXTRACTOR', 'TESSERA_WRITER'] as const) {
    if (data[name] !== 'llm' || (hasEndpoint && data.TESSERA_MODEL !== undefined)) continue;
    throw new ConfigurationError(
      hasEndpoint
        ? `${name} is "llm", but no language model is named: set TESSERA_MODEL.`
        : `${name} is "llm", but there is no language model: set TESSERA_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL.`,
    );
  }
  return {
    /** Null without a key and an address: no language model. */
    endpoint: hasEndpoint ? { apiKey: apiKey ?? null, baseUrl } : null,
    defaultModel: data.TESSERA_MODEL ?? null,
    extractor: data.TESSERA_EXTRACTOR ?? (data.TESSERA_ENGINE === 'llm' ? 'llm' : 'sentences'),
    writer: data.TESSERA_WRITER ?? (data.TESSERA_ENGINE === 'llm' ? 'llm' : 'compose'),
    jsonMode: data.TESSERA_MODEL_JSON,
    contextTokens: data.TESSERA_MODEL_CONTEXT,
    /** Added to the token limit of every answer, for models that think first. */
    thinkingTokens: data.TESSERA_MODEL_THINKING,
    callMilliseconds: 1000 * data.TESSERA_MODEL_TIMEOUT,
    attempts: data.TESSERA_MODEL_ATTEMPTS,
    concurrency: data.TESSERA_MODEL_CONCURRENCY,
    prices: data.TESSERA_MODEL_PRICES,
  };
}

export function modelsOf({ languageModel }: Configuration, prompts: Prompts): ModelDeps {
  const { endpoint, extractor, writer, ...rest } = languageModel;
  const model = endpoint && openAiModel({ ...rest, apiKey: endpoint.apiKey, baseUrl: endpoint.baseUrl });
  return { model, prompts, extractor, writer };
}
