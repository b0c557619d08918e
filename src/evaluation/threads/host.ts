import type { CallHost, HostFunctions } from '../../digest/index.ts';
import {
  type ChatCall,
  type Encoder,
  type EncoderProfile,
  encodeQueries,
  type Price,
  type WorkCache,
} from '../../models/index.ts';
import { memoized } from '../../text/index.ts';
import type { ReadEvaluatedDigest } from '../evaluate.ts';
import type { EvaluationDeps } from '../judge.ts';
import type { EvaluatedDigest } from '../metric.ts';
import type { JudgeRequest } from '../shapes.ts';

const CACHED = [
  'readSentenceVectors',
  'readVectorLists',
  'saveVectorLists',
  'readTokens',
  'saveEncodings',
  'readExtractions',
  'saveExtractions',
  'saveDocuments',
  'readJudgements',
  'saveJudgements',
  'deleteJudgements',
] as const satisfies readonly (keyof WorkCache)[];

/** What a thread must know of the dependencies before it calls any. */
export interface DepsFacts {
  readonly encoders: readonly (readonly [name: string, profile: EncoderProfile])[];
  readonly rerankers: readonly string[];
  readonly defaultEncoder: string;
  readonly models: Omit<EvaluationDeps['models'], 'model'>;
  readonly model: {
    readonly defaultModel: string | null;
    readonly contextTokens: number;
    readonly thinkingTokens: number | undefined;
    readonly concurrency: number | undefined;
    readonly prices: ReadonlyMap<string, Price | undefined>;
  } | null;
}

export function factsOf({ engine, models: { model, ...models } }: EvaluationDeps, request: JudgeRequest): DepsFacts {
  const { model: asked, stages } = request.engine ?? {};
  const named = [asked, stages?.judge?.model, model?.defaultModel].filter((name) => name != null);
  return {
    encoders: [...engine.encoders].map(([name, { profile }]) => [name, profile]),
    rerankers: [...engine.rerankers.keys()],
    defaultEncoder: engine.defaultEncoder,
    models,
    model: model && {
      defaultModel: model.defaultModel,
      contextTokens: model.contextTokens,
      thinkingTokens: model.thinkingTokens,
      concurrency: model.concurrency,
      prices: new Map(named.map((name) => [name, model.priceOf?.(name)])),
    },
  };
}

/** What an evaluation in a thread calls in the thread that serves HTTP. */
export function hostFunctions(
  { engine, cache, models: { model } }: EvaluationDeps,
  readDigest: ReadEvaluatedDigest | undefined,
): HostFunctions {
  const digestOf = memoized(async (id: string): Promise<EvaluatedDigest> => {
    if (readDigest === undefined) throw new TypeError('this evaluation has no digests');
    return readDigest(id);
  });
  const encoderOf = (name: string): Encoder => {
    const encoder = engine.encoders.get(name);
    if (encoder === undefined) throw new TypeError(`there is no encoder "${name}"`);
    return encoder;
  };
  // Each key is called with the arguments that `hostedDeps` gives it.
  return {
    encode: async ([name, texts]) => encoderOf(name).encode(texts),
    encodeQueries: async ([name, texts]) => encodeQueries(encoderOf(name), texts),
    extract: ([text]) => engine.extract(text),
    recall: ([tasks]) => engine.recall(tasks),
    async complete([call], signal) {
      if (model === null) throw new TypeError('there is no language model');
      return model.complete({ ...call, signal });
    },
    async digest([id]) {
      const { sentences, documents } = await digestOf(id);
      return { sentences, documents };
    },
    digestTexts: async ([id]) => (await digestOf(id)).texts(),
    ...Object.fromEntries(CACHED.map((name) => [name, (given: never[]) => Reflect.apply(cache[name], cache, given)])),
  };
}

/** The dependencies of an evaluation, whose work the host does. */
export function hostedDeps(
  { encoders, rerankers, defaultEncoder, models, model }: DepsFacts,
  call: CallHost,
): EvaluationDeps {
  const encoder = (name: string, profile: EncoderProfile): Encoder => ({
    profile,
    encode: (texts) => call('encode', [name, texts]),
    encodeQueries: (texts) => call('encodeQueries', [name, texts]),
  });
  const cached = CACHED.map((name) => [name, (...given: unknown[]) => call(name, given)] as const);
  return {
    cache: { source: {}, scope: '', ...(Object.fromEntries(cached) as Pick<WorkCache, (typeof CACHED)[number]>) },
    engine: {
      encoders: new Map(encoders.map(([name, profile]) => [name, encoder(name, profile)])),
      // An evaluation only tells by their names that they are no encoders.
      rerankers: new Map(rerankers.map((name) => [name, UNUSED])),
      defaultEncoder,
      extract: (text) => call('extract', [text]),
      recall: (tasks) => call('recall', [tasks]),
    },
    models: {
      ...models,
      model: model && {
        ...model,
        priceOf: (name) => model.prices.get(name),
        // Judges do not stream.
        complete: ({ signal, onText: _, onRestart: __, ...asked }: ChatCall) => call('complete', [asked], signal),
      },
    },
  };
}

const UNUSED = {
  profile: { id: '', languages: null, matched: 0 },
  score: async () => {
    throw new TypeError('evaluations do not rerank');
  },
};

export function hostedDigests(call: CallHost): ReadEvaluatedDigest {
  return async (id) => ({ ...(await call('digest', [id])), texts: () => call('digestTexts', [id]) });
}
