import { portableEngine } from '../../../digest/index.ts';
import {
  DEFAULT_WORKERS_AI,
  type Encoder,
  openAiEncoder,
  type RunModel,
  reranker,
  retryAfter,
  workersAiEncoder,
} from '../../../models/index.ts';
import { storeCache } from '../../../store/index.ts';
import { openD1 } from '../../../store/index.worker.ts';
import { TesseraError } from '../../../text/index.ts';
import { digestOutcomes } from '../../experiments/digest-outcomes.ts';
import type { JobDeps } from '../../jobs/run-job.ts';
import type { Log } from '../../middleware/request-log.ts';
import { VERSION } from '../../open-api-info.ts';
import { describeFailure } from '../../problem.ts';
import type { ServiceDeps } from '../../service-deps.ts';
import { type AllowedTargets, PUBLIC_ONLY } from '../../webhooks/allowed-targets.ts';
import { callbackUrlProblem } from '../../webhooks/callback-url.ts';
import { deliverDue } from '../../webhooks/deliver-due.ts';
import type { SendWebhook } from '../../webhooks/deliver-webhook.ts';
import type { Configuration } from '../configuration.ts';
import { consoleLog } from '../console-log.ts';
import { modelsOf } from '../models-of.ts';
import { readEdgeConfiguration } from './edge-configuration.worker.ts';
import type { EdgeEnv } from './edge-env.worker.ts';
import { bundledPrompts } from './prompts.worker.ts';

/** The target is not one that may be called. */
class TargetRefusedError extends TesseraError {
  readonly code = 'target-refused';
}

/**
 * Posts webhooks by `fetch`, following no redirects. Where a name leads cannot be looked up here and need not be: what a Worker
 * fetches leaves by the public network, in which there are no private addresses.
 */
export function fetchWebhook(allow: AllowedTargets = PUBLIC_ONLY, post: typeof fetch = fetch): SendWebhook {
  return async (url, headers, body, signal) => {
    const problem = callbackUrlProblem(url, allow);
    if (problem !== null) throw new TargetRefusedError(`The callback URL ${problem}.`);
    const answer = await post(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Tessera' },
      body,
    });
    await answer.body?.cancel().catch(() => {}); // the status is the answer, whatever becomes of the rest
    return { status: answer.status, retryAfter: retryAfter(answer.headers) };
  };
}

/** What one request, message or run of a Worker is served with. Nothing in it may outlive that, or be shared with another. */
export interface EdgeService {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly deps: ServiceDeps;
  readonly jobs: JobDeps;
  /**
   * Makes one attempt at messages to callers that are due.
   *
   * @param rounds how many, of a few each; one by default
   */
  readonly deliver: (rounds?: number) => Promise<void>;
}

/** Messages to callers at once: a Worker has six connections, and one that waits for its turn is timed as well. */
const WEBHOOKS = 4;

/** Sets that an exact search looks into, whatever is asked: about 15 s of a few hundred points, for its clock stands still meanwhile. */
const MAX_NODES = 200_000;

/** @throws ConfigurationError */
export function edgeService(env: EdgeEnv): EdgeService {
  const configuration = readEdgeConfiguration(env);
  const log = consoleLog(configuration.logLevel);
  const database = openD1(env.DB);
  const deps: ServiceDeps = {
    database,
    cache: storeCache(database),
    engine: engineOf(configuration, env.AI),
    models: modelsOf(configuration, bundledPrompts()),
    maxPoints: configuration.service.digestPoints,
    reportFailure: (err, where) => log('warn', { err, ...where }, 'absorbed a failure'),
  };
  const send = fetchWebhook(configuration.service.webhookTargets);
  return {
    configuration,
    log,
    deps,
    jobs: {
      ...deps,
      version: VERSION,
      describeFailure,
      reportJobFailure: (err, { id, attempt }) => log('error', { err, job: id, attempt }, 'job failed'),
      onJob: (event) => log('debug', { event }, 'job'),
      onEnd: digestOutcomes,
    },
    deliver: (rounds) =>
      deliverDue(
        {
          connection: deps.database,
          send,
          report: ({ state, ...report }) =>
            log(state === 'delivered' ? 'info' : 'warn', { state, ...report }, 'webhook'),
          reportError: (err) => log('error', { err }, 'webhooks'),
        },
        WEBHOOKS,
        rounds,
      ),
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
