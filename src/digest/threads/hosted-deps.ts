import {
  type CallUsage,
  type ChatCall,
  type Encoder,
  type EncoderCaller,
  encodeQueries,
  type LanguageModel,
  type Reranker,
  type WorkCache,
} from '../../models/index.ts';
import type { Engine } from '../engine.ts';
import { WorkCancelledError } from '../errors.ts';
import { singleFlight } from '../extract/read-documents.ts';
import type { DigestDeps, ModelDeps } from '../run.ts';
import { type CallHost, type CallPort, callHost, type HostFunctions } from './host-calls.ts';
import { failed, type Settled, settle, unwrap } from './thread-calls.ts';

const CACHED = [
  'readSentenceVectors',
  'readVectorLists',
  'readPacked',
  'saveVectorLists',
  'readTokens',
  'saveEncodings',
  'readExtractions',
  'saveExtractions',
  'saveDocuments',
  'readTexts',
  'readJudgements',
  'saveJudgements',
  'deleteJudgements',
] as const satisfies readonly (keyof WorkCache)[];
const COMPUTED = ['extract', 'rank', 'select', 'draw', 'knownSimilarity'] as const satisfies readonly (keyof Engine)[];

/** What hosted work needs; evaluations report nothing. */
export type HostDeps = Pick<DigestDeps, 'cache' | 'engine' | 'models'> & Partial<DigestDeps>;

type Scorer = Encoder | Reranker;
type Named<Of extends Scorer> = readonly (readonly [name: string, profile: Of['profile'], isMetered: boolean])[];

/** What a thread must know of the dependencies before it calls any. */
interface DepsFacts extends Pick<Engine, 'defaultEncoder' | 'matrix'> {
  readonly encoders: Named<Encoder>;
  readonly rerankers: Named<Reranker>;
  readonly reader: string | undefined;
  readonly models: Omit<ModelDeps, 'model'>;
  readonly model: Omit<LanguageModel, 'complete' | 'priceOf'> | null;
  readonly maxPoints: number | undefined;
}

const named = <Of extends Scorer>(all: ReadonlyMap<string, Of>): Named<Of> =>
  Array.from(all, ([name, { profile, metered }]) => [name, profile, metered !== undefined]);

export function factsOf({ engine, models: { model, ...models }, maxPoints }: HostDeps): DepsFacts {
  const { defaultEncoder, matrix } = engine;
  return {
    encoders: named(engine.encoders),
    rerankers: named(engine.rerankers),
    reader: engine.reader?.id,
    ...{ defaultEncoder, matrix, models, maxPoints },
    model: model && {
      defaultModel: model.defaultModel,
      contextTokens: model.contextTokens,
      thinkingTokens: model.thinkingTokens,
      concurrency: model.concurrency,
    },
  };
}

const functionsOf = <Name extends string, Made>(names: readonly Name[], make: (name: Name) => Made) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Made>;

/** What work in a thread calls in the thread that serves HTTP: each key with the arguments that `hostedDeps` gives it. */
export function hostFunctions({ engine, cache, models: { model }, reportFailure }: HostDeps): HostFunctions {
  const landings = new Map<string, (made: Settled<unknown>) => void>();
  const known = <Found>(found: Found | undefined | null, what: string): Found => {
    if (found == null) throw new TypeError(`there is no ${what}`);
    return found;
  };
  return {
    // What is paid for is told to the thread, which keeps the account.
    async encode([name, texts, asQueries, isMetered], signal, spend) {
      const own = known(engine.encoders.get(name), name);
      const encoder = (isMetered && own.metered?.({ signal, spend })) || own;
      return asQueries ? encodeQueries(encoder, texts) : encoder.encode(texts);
    },
    async score([name, query, texts, isMetered], signal, spend) {
      const own = known(engine.rerankers.get(name), name);
      return ((isMetered && own.metered?.({ signal, spend })) || own).score(query, texts);
    },
    read: async ([question, passages]) => known(engine.reader, 'reader').read(question, passages),
    async complete([call, isStreamed], signal, tell) {
      const listeners = isStreamed && { onText: tell, onRestart: () => tell(null) };
      return known(model, 'language model').complete({ ...call, signal, ...listeners });
    },
    share: ([name], signal, tell) =>
      singleFlight(cache, name, () => {
        const landed = new Promise<Settled<unknown>>((resolve) => {
          landings.set(name, resolve);
          signal.addEventListener('abort', () => resolve(failed(new WorkCancelledError())));
        });
        tell(null);
        return landed.then(unwrap);
      }),
    shared: async ([name, made]) => landings.get(name)?.(made),
    async reportFailure([failure, where]) {
      try {
        unwrap(failure);
      } catch (reason) {
        reportFailure?.(reason, where);
      }
    },
    ...functionsOf(CACHED, (name) => (given: never[]) => Reflect.apply(cache[name], cache, given)),
    ...functionsOf(
      COMPUTED,
      (name) => (given: unknown[], signal: AbortSignal) => Reflect.apply(engine[name], engine, [...given, signal]),
    ),
  };
}

