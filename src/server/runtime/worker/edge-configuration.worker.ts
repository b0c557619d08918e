import { type EncoderSpecs, missingBinding } from '../../../models/index.ts';
import { type Configuration, ConfigurationError, readConfiguration } from '../configuration.ts';
import type { EdgeEnv } from './edge-env.worker.ts';

/** UTF-16 code units of the documents of a digest that a request makes itself; larger ones are handed over. */
export const MAX_CHARACTERS_IN_A_REQUEST = 100_000;

/**
 * What holds where a variable does not say otherwise: an isolate has 128 MB for all that is under way in it, a request or step
 * 1,000 queries and the computing that wrangler.toml gives it (docs/edge.md has the figures that these come from).
 */
const DEFAULTS: Readonly<Record<string, string>> = {
  TESSERA_MAX_BODY_MB: '8',
  TESSERA_MAX_DOCUMENTS: '200',
  TESSERA_MAX_DOCUMENT_CHARACTERS: '1000000',
  TESSERA_MAX_CHARACTERS: '1000000',
  TESSERA_MAX_DIGEST_POINTS: '7500',
  TESSERA_MAX_COLLECTION_DOCUMENTS: '200',
  TESSERA_LEASE_SECONDS: '60',
};

/**
 * The configuration of a Worker, from its variables and secrets.
 *
 * @throws ConfigurationError that names the first wrong value
 */
export function readEdgeConfiguration(env: EdgeEnv): Configuration {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  );
  const configuration = readConfiguration({ ...DEFAULTS, ...given });
  const { encoders } = configuration;
  const [name] = [...encoders.transformers.keys(), ...encoders.entailment.keys()];
  if (name !== undefined) {
    throw new ConfigurationError(`TESSERA_ENCODERS is wrong at /${name}: a Worker runs no model itself.`);
  }
  const hasAi = env.AI !== undefined;
  const problem = hasAi ? null : missingBinding(encoders);
  if (problem !== null) throw new ConfigurationError(problem);
  return { ...configuration, encoder: encoderOf(given.TESSERA_ENCODER, encoders, hasAi) };
}

/** The name of the default encoder: the one that is named, or the first that there is. */
function encoderOf(named: string | undefined, encoders: EncoderSpecs, hasAi: boolean): string {
  const known = [...encoders.openai.keys(), ...(hasAi ? ['workers-ai', ...encoders.workersAi.keys()] : [])];
  if (named !== undefined) {
    if (known.includes(named)) return named;
    throw new ConfigurationError(`TESSERA_ENCODER is "${named}", which a Worker with these bindings has not.`);
  }
  if (hasAi) return 'workers-ai';
  // The one that a key of OpenAI brings along comes last: the key may be the language model's.
  const found = known.find((name) => name !== 'openai') ?? known[0];
  if (found === undefined) {
    throw new ConfigurationError('There is no encoder: bind Workers AI as AI, or name one in TESSERA_ENCODERS.');
  }
  return found;
}
