import type { D1Database, Queue, Workflow } from '@cloudflare/workers-types';
import { type EncoderSpecs, missingBinding, type RunModel } from '../../../models/index.ts';
import { ConfigurationError } from '../../errors.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import type { TenantRates } from './tenant-rate.worker.ts';

export interface JobMessage {
  readonly id: string;
  /** From 1, the default. */
  readonly run?: number;
}

export interface EdgeEnv {
  readonly DB: D1Database;
  readonly JOBS: Queue<JobMessage>;
  readonly DIGESTS: Workflow<JobMessage>;
  /** Rate limits shared by all isolates; each counts for itself if missing. */
  readonly RATES?: TenantRates;
  /** Workers AI; missing if all encoders are remote. */
  readonly AI?: EdgeAi;
  readonly [variable: string]: unknown;
}

interface EdgeAi {
  run: RunModel;
}

/** Max UTF-16 code units of a digest that a request makes itself; larger ones are handed over. */
export const MAX_CHARACTERS_IN_A_REQUEST = 100_000;

/** Defaults for the limits of a Worker: 128 MB per isolate, 1,000 queries per request or step (see docs/edge.md). */
const DEFAULTS: Readonly<Record<string, string>> = {
  TESSERA_MAX_BODY_MB: '8',
  TESSERA_MAX_DOCUMENTS: '200',
  TESSERA_MAX_DOCUMENT_CHARACTERS: '1000000',
  TESSERA_MAX_CHARACTERS: '1000000',
  TESSERA_MAX_DIGEST_POINTS: '7500',
  TESSERA_MAX_COLLECTION_DOCUMENTS: '200',
  TESSERA_LEASE_SECONDS: '60',
};

/** Reads variables and secrets. @throws ConfigurationError that names the first invalid value */
export function readEdgeConfiguration(env: EdgeEnv): Configuration {
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  );
  const configuration = readConfiguration({ ...DEFAULTS, ...given });
  const { encoders } = configuration;
  const [name] = encoders.transformers.keys();
  if (name !== undefined) {
    throw new ConfigurationError(`TESSERA_ENCODERS is wrong at /${name}: a Worker runs no model itself.`);
  }
  const hasAi = env.AI !== undefined;
  const problem = hasAi ? null : missingBinding(encoders);
  if (problem !== null) throw new ConfigurationError(problem);
  return { ...configuration, encoder: encoderOf(given.TESSERA_ENCODER, encoders, hasAi) };
}

function encoderOf(named: string | undefined, encoders: EncoderSpecs, hasAi: boolean): string {
  const known = [...encoders.openai.keys(), ...(hasAi ? ['workers-ai', ...encoders.workersAi.keys()] : [])];
  if (named !== undefined) {
    if (known.includes(named)) return named;
    throw new ConfigurationError(`TESSERA_ENCODER is "${named}", which a Worker with these bindings has not.`);
  }
  if (hasAi) return 'workers-ai';
  // The built-in one of OpenAI comes last, since the key may be for the language model only.
  const found = known.find((name) => name !== 'openai') ?? known[0];
  if (found === undefined) {
    throw new ConfigurationError('There is no encoder: bind Workers AI as AI, or name one in TESSERA_ENCODERS.');
  }
  return found;
}
