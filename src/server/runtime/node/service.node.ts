import { destination, pino } from 'pino';
import { startDigestThreads, startThreads, type ThreadedEngine } from '../../../digest/index.node.ts';
import { startEvaluationThreads } from '../../../evaluation/index.node.ts';
import { loadPrompts, missingWeights } from '../../../models/index.node.ts';
import { knownContext, missingBinding, servedContext, shownAddress } from '../../../models/index.ts';
import { NewerDatabaseError, type OpenDatabase, openDatabase, whyNotOpened } from '../../../store/index.node.ts';
import { ConfigurationError } from '../../errors.ts';
import type { Log } from '../../middleware/request-log.ts';
import type { ServiceDeps } from '../../service-deps.ts';
import type { Configuration } from '../configuration.ts';
import { loggableFailure } from '../console-log.ts';
import { serviceDeps } from '../parts.ts';
import { isForPeople, wordsLog } from '../terminal.ts';

export interface Service {
  readonly deps: ServiceDeps & {
    readonly database: OpenDatabase;
    readonly engine: ThreadedEngine;
  };
  readonly log: Log;
  close(): Promise<void>;
}

/** Starts the dependencies of digests on Node. @throws ConfigurationError if a setting names something missing */
export async function startService(configuration: Configuration): Promise<Service> {
  const logger = pino(
    { level: configuration.logLevel, base: null, serializers: { err: loggableFailure } },
    destination(2),
  );
  const isRead = isForPeople(configuration, process.stderr);
  const log: Log = isRead
    ? wordsLog(configuration, process.stderr)
    : (level, fields, message) => logger[level](fields, message);
  checkEncoders(configuration);
  const { encoder } = configuration;
  const prompts = loadPrompts(configuration.prompts);
  const database = openDatabaseOf(configuration);
  const reportError = (err: unknown): void => log('error', { err }, 'thread failed');
  const engine = await startThreads({
    encoder,
    models: configuration.models,
    matrix: configuration.matrix,
    specs: configuration.encoders,
    transport: configuration.languageModel,
    reportError,
  }).catch((cause) => {
    database.close();
    throw new ConfigurationError(`TESSERA_MATRIX names "${configuration.matrix}", which cannot be loaded here.`, {
      cause,
    });
  });
  log(
    'info',
    { encoder: engine.encoders.get(encoder)?.profile.id, matrix: engine.matrix, ...modelFacts(configuration) },
    'engine',
  );
  const evaluations = startEvaluationThreads(reportError);
  const digests = startDigestThreads(2 * Math.max(1, configuration.service.jobs), reportError);
  const work = { ...digests, evaluate: evaluations.evaluate };
  return {
    deps: serviceDeps({ database, engine, work }, configuration, prompts, log, await contextAsked(configuration, log)),
    log,
    async close() {
      await Promise.all([evaluations.close(), digests.close()]);
      await engine.close();
      database.close();
    },
  };
}

/** The context that the model's server reports, if no setting names one; warns if it is unknown. */
async function contextAsked({ languageModel }: Configuration, log: Log): Promise<number | undefined> {
  const { endpoint, defaultModel, contextTokens } = languageModel;
  if (endpoint === null || defaultModel === null || contextTokens !== null) return undefined;
  const { apiKey, baseUrl } = endpoint;
  const served = baseUrl === undefined ? undefined : await servedContext({ apiKey, baseUrl }, defaultModel);
  if ((served ?? knownContext(defaultModel)) === undefined) {
    const advice =
      'the context size of the language model is unknown: set TESSERA_MODEL_CONTEXT; 8,192 tokens are assumed';
    log('warn', { languageModel: defaultModel }, advice);
  }
  return served;
}

/** Ends the process by `end` at the first SIGINT or SIGTERM. */
export function endOnSignal(log: Log, end: () => Promise<void>): void {
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isEnding) return;
      isEnding = true;
      log('info', { signal }, 'stopping');
      void end();
    });
  }
}

function modelFacts({ languageModel: { endpoint, defaultModel, extractor, writer } }: Configuration) {
  if (endpoint === null) return {};
  const at = endpoint.baseUrl === undefined ? 'OpenAI' : shownAddress(endpoint.baseUrl);
  return { languageModel: defaultModel, at, extractor, writer };
}

function checkEncoders({ encoder, encoders, models }: Configuration): void {
  const unbound = missingBinding(encoders);
  if (unbound !== null) throw new ConfigurationError(unbound);
  const refuse = (name: string, problem: string): never => {
    throw new ConfigurationError(`TESSERA_ENCODERS is wrong at /${name}: ${problem}.`);
  };
  for (const [name, { model, dtype }] of encoders.transformers) {
    const problem = missingWeights(models, model, dtype);
    if (problem !== null) refuse(name, problem);
  }
  if (encoder === 'workers-ai' && !encoders.openai.has(encoder) && !encoders.transformers.has(encoder)) {
    throw new ConfigurationError('TESSERA_ENCODER is "workers-ai", which needs the AI binding of a Worker.');
  }
}

/** @throws ConfigurationError if it cannot be opened */
export function openDatabaseOf({ database }: Pick<Configuration, 'database'>): OpenDatabase {
  try {
    return openDatabase(database);
  } catch (cause) {
    if (cause instanceof NewerDatabaseError) throw new ConfigurationError(cause.message, { cause });
    const message = `TESSERA_DB names "${database}", which cannot be opened as a database: ${whyNotOpened(cause)}.`;
    throw new ConfigurationError(message, { cause });
  }
}
