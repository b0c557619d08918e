import { canonicalJson, type VariantOptions } from '../../contract/index.ts';
import {
  type DigestDeps,
  makeDigest,
  type Plan,
  planDigest,
  type ResolvedRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import type { Prompts } from '../../models/index.ts';
import { strategies } from '../../selection/index.ts';
import { VERSION as SERVICE_VERSION } from '../../server/index.ts';
import { contentHash, nextTurn, type SourceDocument, TesseraError } from '../../text/index.ts';
import type { Collection } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import type { JudgeIdentity } from '../results/judge-identity.ts';
import { NotRetrievableError, type Retrieval, type Summarise } from '../retrieval/retrieval.ts';
import { movesPlaces, retrieve } from '../retrieval/retrieve.ts';
import {
  type DigestSystem,
  isFileSystem,
  outputKey,
  type RunCase,
  type RunSet,
  type System,
  UnusableSystemError,
} from './system.ts';
import { outputOfDigest, outputOfFile, type SystemOutput, withoutPlaces } from './system-output.ts';

/** SHA-256 in hex of all fields. Cached: many cases share a document. */
const documentHash = oncePer((document: SourceDocument) => contentHash(canonicalJson(document)));

export const documentsHash = oncePer((documents: readonly SourceDocument[]) =>
  contentHash(canonicalJson(documents.map(documentHash))),
);

export const collectionHash = oncePer(({ documents, ...fields }: Collection) =>
  contentHash(canonicalJson([fields, documentsHash(documents)])),
);

/** Raise the first if outputs change, the second if only their scores do. */
const VERSION = 3;
const SCORE_VERSION = 5;

interface Plannable {
  readonly documents: Collection['documents'];
  /** Cache key of the output alone, independent of scoring. */
  readonly outputKey: string;
  readonly identity: PlanIdentity | null;
  /** The reading and encoding that outputs can share. */
  readonly reading: string;
  /** The output whose number of key points this one copies; absent if the options set the number. */
  readonly sizedBy?: MadeOutput | undefined;
  /** @param size number of key points of the output in `sizedBy` */
  output(signal?: AbortSignal, size?: number): Promise<SystemOutput>;
}

export type MadeOutput = Pick<Plannable, 'outputKey' | 'output'>;

/** One output to make and score: a system's answer to a case. */
export interface PlannedOutput extends Plannable {
  readonly arm: string;
  readonly datum: string;
  /** Cache key of the scores: changes with everything that they depend on. */
  readonly key: string;
  /** Whether making or judging the output calls a language model. */
  readonly asksModel: boolean;
  readonly case: RunCase;
  readonly collection: Collection;
  /** The scored text: the summary if absent. */
  readonly text?: 'draft' | undefined;
}

interface PlanOptions {
  /** Version of the service: its stages may change with it. */
  readonly version?: string | undefined;
  readonly judge: JudgeIdentity;
  readonly onPlanned?: ((done: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Plans every system over every case of a set, case by case. Skips cases missing from a system's file, and cases that
 * lack what its retriever needs.
 * @returns null if aborted
 * @throws UnusableSystemError if an option of a system is not available here; other errors of `retrieve`
 */
export async function planRun(
  systems: readonly System[],
  set: RunSet,
  deps: DigestDeps,
  { version = SERVICE_VERSION, judge, onPlanned, signal }: PlanOptions,
): Promise<PlannedOutput[] | null> {
  const collections = new Map(set.collections.map((collection) => [collection.id, collection]));
  const planned: PlannedOutput[] = [];
  for (const [place, benchmarkCase] of set.cases.entries()) {
    await nextTurn(); // so that whoever wants it to stop is heard
    if (signal.aborted) return null;
    const collection = collections.get(benchmarkCase.collection);
    if (collection === undefined) throw new TypeError(`a case asks the collection "${benchmarkCase.collection}"`);
    const reference = contentHash(canonicalJson([SCORE_VERSION, benchmarkCase, collectionHash(collection), judge]));
    const given = givenOnce(benchmarkCase, collection, deps);
    const planOf = async (system: System): Promise<Plannable | null> => {
      if (isFileSystem(system)) return ofFile(system.outputs.get(outputKey(set.name, benchmarkCase.id)), collection);
      const documents = await usable(system, '/retrieval', () => given(system.retrieval));
      if (documents === null) return null;
      const plan = await usable(system, '/options', async () =>
        ofDigest(system, benchmarkCase, documents, set.keyPoints, deps, version),
      );
      const model = systems.find(({ name }) => name === system.sizedBy);
      const sizedBy = model && (await planOf(model));
      if (plan === null || !sizedBy) return plan;
      return { ...plan, sizedBy, outputKey: contentHash(canonicalJson([plan.outputKey, sizedBy.outputKey])) };
    };
    for (const system of systems) {
      const plan = await planOf(system);
      if (plan === null) continue;
      const text = isFileSystem(system) ? undefined : system.text;
      planned.push({
        ...plan,
        ...{ text, arm: system.name, datum: benchmarkCase.id, case: benchmarkCase, collection },
        asksModel: asksModel(plan) || (judge.judge.name === 'llm' && isJudged(benchmarkCase)),
        key: contentHash(canonicalJson([plan.outputKey, reference, text ?? 'summary'])),
      });
    }
    onPlanned?.(place + 1);
  }
  return planned;
}

/** Whether making an output calls a language model. */
function asksModel({ identity }: Pick<Plannable, 'identity'>): boolean {
  return identity !== null && identity.model !== null;
}

function isJudged({ insights = [], questions = [], keyPoints = [], nuggets = [] }: RunCase): boolean {
  return [insights, questions, keyPoints, nuggets].some(({ length }) => length > 0);
}

function ofFile(given: Parameters<typeof outputOfFile>[0] | undefined, collection: Collection): Plannable | null {
  if (given === undefined) return null;
  const { documents } = collection;
  return {
    documents,
    outputKey: contentHash(canonicalJson([VERSION, 'file', given, documentsHash(documents)])),
    identity: null,
    reading: 'file',
    output: async () => outputOfFile(given, collection),
  };
}

function ofDigest(
  system: DigestSystem,
  { intent: problem, report, insights }: RunCase,
  documents: Collection['documents'],
  keyPoints: RunSet['keyPoints'],
  deps: DigestDeps,
  version: string,
): Plannable {
  const intent = report ?? problem;
  const options = withSize(system.options, keyPoints === 'insights' ? insights?.length : keyPoints);
  const plan = (by: VariantOptions, signal?: AbortSignal) => planDigest({ intent, ...by }, deps, signal);
  const identity = identityOfPlan(plan(options), options, deps);
  const size = options.selection?.size;
  const asked = typeof size === 'object' && 'keyPoints' in size ? size.keyPoints : null;
  return {
    documents,
    // A default and the same explicit number give one digest, but two outputs.
    outputKey: contentHash(
      canonicalJson([VERSION, version, documentsHash(documents), intent ?? null, identity, asked]),
    ),
    identity,
    reading: JSON.stringify([identity.extractor, identity.encoders]),
    async output(signal, size) {
      const sized = size === undefined ? options : ofSize(options, size);
      const { digest } = await makeDigest(plan(sized, signal), { documents }, deps);
      if (digest.status === 'failed') throw new UnreadDatumError();
      const output = outputOfDigest(digest, documents, size ?? asked);
      return movesPlaces(system.retrieval?.show) ? withoutPlaces(output) : output;
    },
  };
}

/** None of the documents could be read; scored as an empty answer. */
export class UnreadDatumError extends TesseraError {
  readonly code = 'unread-datum';

  constructor() {
    super('None of the documents could be read.');
  }
}

async function usable<Result>(
  { name }: DigestSystem,
  part: string,
  find: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await find();
  } catch (cause) {
    if (cause instanceof UnusableOptionError)
      throw new UnusableSystemError(name, part + cause.pointer, cause.message, { cause });
    if (cause instanceof NotRetrievableError) return null;
    throw cause;
  }
}

/** A summariser without a language model, so that planning is free and deterministic. */
function summariser(deps: DigestDeps): Summarise {
  return async (document, intent, words) => {
    const request: ResolvedRequest = {
      documents: [document],
      intent,
      summary: { format: 'report', maxWords: words },
      engine: { extractor: 'sentences', writer: 'compose' },
    };
    const { digest } = await makeDigest(planDigest(request, deps), request, deps);
    const told = digest.summary.sentences.filter(({ framing }) => !framing);
    return told.map(({ text }) => text).join(' ');
  };
}

function withSize(options: VariantOptions, count: number | undefined): VariantOptions {
  const { selection = {} } = options;
  const strategy = selection.strategy ?? (selection.preset === 'published' ? 'dpp-sample' : 'dpp-map');
  const isAsked = count !== undefined && count > 0 && selection.size === undefined;
  return isAsked && strategies[strategy].sizes.includes('keyPoints') ? ofSize(options, count) : options;
}

function ofSize(options: VariantOptions, keyPoints: number): VariantOptions {
  return { ...options, selection: { ...options.selection, size: { keyPoints } } };
}

function givenOnce(benchmarkCase: RunCase, collection: Collection, deps: DigestDeps) {
  const found = new Map<string, Promise<Collection['documents']>>();
  return (retrieval: Retrieval | undefined): Promise<Collection['documents']> => {
    if (retrieval === undefined) return Promise.resolve(collection.documents);
    const key = canonicalJson(retrieval);
    const retrieved = found.get(key) ?? retrieveWith(retrieval);
    found.set(key, retrieved);
    return retrieved;
  };
  async function retrieveWith(retrieval: Retrieval) {
    const using = { ...deps, summarise: summariser(deps) };
    return (await retrieve(collection, benchmarkCase, retrieval, using)).documents;
  }
}

type PlanIdentity = ReturnType<typeof identityOfPlan>;

/** Everything that a digest depends on, except its documents and intent. */
function identityOfPlan(plan: Plan, asked: VariantOptions, { engine, models }: DigestDeps) {
  const { selection, kernelEncoder, relevanceEncoder, ...resolved } = plan.options;
  const settings = plan.stages.records();
  const usesModel = Object.keys(settings).length > 0;
  return {
    ...resolved,
    /** For lists of statements, then for running text. */
    selection: [selection(0), selection(1)] as const,
    /** Encoder of the kernel, then the relevance scorer. */
    encoders: [kernelEncoder.profile, relevanceEncoder.profile] as const,
    matrix: engine.matrix,
    extractor: plan.extractor.id,
    writer: plan.writer === null ? 'compose' : 'llm',
    model: usesModel
      ? { asked: asked.engine, settings, name: models.model?.defaultModel, verifier: plan.verifiedBy }
      : null,
    // The prompts of later stages are not known yet.
    prompts: usesModel ? promptsOf(models.prompts) : null,
  };
}

const promptsOf = oncePer((prompts: Prompts) => {
  const used = [...prompts.values()].filter(({ stage }) => stage !== 'benchmark');
  return used.map(({ id, hash }) => [id, hash] as const).toSorted();
});

export type SystemRecord = ReturnType<typeof systemRecord>;

/** How a system made its outputs, for publication; `models` are by stage, and null if no stage calls one. */
export function systemRecord({ extractor, encoders, matrix, writer, selection, model, prompts }: PlanIdentity) {
  const [{ id: encoder }, { id: relevanceEncoder }] = encoders;
  return {
    ...{ extractor, encoder, relevanceEncoder, matrix, writer, seed: selection[0].seed },
    models: model?.settings ?? null,
    prompts: prompts && (Object.fromEntries(prompts) as Readonly<Record<string, string>>),
  };
}