/** The dependencies of work in a thread, most of which the host does. */
function hostedDeps(
  { encoders, rerankers, reader, defaultEncoder, matrix, models, model, maxPoints }: DepsFacts,
  call: CallHost,
): DigestDeps {
  // A thread has no signals to pass: it ends as a whole.
  function byHost(name: string) {
    return (...given: readonly unknown[]) =>
      call(
        name,
        given.filter((each) => each !== undefined),
      );
  }
  const calls = <Of extends Scorer>(
    all: Named<Of>,
    make: (name: string, profile: Of['profile'], by: EncoderCaller | undefined) => Of,
  ): Map<string, Of> =>
    new Map(
      all.map(([name, profile, isMetered]) => {
        const metered = (by?: EncoderCaller): Of => ({ ...make(name, profile, by), ...(isMetered && { metered }) });
        return [name, metered()];
      }),
    );
  const paid = (by: EncoderCaller | undefined) => ({
    signal: by?.signal,
    onNews: by && ((usage: CallUsage) => by.spend(usage)),
  });
  return {
    cache: {
      source: {},
      scope: '',
      ...functionsOf(CACHED, byHost),
      share: (name, work) =>
        call('share', [name], {
          onNews: () => void settle(work).then((made) => call('shared', [name, made])),
        }),
    },
    engine: {
      ...functionsOf(COMPUTED, byHost),
      encoders: calls<Encoder>(encoders, (name, profile, by) => ({
        profile,
        encode: (texts) => call('encode', [name, texts, false, by !== undefined], paid(by)),
        encodeQueries: (texts) => call('encode', [name, texts, true, by !== undefined], paid(by)),
      })),
      rerankers: calls<Reranker>(rerankers, (name, profile, by) => ({
        profile,
        score: (query, texts) => call('score', [name, query, texts, by !== undefined], paid(by)),
      })),
      reader: reader === undefined ? undefined : { id: reader, read: (...given) => call('read', given) },
      ...{ defaultEncoder, matrix },
    },
    models: {
      ...models,
      model: model && {
        ...model,
        complete: ({ signal, onText, onRestart, ...chat }: ChatCall) =>
          call('complete', [chat, onText !== undefined], {
            signal,
            onNews: (piece: string | null) => (piece === null ? onRestart?.() : onText?.(piece)),
          }),
      },
    },
    ...(maxPoints !== undefined && { maxPoints }),
    reportFailure: (failure, where) => void call('reportFailure', [failed(failure), where]),
  };
}

/** What is sent to a thread: arguments, the facts of the dependencies, the port to call the host through. */
export interface HostedTask<Given = readonly unknown[]> {
  readonly given: Given;
  readonly known: DepsFacts;
  readonly port: CallPort;
}

/** A function of a thread of this number, as Piscina calls it. It gives its result to the host's `answer`; bytes are moved there. */
export function inHostedThread<Given extends readonly unknown[], Result>(
  thread: number,
  work: (deps: DigestDeps, call: CallHost, ...given: Given) => Promise<Result>,
): (task: HostedTask<Given>) => Promise<void> {
  return async ({ given, known, port }) => {
    const call = callHost(port, thread);
    try {
      const settled = await settle(() => work(hostedDeps(known, call), call, ...given));
      const bytes = 'result' in settled && settled.result instanceof Uint8Array ? settled.result.buffer : null;
      await call('answer', [settled], { moved: bytes instanceof ArrayBuffer ? [bytes] : [] });
    } finally {
      port.close();
    }
  };
}
