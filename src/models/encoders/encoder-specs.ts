import { z } from 'zod';

const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;
export type Dtype = (typeof DTYPES)[number];

const POOLINGS = ['mean', 'cls', 'last'] as const;
export type Pooling = (typeof POOLINGS)[number];

const DEFAULT_MODEL = '@cf/baai/bge-base-en-v1.5';

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

const variable = z.string().regex(/^[A-Za-z_]\w*$/, 'is not the name of an environment variable');
const address = z.url({ protocol: /^https?$/, error: 'is not an address' });
const languages = z
  .array(z.string().regex(/^[a-z]{3}$/, 'is not an ISO 639-3 code'))
  .min(1)
  .nullable();

const common = {
  /** Prepended to questions, as in `Instruct: …\nQuery: `. */
  queryPrefix: z.string().default(''),
  textPrefix: z.string().default(''),
  languages: languages.default(null),
};

const openAiSchema = z.strictObject({
  kind: z.literal('openai'),
  model: z.string().min(1),
  baseUrl: address.optional(),
  apiKeyVariable: variable.optional(),
  dimensions: z.int().min(1).max(16_384).optional(),
  /** Longer texts are truncated: endpoints refuse a whole batch for one text beyond the model's window. */
  maxCharacters: z.int().min(1).default(8000),
  ...common,
});

export const modelFilesSchema = z.strictObject({
  model: z.string().regex(/^(?!.*(?:\.\.|--))\w[\w.-]*(?:\/\w[\w.-]*)?$/, 'is not the name of a model folder'),
  dtype: z.enum(DTYPES, `is none of ${DTYPES.join(', ')}`).default('q8'),
});

const transformersSchema = z.strictObject({
  kind: z.literal('transformers'),
  ...modelFilesSchema.shape,
  pooling: z.enum(POOLINGS).default('mean'),
  maxTokens: z.int().min(8).max(8192).default(512),
  ...common,
});

const workersAiSchema = z.strictObject({
  kind: z.literal('workers-ai'),
  model: z.string().min(1).default(DEFAULT_MODEL),
  ...common,
  pooling: z.enum(['mean', 'cls']).optional(),
  dimensions: z.int().min(1).max(16_384).optional(),
  maxCharacters: z.int().min(1).optional(),
  queryPrefix: z.string().optional(),
  languages: languages.optional(),
});

const rerankSchema = z.strictObject({
  kind: z.literal('rerank'),
  model: z.string().min(1),
  baseUrl: address,
  apiKeyVariable: variable.optional(),
  path: z
    .string()
    .regex(/^\/\S+$/, 'is not a path')
    .default('/rerank'),
  languages: languages.default(null),
  /** Min best score at which a text counts as an answer. */
  matched: z.number().default(0.1),
});

const entailmentSchema = z.strictObject({ kind: z.literal('entailment'), ...modelFilesSchema.shape });

const specsSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'is not a name in kebab-case'),
  z.discriminatedUnion('kind', [openAiSchema, transformersSchema, workersAiSchema, rerankSchema, entailmentSchema], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be "openai", "transformers", "workers-ai", "rerank" or "entailment"' : undefined,
  }),
);

type WrittenOpenAiSpec = z.infer<typeof openAiSchema>;
type WrittenWorkersAiSpec = z.infer<typeof workersAiSchema>;
type WrittenRerankSpec = z.infer<typeof rerankSchema>;

export interface OpenAiSpec extends Omit<WrittenOpenAiSpec, 'baseUrl' | 'apiKeyVariable' | 'dimensions'> {
  readonly endpoint: Endpoint;
  readonly dimensions: number;
  /** Whether to ask the model for shortened vectors, which only some support. */
  readonly shortened: boolean;
}

export type TransformersSpec = Readonly<z.infer<typeof transformersSchema>>;

export interface WorkersAiSpec
  extends Omit<WrittenWorkersAiSpec, 'pooling' | 'dimensions' | 'maxCharacters' | 'queryPrefix' | 'languages'> {
  readonly pooling: 'mean' | 'cls' | null;
  readonly dimensions: number;
  readonly maxCharacters: number;
  readonly queryPrefix: string;
  readonly languages: readonly string[] | null;
}

