import { portableEngine } from '../../../digest/index.ts';
import {
  DEFAULT_WORKERS_AI,
  type Encoder,
  openAiEncoder,
  type Prompts,
  parsePrompt,
  type RunModel,
  reranker,
  retryAfter,
  workersAiEncoder,
} from '../../../models/index.ts';
import { openD1 } from '../../../store/index.worker.ts';
import { DeliveryError } from '../../errors.ts';
import type { JobDeps } from '../../jobs/run-job.ts';
import type { Log } from '../../middleware/request-log.ts';
import type { ServiceDeps } from '../../service-deps.ts';
import { deliverDue, type SendWebhook } from '../../webhooks/deliver.ts';
import { type AllowedTargets, callbackUrlProblem, PUBLIC_ONLY } from '../../webhooks/targets.ts';
import type { Configuration } from '../configuration.ts';
import { consoleLog } from '../console-log.ts';
import { deliveryDeps, jobDeps, serviceDeps } from '../parts.ts';
import { type EdgeEnv, readEdgeConfiguration } from './edge-configuration.worker.ts';
import * as promptFiles from './prompt-files.worker.ts';

/** Posts webhooks by `fetch` without following redirects. Needs no DNS check: a Worker only reaches the public network. */
export function fetchWebhook(allow: AllowedTargets = PUBLIC_ONLY, post: typeof fetch = fetch): SendWebhook {
  return async (url, headers, body, signal) => {
    const problem = callbackUrlProblem(url, allow);
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
