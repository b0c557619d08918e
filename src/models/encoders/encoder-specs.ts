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
  pooling: z.enum(['mean', 'cls']).exactOptional(),
  dimensions: z.int().min(1).max(16_384).exactOptional(),
  maxCharacters: z.int().min(1).exactOptional(),
  queryPrefix: z.string().exactOptional(),
  languages: languages.exactOptional(),
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

const specsSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'is not a name in kebab-case'),
  z.discriminatedUnion('kind', [openAiSchema, transformersSchema, workersAiSchema, rerankSchema], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be "openai", "transformers", "workers-ai" or "rerank"' : undefined,
  }),
);

export type TransformersSpec = Readonly<z.infer<typeof transformersSchema>>;
export type OpenAiSpec = Readonly<ReturnType<typeof openAiSpec>>;
export type WorkersAiSpec = Readonly<ReturnType<typeof workersAiSpec>>;
export type RerankSpec = Readonly<ReturnType<typeof rerankSpec>>;

export interface EncoderSpecs {
  readonly openai: ReadonlyMap<string, OpenAiSpec>;
  readonly transformers: ReadonlyMap<string, TransformersSpec>;
  readonly workersAi: ReadonlyMap<string, WorkersAiSpec>;
  readonly rerank: ReadonlyMap<string, RerankSpec>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OPENAI = 'https://api.openai.com/v1';
const OF_A_KEY = '{"openai":{"kind":"openai","model":"text-embedding-3-small"}}';
const DIMENSIONS: ReadonlyMap<string, number> = new Map([
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['text-embedding-ada-002', 1536],
]);

/** Reads `TESSERA_ENCODERS` and the keys that it names; OPENAI_API_KEY adds `openai`. @returns the specs, or the problem in a sentence */
export function readEncoderSpecs(
  environment: Environment,
): { readonly specs: EncoderSpecs } | { readonly problem: string } {
  const specs = {
    openai: new Map<string, OpenAiSpec>(),
    transformers: new Map<string, TransformersSpec>(),
    workersAi: new Map<string, WorkersAiSpec>(),
    rerank: new Map<string, RerankSpec>(),
  };
  try {
    const written = writtenSpecs(environment.TESSERA_ENCODERS || '{}');
    // The key alone adds an encoder, used only if a request names it.
    const known = environment.OPENAI_API_KEY ? { ...writtenSpecs(OF_A_KEY), ...written } : written;
    for (const [name, spec] of Object.entries(known)) {
      if (name === 'llm') throw new WrongSpec([name], 'is the word for a language model');
      if (spec.kind === 'rerank' && ENCODERS.has(name)) throw new WrongSpec([name], 'is the name of an encoder');
      if (spec.kind === 'transformers') specs.transformers.set(name, spec);
      else if (spec.kind === 'openai') specs.openai.set(name, openAiSpec(name, spec, environment));
      else if (spec.kind === 'workers-ai') specs.workersAi.set(name, workersAiSpec(name, spec));
      else specs.rerank.set(name, rerankSpec(name, spec, environment));
    }
  } catch (wrong) {
    if (wrong instanceof WrongSpec) return { problem: wrong.message };
    throw wrong;
  }
  return { specs };
}

export function missingBinding({ workersAi }: Pick<EncoderSpecs, 'workersAi'>): string | null {
  const [name] = workersAi.keys();
  if (name === undefined) return null;
  return new WrongSpec([name, 'kind'], 'an encoder of Workers AI needs the AI binding of a Worker').message;
}

const ENCODERS: ReadonlySet<string> = new Set(['transformers', 'workers-ai']);

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

function openAiSpec(
  name: string,
  { baseUrl, apiKeyVariable, ...spec }: z.infer<typeof openAiSchema>,
  environment: Environment,
) {
  const known = DIMENSIONS.get(spec.model);
  const dimensions = neededDimensions(name, spec.model, spec.dimensions ?? known);
  return {
    ...spec,
    dimensions,
    /** Whether to ask the model for shortened vectors; servers refuse a request for the dimensions that it has anyway. */
    shortened: known !== undefined && dimensions !== known,
    endpoint: endpointOf(name, { baseUrl, apiKeyVariable }, environment),
  };
}

function workersAiSpec(name: string, spec: z.infer<typeof workersAiSchema>) {
  const { model, dimensions, pooling } = spec;
  const known = WORKERS_AI_MODELS.get(model);
  const found = neededDimensions(name, model, known?.dimensions ?? dimensions);
  if (dimensions !== undefined && dimensions !== found) {
    throw new WrongSpec([name, 'dimensions'], `must be ${found}, which the model "${model}" makes`);
  }
  if (known?.pooling === null && pooling !== undefined) {
    throw new WrongSpec([name, 'pooling'], `is nothing that the model "${model}" takes`);
  }
  return { ...UNKNOWN, ...known, ...spec, dimensions: found };
}

function rerankSpec(
  name: string,
  { baseUrl, apiKeyVariable, ...spec }: z.infer<typeof rerankSchema>,
  environment: Environment,
) {
  return { ...spec, endpoint: endpointOf(name, { baseUrl, apiKeyVariable }, environment) };
}

function neededDimensions(name: string, model: string, dimensions: number | undefined): number {
  if (dimensions !== undefined) return dimensions;
  throw new WrongSpec([name, 'dimensions'], `is needed, as nothing is known of the model "${model}"`);
}

/** OPENAI_API_KEY is only sent to OPENAI_BASE_URL: another address needs its own key. */
function endpointOf(
  name: string,
  { baseUrl, apiKeyVariable }: { readonly baseUrl?: string | undefined; readonly apiKeyVariable?: string | undefined },
  environment: Environment,
): Endpoint {
  const ofOpenAi = environment.OPENAI_BASE_URL || undefined;
  const needsKey = baseUrl === undefined && (ofOpenAi === undefined || environment.OPENAI_API_KEY);
  const variable = apiKeyVariable ?? (needsKey ? 'OPENAI_API_KEY' : undefined);
  const apiKey = variable === undefined ? null : environment[variable];
  if (apiKey === undefined || apiKey === '') {
    throw new WrongSpec([name, 'apiKeyVariable'], `the variable "${variable}" is not set`);
  }
  return { baseUrl: (baseUrl ?? ofOpenAi ?? OPENAI).replace(/\/+$/, ''), apiKey };
}

interface WorkersAiFacts {
  readonly dimensions: number;
  /** Null for models without a choice. */
  readonly pooling: 'mean' | 'cls' | null;
  readonly maxCharacters: number;
  readonly queryPrefix: string;
  readonly languages: readonly string[] | null;
}

/** Of a model of which nothing is known: about 512 tokens of English, the usual limit. */
const UNKNOWN: Omit<WorkersAiFacts, 'dimensions'> = {
  pooling: null,
  maxCharacters: 2000,
  queryPrefix: '',
  languages: null,
};

/** English bge models (https://huggingface.co/BAAI/bge-base-en-v1.5): 512 tokens are about 2,000 characters. */
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