export interface RerankSpec extends Omit<WrittenRerankSpec, 'baseUrl' | 'apiKeyVariable'> {
  readonly endpoint: Endpoint;
}

export type EntailmentSpec = Readonly<z.infer<typeof entailmentSchema>>;

export interface EncoderSpecs {
  readonly openai: ReadonlyMap<string, OpenAiSpec>;
  readonly transformers: ReadonlyMap<string, TransformersSpec>;
  readonly workersAi: ReadonlyMap<string, WorkersAiSpec>;
  readonly rerank: ReadonlyMap<string, RerankSpec>;
  readonly entailment: ReadonlyMap<string, EntailmentSpec>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OPENAI = 'https://api.openai.com/v1';
const OF_A_KEY = '{"openai":{"kind":"openai","model":"text-embedding-3-small"}}';
/** For unknown models of Workers AI: about 512 tokens of English, the usual limit. */
const UNKNOWN_CHARACTERS = 2000;
const DIMENSIONS: ReadonlyMap<string, number> = new Map([
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['text-embedding-ada-002', 1536],
]);

/** Reads `TESSERA_ENCODERS` and the keys that it names; OPENAI_API_KEY adds `openai`. @returns the specs, or the problem in a sentence */
export function readEncoderSpecs(
  environment: Environment,
): { readonly specs: EncoderSpecs } | { readonly problem: string } {
  const openai = new Map<string, OpenAiSpec>();
  const transformers = new Map<string, TransformersSpec>();
  const workersAi = new Map<string, WorkersAiSpec>();
  const rerank = new Map<string, RerankSpec>();
  const entailment = new Map<string, EntailmentSpec>();
  try {
    const written = writtenSpecs(environment.TESSERA_ENCODERS || '{}');
    // The key alone adds an encoder, used only if a request names it.
    const known = environment.OPENAI_API_KEY ? { ...writtenSpecs(OF_A_KEY), ...written } : written;
    for (const [name, spec] of Object.entries(known)) {
      if (name === 'llm') throw new WrongSpec([name], 'is the word for a language model');
      if (spec.kind === 'transformers') transformers.set(name, spec);
      else if (spec.kind === 'openai') openai.set(name, openAiSpec(name, spec, environment));
      else if (spec.kind === 'workers-ai') workersAi.set(name, workersAiSpec(name, spec));
      else if (name === 'transformers' || name === 'workers-ai')
        throw new WrongSpec([name], 'is the name of an encoder');
      else if (spec.kind === 'entailment') {
        if (VERIFYING.has(name)) throw new WrongSpec([name], 'says another thing in "engine.verify" already');
        entailment.set(name, spec);
      } else {
        const { baseUrl, apiKeyVariable, ...rest } = spec;
        rerank.set(name, { ...rest, endpoint: endpointOf(name, baseUrl, apiKeyVariable, environment) });
      }
    }
  } catch (wrong) {
    if (wrong instanceof WrongSpec) return { problem: wrong.message };
    throw wrong;
  }
  return { specs: { openai, transformers, workersAi, rerank, entailment } };
}

export function missingBinding({ workersAi }: Pick<EncoderSpecs, 'workersAi'>): string | null {
  const [name] = workersAi.keys();
  if (name === undefined) return null;
  return new WrongSpec([name, 'kind'], 'an encoder of Workers AI needs the AI binding of a Worker').message;
}

/** Values of `engine.verify` that name no entailment model. */
const VERIFYING: ReadonlySet<string> = new Set(['rules', 'off']);

class WrongSpec extends Error {
  constructor(path: readonly PropertyKey[], detail: string) {
    super(`TESSERA_ENCODERS is wrong at ${path.map((part) => `/${String(part)}`).join('') || 'its root'}: ${detail}.`);
  }
}

function writtenSpecs(json: string): ReturnType<typeof specsSchema.parse> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new WrongSpec([], 'it is not JSON');
  }
  const { success, data, error } = specsSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  // Issues of a key are nested in the issue about the key.
  throw new WrongSpec(issue.path, issue.code === 'invalid_key' ? issue.issues[0].message : issue.message);
}

