import { z } from 'zod';
import { EXTRACTORS, type ExtractorName, LIMITS, WRITERS, type WriterName } from '../../contract/index.ts';
import { type EncoderSpecs, type Price, readEncoderSpecs } from '../../models/index.ts';
import { TesseraError } from '../../text/index.ts';
import type { Limits } from '../limits.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import { type AllowedTargets, readAllowedTargets } from '../webhooks/allowed-targets.ts';

/** A setting has a value that cannot be used; the message names it. */
export class ConfigurationError extends TesseraError {
  readonly code = 'configuration';
}

const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));

/** An address that is called by HTTP; "localhost:80" would be one of the protocol "localhost". */
const webAddress = z.url({ protocol: /^https?$/ });

/** What does the work where a request does not say: the embedded engine, or a language model that extracts, writes and judges. */
const ENGINES = ['embedded', 'llm'] as const;

const JSON_MODES = ['auto', 'json_schema', 'json_object', 'text'] as const;

/** `{"model": {"input": 0.15, "output": 0.6}}`, per million tokens. */
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

/** `600/60`: so many requests in so many seconds; `off` for any number. */
const rate = z
  .string()
  .regex(/^(?:off|[1-9]\d{0,6}\/[1-9]\d{0,4})$/)
  .transform((text): RateLimit | null => {
    const [requests, seconds] = text.split('/').map(Number);
    return text === 'off' ? null : { requests, seconds };
  });

/** Every setting: its name in the environment, what it may be, and its default. */
const settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65535).default(8787),
  TESSERA_DB: z.string().min(1).default('var/tessera.sqlite'),
  TESSERA_MODELS: z.string().min(1).optional(),
  TESSERA_HUB: webAddress.default('https://huggingface.co'),
  TESSERA_ENCODER: z.string().min(1).default('transformers'),
  TESSERA_MATRIX: z.enum(['auto', 'onnxruntime', 'portable']).default('auto'),
  TESSERA_MAX_BODY_MB: integer(1, 1024).default(32),
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: webAddress.optional(),
  TESSERA_MODEL: z.string().min(1).optional(),
  TESSERA_ENGINE: z.enum(ENGINES).default('embedded'),
  TESSERA_EXTRACTOR: z.enum(EXTRACTORS).optional(),
  TESSERA_WRITER: z.enum(WRITERS).optional(),
  TESSERA_MODEL_JSON: z.enum(JSON_MODES).default('auto'),
  TESSERA_MODEL_CONTEXT: integer(1024, 10_000_000).default(8192),
  TESSERA_MODEL_THINKING: integer(0, 1_000_000).default(0),
  TESSERA_MODEL_TIMEOUT: integer(1, 3600).default(120),
  TESSERA_MODEL_ATTEMPTS: integer(1, 10).default(3),
  TESSERA_MODEL_CONCURRENCY: integer(1, 256).default(8),
  TESSERA_MODEL_PRICES: prices.default(new Map()),
  TESSERA_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TESSERA_JOBS: integer(0, 256).default(4),
  TESSERA_LEASE_SECONDS: integer(1, 3600).default(30),
  TESSERA_WAIT_SECONDS: integer(1, 3600).default(120),
  TESSERA_SHUTDOWN_SECONDS: integer(0, 3600).default(10),
  TESSERA_MAX_WAIT_SECONDS: integer(1, 3600).default(15),
  TESSERA_RATE: rate.default({ requests: 600, seconds: 60 }),
  TESSERA_MAX_DOCUMENTS: integer(1, LIMITS.documents).default(LIMITS.documents),
  TESSERA_MAX_DOCUMENT_CHARACTERS: integer(1, LIMITS.documentCharacters).default(LIMITS.documentCharacters),
  TESSERA_MAX_CHARACTERS: integer(1, 1_000_000_000).default(50_000_000),
  TESSERA_MAX_DIGEST_POINTS: integer(1, 10_000_000).default(1_000_000),
  TESSERA_MAX_KEY_POINTS: integer(1, LIMITS.keyPoints).default(LIMITS.keyPoints),
  TESSERA_MAX_TENANT_DIGESTS: integer(1, 1_000_000).default(100),
  TESSERA_MAX_QUEUE: integer(1, 1_000_000).default(1000),
  TESSERA_MAX_TENANT_STREAMS: integer(1, 1_000_000).default(100),
  TESSERA_MAX_STREAMS: integer(1, 1_000_000).default(1000),
  TESSERA_MAX_COLLECTION_DOCUMENTS: integer(1, 1_000_000).default(10_000),
  TESSERA_WEBHOOK_ALLOW: z.string().default(''),
  TESSERA_RETENTION_DAYS: integer(1, 36_500).optional(),
});

