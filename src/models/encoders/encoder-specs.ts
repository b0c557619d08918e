import { z } from 'zod';

/** The precision of weights, which names the file that they are in. */
const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;
export type Dtype = (typeof DTYPES)[number];

/** What a sentence vector is made of: the mean of all tokens, the first, or the last. */
const POOLINGS = ['mean', 'cls', 'last'] as const;
export type Pooling = (typeof POOLINGS)[number];

/** The model of a spec of Workers AI that names none. */
export const DEFAULT_MODEL = '@cf/baai/bge-base-en-v1.5';

/** Where an endpoint is, and the key it is called with. */
export interface Endpoint {
  /** Paths are appended to it; without a slash at its end. */
  readonly baseUrl: string;
  /** Sent as a bearer token; null where the server wants none. */
  readonly apiKey: string | null;
}

const cosine = z.number().min(-1).max(1);
const variable = z.string().regex(/^[A-Za-z_]\w*$/, 'is not the name of an environment variable');
const address = z.url({ protocol: /^https?$/, error: 'is not an address' });
const languages = z
  .array(z.string().regex(/^[a-z]{3}$/, 'is not an ISO 639-3 code'))
  .min(1)
  .nullable();

/** What may be said of every encoder. */
const common = {
  /** Put before a question, as in `Instruct: …\nQuery: `. */
  queryPrefix: z.string().default(''),
  /** Put before every other text, as in `passage: `. */
  textPrefix: z.string().default(''),
  /** ISO 639-3 codes of the languages it was trained for; null for any. */
  languages: languages.default(null),
  /** Thresholds that were measured for it; what is absent is cautious (`CAUTIOUS`). */
  calibration: z
    .strictObject({
      support: z.number(),
      paraphrase: cosine,
      familiar: cosine,
      unlike: cosine,
      same: cosine,
      unrelated: z.strictObject({ mean: cosine, deviation: z.number().positive() }),
      relevance: z.strictObject({ mean: cosine, deviation: z.number().positive() }).nullable(),
      supported: z.strictObject({ tokens: z.number(), words: z.number() }),
      coverage: z.strictObject({
        middle: z.number(),
        width: z.number().positive(),
        half: z.number().min(0).max(1),
        full: z.number().min(0).max(1),
      }),
    })
    .partial()
    .default({}),
};

const openAiSpec = z.strictObject({
  kind: z.literal('openai'),
  model: z.string().min(1),
  baseUrl: address.optional(),
  apiKeyVariable: variable.optional(),
  dimensions: z.int().min(1).max(16_384).optional(),
  /** Longer texts are cut: endpoints refuse a whole batch for one text beyond the model's window. */
  maxCharacters: z.int().min(1).default(8000),
  ...common,
});

/** The files of a model on this machine. */
export const modelFilesSchema = z.strictObject({
  /** A folder in TESSERA_MODELS, named as hubs name models: no hub has `--` or `..` in a name. */
  model: z.string().regex(/^(?!.*(?:\.\.|--))\w[\w.-]*(?:\/\w[\w.-]*)?$/, 'is not the name of a model folder'),
  dtype: z.enum(DTYPES, `is none of ${DTYPES.join(', ')}`).default('q8'),
});

const transformersSpec = z.strictObject({
  kind: z.literal('transformers'),
  ...modelFilesSchema.shape,
  pooling: z.enum(POOLINGS).default('mean'),
  maxTokens: z.int().min(8).max(8192).default(512),
  ...common,
});

const workersAiSpec = z.strictObject({
  kind: z.literal('workers-ai'),
  model: z.string().min(1).default(DEFAULT_MODEL),
  ...common,
  /** What is absent of these is what is known of the model. */
  pooling: z.enum(['mean', 'cls']).optional(),
  dimensions: z.int().min(1).max(16_384).optional(),
  maxCharacters: z.int().min(1).optional(),
  queryPrefix: z.string().optional(),
  languages: languages.optional(),
});

const rerankSpec = z.strictObject({
  kind: z.literal('rerank'),
  model: z.string().min(1),
  baseUrl: address,
  apiKeyVariable: variable.optional(),
  path: z
    .string()
    .regex(/^\/\S+$/, 'is not a path')
    .default('/rerank'),
  languages: languages.default(null),
  /** The best score from which something speaks to the question. */
  matched: z.number().default(0.1),
});

const entailmentSpec = z.strictObject({ kind: z.literal('entailment'), ...modelFilesSchema.shape });

/** What TESSERA_ENCODERS holds. */
export const specsSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'is not a name in kebab-case'),
  z.discriminatedUnion('kind', [openAiSpec, transformersSpec, workersAiSpec, rerankSpec, entailmentSpec], {
    error: ({ code }) =>
      code === 'invalid_union' ? 'must be "openai", "transformers", "workers-ai", "rerank" or "entailment"' : undefined,
  }),
);

/** A spec as it is written, before its endpoint is known. */
export type WrittenOpenAiSpec = z.infer<typeof openAiSpec>;
export type WrittenWorkersAiSpec = z.infer<typeof workersAiSpec>;
type WrittenRerankSpec = z.infer<typeof rerankSpec>;

/** An encoder behind an endpoint of the OpenAI form. */
export interface OpenAiSpec extends Omit<WrittenOpenAiSpec, 'baseUrl' | 'apiKeyVariable' | 'dimensions'> {
  readonly endpoint: Endpoint;
  readonly dimensions: number;
  /** Whether the model is to shorten its vectors to `dimensions`, which only some can. */
  readonly shortened: boolean;
}

/** A token-level model from a local folder. */
export type TransformersSpec = Readonly<z.infer<typeof transformersSpec>>;

/** An encoder of Workers AI, which is called through the AI binding of a Worker. */
export interface WorkersAiSpec
  extends Omit<WrittenWorkersAiSpec, 'pooling' | 'dimensions' | 'maxCharacters' | 'queryPrefix' | 'languages'> {
  /** What a vector is made of; null where the model has it its way, and is not to be asked. */
  readonly pooling: 'mean' | 'cls' | null;
  readonly dimensions: number;
  /** Longer texts are cut. */
  readonly maxCharacters: number;
  readonly queryPrefix: string;
  readonly languages: readonly string[] | null;
}

/** A reranker behind an endpoint. */
export interface RerankSpec extends Omit<WrittenRerankSpec, 'baseUrl' | 'apiKeyVariable'> {
  readonly endpoint: Endpoint;
}

/** A model from a local folder that judges what language models word. */
export type EntailmentSpec = Readonly<z.infer<typeof entailmentSpec>>;

/** What an operator configured beside the encoders that are built in, by kind and name. */
export interface EncoderSpecs {
  readonly openai: ReadonlyMap<string, OpenAiSpec>;
  readonly transformers: ReadonlyMap<string, TransformersSpec>;
  readonly workersAi: ReadonlyMap<string, WorkersAiSpec>;
  readonly rerank: ReadonlyMap<string, RerankSpec>;
  readonly entailment: ReadonlyMap<string, EntailmentSpec>;
}