function openAiSpec(name: string, spec: WrittenOpenAiSpec, environment: Environment): OpenAiSpec {
  const { baseUrl, apiKeyVariable, ...rest } = spec;
  const known = DIMENSIONS.get(spec.model);
  const dimensions = spec.dimensions ?? known;
  if (dimensions === undefined) {
    throw new WrongSpec([name, 'dimensions'], `is needed, as nothing is known of the model "${spec.model}"`);
  }
  return {
    ...rest,
    dimensions,
    // Servers refuse a request for the dimensions that the model has anyway.
    shortened: known !== undefined && dimensions !== known,
    endpoint: openAiEndpoint(name, baseUrl, apiKeyVariable, environment),
  };
}

function workersAiSpec(name: string, spec: WrittenWorkersAiSpec): WorkersAiSpec {
  const { model, pooling, dimensions, maxCharacters, queryPrefix, languages, ...rest } = spec;
  const known = WORKERS_AI_MODELS.get(model);
  const found = known?.dimensions ?? dimensions;
  if (found === undefined) {
    throw new WrongSpec([name, 'dimensions'], `is needed, as nothing is known of the model "${model}"`);
  }
  if (dimensions !== undefined && dimensions !== found) {
    throw new WrongSpec([name, 'dimensions'], `must be ${found}, which the model "${model}" makes`);
  }
  if (known?.pooling === null && pooling !== undefined) {
    throw new WrongSpec([name, 'pooling'], `is nothing that the model "${model}" takes`);
  }
  return {
    ...rest,
    model,
    dimensions: found,
    pooling: pooling ?? known?.pooling ?? null,
    maxCharacters: maxCharacters ?? known?.maxCharacters ?? UNKNOWN_CHARACTERS,
    queryPrefix: queryPrefix ?? known?.queryPrefix ?? '',
    languages: languages === undefined ? (known?.languages ?? null) : languages,
  };
}

/** OPENAI_API_KEY is only sent to OPENAI_BASE_URL: another address needs its own key. */
function openAiEndpoint(
  name: string,
  baseUrl: string | undefined,
  apiKeyVariable: string | undefined,
  environment: Environment,
): Endpoint {
  if (baseUrl !== undefined) return endpointOf(name, baseUrl, apiKeyVariable, environment);
  const given = environment.OPENAI_BASE_URL || undefined;
  const needsKey = given === undefined || environment.OPENAI_API_KEY;
  return endpointOf(name, given ?? OPENAI, apiKeyVariable ?? (needsKey ? 'OPENAI_API_KEY' : undefined), environment);
}

function endpointOf(
  name: string,
  baseUrl: string,
  apiKeyVariable: string | undefined,
  environment: Environment,
): Endpoint {
  const apiKey = apiKeyVariable === undefined ? null : environment[apiKeyVariable];
  if (apiKey === undefined || apiKey === '') {
    throw new WrongSpec([name, 'apiKeyVariable'], `the variable "${apiKeyVariable}" is not set`);
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey };
}

type WorkersAiFacts = Pick<WorkersAiSpec, 'dimensions' | 'pooling' | 'maxCharacters' | 'queryPrefix' | 'languages'>;

/**
 * English bge models: trained on the first token (`cls`), 512 tokens or about 2,000 characters, questions with an instruction
 * (https://huggingface.co/BAAI/bge-base-en-v1.5).
 */
const BASE: WorkersAiFacts = {
  dimensions: 768,
  pooling: 'cls',
  maxCharacters: 2000,
  queryPrefix: 'Represent this sentence for searching relevant passages: ',
  languages: ['eng'],
};

const WORKERS_AI_MODELS: ReadonlyMap<string, WorkersAiFacts> = new Map<string, WorkersAiFacts>([
  ['@cf/baai/bge-small-en-v1.5', { ...BASE, dimensions: 384 }],
  [DEFAULT_MODEL, BASE],
  ['@cf/baai/bge-large-en-v1.5', { ...BASE, dimensions: 1024 }],
  // Over a hundred languages, no instruction, no choice of pooling, 8,192 tokens, seldom shorter than a character.
  ['@cf/baai/bge-m3', { dimensions: 1024, pooling: null, maxCharacters: 8000, queryPrefix: '', languages: null }],
]);

export const DEFAULT_WORKERS_AI: WorkersAiSpec = {
  kind: 'workers-ai',
  model: DEFAULT_MODEL,
  ...BASE,
  textPrefix: '',
};
