import { destination, type Logger, pino } from 'pino';
import { type Configuration, ConfigurationError } from './configuration.ts';
import type { DigestParts } from './digest/digest-parts.ts';
import { defaultEncoder, hasTransformersModel, lackingWeights } from './encoders/choose-encoder.node.ts';
import { lackingBinding } from './encoders/read-encoder-specs.ts';
import { loadPrompts } from './language-models/load-prompts.node.ts';
import { shownAddress } from './language-models/shown-address.ts';
import { loggableFailure } from './loggable-failure.ts';
import { modelsOf } from './models-of.ts';
import { type OpenDatabase, openDatabase } from './store/open-database.node.ts';
import { startThreads, type ThreadedEngine } from './threads.node.ts';

export interface Service {
  readonly parts: DigestParts & { readonly database: OpenDatabase; readonly engine: ThreadedEngine };
  readonly log: Logger;
  close(): Promise<void>;
}

/**
 * Builds what digests are made with on Node: threads, database, log.
 *
 * @throws ConfigurationError where a setting names what is not there
 */
export async function startService(configuration: Configuration): Promise<Service> {
  const log: Logger = pino(
    { level: configuration.logLevel, base: null, serializers: { err: loggableFailure } },
    destination(2),
  );
  const encoder = encoderOf(configuration);
  const database = openDatabaseOf(configuration);
  const engine = await startThreads({
    encoder,
    models: configuration.models,
    matrix: configuration.matrix,
    specs: configuration.encoders,
    transport: configuration.languageModel,
    reportError: (err) => log.error({ err }, 'thread failed'),
  }).catch((cause) => {
    database.close();
    throw new ConfigurationError(`TESSERA_MATRIX names "${configuration.matrix}", which cannot be loaded here.`, {
      cause,
    });
  });
  log.info(
    { encoder: engine.encoders.get(encoder)?.profile.id, matrix: engine.matrix, ...modelFacts(configuration) },
    'engine',
  );
  return {
    parts: {
      database,
      engine,
      models: modelsOf(configuration, loadPrompts()),
      mostPoints: configuration.service.digestPoints,
      reportFailure: (err, where) => log.warn({ err, ...where }, 'absorbed a failure'),
    },
    log,
    async close() {
      await engine.close();
      database.close();
    },
  };
}

/** What the log says of the language model: where it is and what it does, never the key. */
function modelFacts({ languageModel: { endpoint, defaultModel, extractor, writer } }: Configuration) {
  if (endpoint === null) return {};
  const at = endpoint.baseUrl === undefined ? 'OpenAI' : shownAddress(endpoint.baseUrl);
  return { languageModel: defaultModel, at, extractor, writer };
}

function encoderOf({ encoder, encoders, models }: Configuration): string {
  const unbound = lackingBinding(encoders);
  if (unbound !== null) throw new ConfigurationError(unbound);
  for (const [name, spec] of encoders.transformers) {
    const lacking = lackingWeights(spec, models);
    if (lacking !== null) throw new ConfigurationError(`TESSERA_ENCODERS is wrong at /${name}: ${lacking}.`);
  }
  if (encoders.openai.has(encoder) || encoders.transformers.has(encoder)) return encoder;
  if (encoder === 'auto') return defaultEncoder(models);
  if (encoder === 'workers-ai') {
    throw new ConfigurationError('TESSERA_ENCODER is "workers-ai", which needs the AI binding of a Worker.');
  }
  if (encoder === 'transformers' && !hasTransformersModel(models)) {
    throw new ConfigurationError(
      'TESSERA_ENCODER is "transformers", but TESSERA_MODELS holds no all-MiniLM-L6-v2; "tessera models pull" fetches it.',
    );
  }
  return encoder;
}

/** @throws ConfigurationError where it cannot be opened */
export function openDatabaseOf({ database }: Pick<Configuration, 'database'>): OpenDatabase {
  try {
    return openDatabase(database);
  } catch (cause) {
    throw new ConfigurationError(`TESSERA_DB names "${database}", which cannot be opened as a database.`, { cause });
  }
}
