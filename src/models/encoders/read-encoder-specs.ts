import {
  type EncoderSpecs,
  type Endpoint,
  type EntailmentSpec,
  type OpenAiSpec,
  type RerankSpec,
  specsSchema,
  type TransformersSpec,
  type WorkersAiSpec,
  type WrittenOpenAiSpec,
  type WrittenWorkersAiSpec,
} from './encoder-specs.ts';
import { WORKERS_AI_MODELS } from './workers-ai-models.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const OPENAI = 'https://api.openai.com/v1';
const OF_A_KEY = '{"openai":{"kind":"openai","model":"text-embedding-3-small"}}';
/** Of a text that goes to a model of Workers AI of which nothing is known: about 512 tokens of English, as most read. */
const UNKNOWN_CHARACTERS = 2000;
/** Dimensions of the models that need not say them. */
const DIMENSIONS: ReadonlyMap<string, number> = new Map([
  ['text-embedding-3-small', 1536],
  ['text-embedding-3-large', 3072],
  ['text-embedding-ada-002', 1536],
]);

/**
 * Reads `TESSERA_ENCODERS`, a JSON object of name to spec, and the keys that the specs name. With `OPENAI_API_KEY` there is
 * an encoder `openai`, unless a spec has its name.
 *
 * @returns the specs, or what is wrong, in a sentence that names the variable and the place in it
 */
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
    // A key brings the encoder of its own; nothing uses it unless it is named.
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

/**
 * What the specs ask for that there is in a Worker only, in a sentence that names the variable and the place in it; null
 * where nothing.
 */
export function missingBinding({ workersAi }: Pick<EncoderSpecs, 'workersAi'>): string | null {
  const [name] = workersAi.keys();
  if (name === undefined) return null;
  return new WrongSpec([name, 'kind'], 'an encoder of Workers AI needs the AI binding of a Worker').message;
}

/** What a request says where it names no entailment model. */
const VERIFYING: ReadonlySet<string> = new Set(['rules', 'off']);

/** Ends the reading; becomes the problem. */
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
  // What is wrong with a key lies below the issue that it is wrong.
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
    // Servers refuse to be asked for the dimensions that their models have anyway.
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
    // Null is an answer: any language.
    languages: languages === undefined ? (known?.languages ?? null) : languages,
  };
}

/** OPENAI_API_KEY goes where OPENAI_BASE_URL says and nowhere else: another address needs a key of its own. */
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