const EXPECTED: Record<keyof typeof settings.shape, string> = {
  HOST: 'an address to bind to',
  PORT: 'a number from 0 to 65535',
  TESSERA_DB: 'the path of the database file',
  TESSERA_MODELS: 'a folder of model folders',
  TESSERA_HUB: 'the http or https address of a model hub, such as https://huggingface.co',
  TESSERA_ENCODER: '"transformers", "workers-ai" or a name of TESSERA_ENCODERS',
  TESSERA_MATRIX: '"auto", "onnxruntime" or "portable"',
  TESSERA_MAX_BODY_MB: 'a number from 1 to 1024',
  OPENAI_API_KEY: 'a key',
  OPENAI_BASE_URL: 'an http or https address, such as http://127.0.0.1:11434/v1',
  TESSERA_MODEL: 'the name of a language model',
  TESSERA_ENGINE: '"embedded" or "llm"',
  TESSERA_EXTRACTOR: '"sentences" or "llm"',
  TESSERA_WRITER: '"compose" or "llm"',
  TESSERA_MODEL_JSON: '"auto", "json_schema", "json_object" or "text"',
  TESSERA_MODEL_CONTEXT: 'a number of tokens from 1024 to 10000000',
  TESSERA_MODEL_THINKING: 'a number of tokens from 0 to 1000000',
  TESSERA_MODEL_TIMEOUT: 'a number of seconds from 1 to 3600',
  TESSERA_MODEL_ATTEMPTS: 'a number from 1 to 10',
  TESSERA_MODEL_CONCURRENCY: 'a number from 1 to 256',
  TESSERA_MODEL_PRICES: 'JSON such as {"model": {"input": 0.15, "output": 0.6}}, per million tokens',
  TESSERA_LOG: '"debug", "info", "warn", "error" or "silent"',
  TESSERA_JOBS: 'a number from 0 to 256',
  TESSERA_LEASE_SECONDS: 'a number of seconds from 1 to 3600',
  TESSERA_WAIT_SECONDS: 'a number of seconds from 1 to 3600',
  TESSERA_SHUTDOWN_SECONDS: 'a number of seconds from 0 to 3600',
  TESSERA_MAX_WAIT_SECONDS: 'a number of seconds from 1 to 3600',
  TESSERA_RATE: 'requests and seconds such as 600/60, or "off"',
  TESSERA_MAX_DOCUMENTS: `a number from 1 to ${LIMITS.documents}`,
  TESSERA_MAX_DOCUMENT_CHARACTERS: `a number from 1 to ${LIMITS.documentCharacters}`,
  TESSERA_MAX_CHARACTERS: 'a number from 1 to 1000000000',
  TESSERA_MAX_DIGEST_POINTS: 'a number from 1 to 10000000',
  TESSERA_MAX_KEY_POINTS: `a number from 1 to ${LIMITS.keyPoints}`,
  TESSERA_MAX_TENANT_DIGESTS: 'a number from 1 to 1000000',
  TESSERA_MAX_QUEUE: 'a number from 1 to 1000000',
  TESSERA_MAX_TENANT_STREAMS: 'a number from 1 to 1000000',
  TESSERA_MAX_STREAMS: 'a number from 1 to 1000000',
  TESSERA_MAX_COLLECTION_DOCUMENTS: 'a number from 1 to 1000000',
  TESSERA_WEBHOOK_ALLOW: 'host names and addresses such as 127.0.0.1,10.0.0.0/8',
  TESSERA_RETENTION_DAYS: 'a number of days from 1 to 36500',
};

