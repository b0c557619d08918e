import type { D1Database, Queue, Workflow } from '@cloudflare/workers-types';
import { portableEngine } from '../../../digest/index.ts';
import {
  DEFAULT_WORKERS_AI,
  type Encoder,
  type EncoderSpecs,
  missingBinding,
  openAiEncoder,
  type Prompts,
  parsePrompt,
  type RunModel,
  reranker,
  retryAfter,
  workersAiEncoder,
} from '../../../models/index.ts';
import { openD1 } from '../../../store/index.worker.ts';
import { ConfigurationError, DeliveryError } from '../../errors.ts';
import type { JobDeps } from '../../jobs/run-job.ts';
import type { RateLimit, Taken } from '../../middleware/rate-limit.ts';
import type { Log } from '../../middleware/request-log.ts';
import type { ServiceDeps } from '../../service-deps.ts';
import { type AllowedTargets, PUBLIC_ONLY, targetProblem } from '../../targets.ts';
import { deliverDue, type SendWebhook } from '../../webhooks/deliver.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { consoleLog } from '../console-log.ts';
import { deliveryDeps, jobDeps, serviceDeps } from '../parts.ts';
import * as promptFiles from './prompt-files.worker.ts';

/** Posts webhooks by `fetch` without following redirects. Needs no DNS check: a Worker only reaches the public network. */
export function fetchWebhook(allow: AllowedTargets = PUBLIC_ONLY, post: typeof fetch = fetch): SendWebhook {
  return async (url, headers, body, signal) => {
    const problem = targetProblem(url, allow);
    if (problem !== null) throw new DeliveryError('target-refused', `The callback URL ${problem}.`);
    const answer = await post(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Tessera' },
      body,
    });
    await answer.body?.cancel().catch(() => {}); // only the status counts
    return { status: answer.status, retryAfter: retryAfter(answer.headers) };
  };
}

let prompts: Prompts | undefined;

/** The prompts of `prompts/` by id, as bundled with the Worker. @throws PromptFormatError */
export function bundledPrompts(): Prompts {
  prompts ??= new Map(
    Object.values(promptFiles)
      .map((text) => parsePrompt(text))
      .map((prompt) => [prompt.id, prompt]),
  );
  return prompts;
}

export interface EdgeService {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly deps: ServiceDeps;
  readonly jobs: JobDeps;
  /** Attempts due webhooks in the given number of rounds; one by default. */
  readonly deliver: (rounds?: number) => Promise<void>;
}

/** A Worker has six connections. */
const WEBHOOKS = 4;

/** Max nodes of an exact search, about 15 s for a few hundred points: a Worker's clock stands still during computation. */
const MAX_NODES = 200_000;

export function edgeService(env: EdgeEnv): EdgeService {
  const configuration = readEdgeConfiguration(env);
  const log = consoleLog(configuration.logLevel);
  const database = openD1(env.DB);
  const own = { database, engine: engineOf(configuration, env.AI) };
  const deps = serviceDeps(own, configuration, bundledPrompts(), log);
  const delivery = deliveryDeps(database, fetchWebhook(configuration.service.webhookTargets), log);
  return {
    configuration,
    log,
    deps,
    jobs: { ...jobDeps(deps, log), onJob: (event) => log('debug', { event }, 'job') },
    deliver: (rounds) => deliverDue(delivery, WEBHOOKS, rounds),
  };
}

function engineOf({ encoder, encoders: specs, languageModel: transport }: Configuration, ai: EdgeEnv['AI']) {
  const encoders = new Map<string, Encoder>();
  if (ai !== undefined) {
    const run: RunModel = (model, inputs, options) => ai.run(model, inputs, options);
    const all = new Map([['workers-ai', DEFAULT_WORKERS_AI] as const, ...specs.workersAi]);
    for (const [name, spec] of all) encoders.set(name, workersAiEncoder(spec, run, transport));
  }
  for (const [name, spec] of specs.openai) encoders.set(name, openAiEncoder(spec, transport));
  return portableEngine({
    encoders,
    rerankers: new Map([...specs.rerank].map(([name, spec]) => [name, reranker(spec, transport)])),
    defaultEncoder: encoder,
    maxNodes: MAX_NODES,
  });
}

export interface JobMessage {
  readonly id: string;
  /** From 1, the default. */
  readonly run?: number;
}

export interface TenantRates {
  idFromName(tenant: string): object;
  get(id: object): { take(limit: RateLimit): Promise<Taken> };
}

export interface EdgeEnv {
  readonly DB: D1Database;
  readonly JOBS: Queue<JobMessage>;
  readonly DIGESTS: Workflow<JobMessage>;
  /** Rate limits shared by all isolates; each counts for itself if missing. */
  readonly RATES?: TenantRates;
  /** Workers AI; missing if all encoders are remote. */
  readonly AI?: { run: RunModel };
  readonly [variable: string]: unknown;
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