/** The settings of a process, checked. */
export interface Configuration {
  readonly host: string;
  readonly port: number;
  /** Database file. */
  readonly database: string;
  /** Folder of model folders. */
  readonly models: string | undefined;
  /** Address of the model hub that `tessera models pull` reads. */
  readonly hub: string;
  /** Name of the default encoder. */
  readonly encoder: string;
  /** Encoders, rerankers and entailment models beside those built in. */
  readonly encoders: EncoderSpecs;
  readonly matrix: 'auto' | 'onnxruntime' | 'portable';
  readonly maxBodyBytes: number;
  readonly languageModel: LanguageModelConfiguration;
  readonly service: ServiceConfiguration;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** How the service serves many. */
export interface ServiceConfiguration {
  /** Digests made at once by one process. */
  readonly jobs: number;
  readonly leaseMilliseconds: number;
  /** What is under way when the process is told to end may take so long. */
  readonly shutdownMilliseconds: number;
  /** Who would wait longer than this to be begun is turned away. */
  readonly maxWaitMilliseconds: number;
  readonly rate: RateLimit | null;
  readonly limits: Limits;
  readonly collectionDocuments: number;
  /** Key points of all documents of a digest. */
  readonly digestPoints: number;
  readonly webhookTargets: AllowedTargets;
  /** Null keeps everything. */
  readonly retentionMilliseconds: number | null;
}

/** The language model's endpoint, and what it does where a request does not say. */
interface LanguageModelConfiguration {
  /** Null without a key and an address: there is no language model then. */
  readonly endpoint: { readonly apiKey: string | null; readonly baseUrl: string | undefined } | null;
  readonly defaultModel: string | null;
  readonly extractor: ExtractorName;
  readonly writer: WriterName;
  readonly jsonMode: (typeof JSON_MODES)[number];
  readonly contextTokens: number;
  /** Added to the most tokens of every answer, for models that think first. */
  readonly thinkingTokens: number;
  /** Of a whole call, repetitions included. */
  readonly callMilliseconds: number;
  readonly attempts: number;
  /** Calls under way at once, of the whole process. */
  readonly concurrency: number;
  readonly prices: ReadonlyMap<string, Price>;
}

/** Settings whose values are not repeated in a message; nor are addresses with credentials or a query. */
const SECRET = new Set(['OPENAI_API_KEY', 'TESSERA_MODEL_PRICES']);

/**
 * Reads the configuration; an empty value counts as absent.
 *
 * @param environment the process's environment variables
 * @throws ConfigurationError that names the first wrong value
 */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { success, data, error } = settings.safeParse(given);
  if (!success) {
    const name = String(error.issues[0].path[0]) as keyof typeof EXPECTED; // every issue lies under a setting's name
    const but = SECRET.has(name) || /[@?]/.test(String(given[name])) ? '' : `, not "${given[name]}"`;
    throw new ConfigurationError(`${name} must be ${EXPECTED[name]}${but}.`);
  }
  const encoders = readEncoderSpecs(environment);
  if ('problem' in encoders) throw new ConfigurationError(encoders.problem);
  const { openai, transformers, workersAi } = encoders.specs;
  const own = [...openai.keys(), ...transformers.keys(), ...workersAi.keys()];
  const known = ['transformers', 'workers-ai', ...own];
  if (!known.includes(data.TESSERA_ENCODER)) {
    throw new ConfigurationError(`TESSERA_ENCODER must be ${EXPECTED.TESSERA_ENCODER}, not "${data.TESSERA_ENCODER}".`);
  }
  return {
    host: data.HOST,
    port: data.PORT,
    database: data.TESSERA_DB,
    models: data.TESSERA_MODELS,
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

function serviceOf(data: z.infer<typeof settings>): ServiceConfiguration {
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
    retentionMilliseconds: days === undefined ? null : days * 24 * 60 * 60 * 1000,
  };
}

function languageModelOf(data: z.infer<typeof settings>): LanguageModelConfiguration {
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
    endpoint: hasEndpoint ? { apiKey: apiKey ?? null, baseUrl } : null,
    defaultModel: data.TESSERA_MODEL ?? null,
    extractor: data.TESSERA_EXTRACTOR ?? (data.TESSERA_ENGINE === 'llm' ? 'llm' : 'sentences'),
    writer: data.TESSERA_WRITER ?? (data.TESSERA_ENGINE === 'llm' ? 'llm' : 'compose'),
    jsonMode: data.TESSERA_MODEL_JSON,
    contextTokens: data.TESSERA_MODEL_CONTEXT,
    thinkingTokens: data.TESSERA_MODEL_THINKING,
    callMilliseconds: 1000 * data.TESSERA_MODEL_TIMEOUT,
    attempts: data.TESSERA_MODEL_ATTEMPTS,
    concurrency: data.TESSERA_MODEL_CONCURRENCY,
    prices: data.TESSERA_MODEL_PRICES,
  };
}
