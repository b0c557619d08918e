import { canonicalJson, type VariantOptions } from '../../contract/index.ts';
import {
  type DigestDeps,
  type Plan as DigestPlan,
  makeDigest,
  planDigest,
  UnusableOptionError,
} from '../../digest/index.ts';
import type { Prompts } from '../../models/index.ts';
import { strategies } from '../../selection/index.ts';
import { VERSION as SERVICE_VERSION } from '../../server/index.ts';
import type { Drafted } from '../../summary/index.ts';
import { contentHash, nextTurn, type SourceDocument, utf8Length } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { BadRecordsError } from '../check-records.ts';
import { oncePer } from '../once-per.ts';
import type { JudgeIdentity } from '../results/judge-identity.ts';
import { NotRetrievableError, type Retrieval } from '../retrieval/retrieval.ts';
import { movesPlaces, retrieve } from '../retrieval/retrieve.ts';
import {
  type DigestSystem,
  type GivenOutput,
  isFileSystem,
  outputKey,
  type RunFiles,
  type RunSet,
  type System,
} from './system.ts';
import {
  outputOfDigest,
  outputOfFile,
  perfectOutput,
  type SystemOutput,
  unreadOutput,
  withBlanks,
  withoutPlaces,
} from './system-output.ts';

/** SHA-256 in hex of all fields. Cached: many cases share a document. */
const documentHash = oncePer((document: SourceDocument) => contentHash(canonicalJson(document)));

export const documentsHash = oncePer((documents: readonly SourceDocument[]) =>
  contentHash(canonicalJson(documents.map(documentHash))),
);

export const collectionHash = oncePer(({ documents, ...fields }: Collection) =>
  contentHash(canonicalJson([fields, documentsHash(documents)])),
);

/** Raise the first if outputs change, the second if only their scores do. */
const VERSION = 4;
const SCORE_VERSION = 6;

export interface Plan {
  readonly documents: Collection['documents'];
  /** Cache key of the output alone, independent of scoring. */
  readonly outputKey: string;
  /** Null for the outputs of a file. */
  readonly identity: PlanIdentity | null;
  /** The output whose number of key points this one copies; absent if the options set the number. */
  readonly sizedBy?: Plan | undefined;
  /** @param size number of key points of the output in `sizedBy` */
  output(signal?: AbortSignal, size?: number): Promise<SystemOutput>;
}

/** One output to make and score: a system's answer to a case. */
export interface PlannedOutput extends Plan {
  readonly arm: string;
  readonly datum: string;
  /** Cache key of the scores: changes with everything that they depend on. */
  readonly key: string;
  /** Whether making or judging the output calls a language model. */
  readonly asksModel: boolean;
  readonly case: BenchmarkCase;
  readonly collection: Collection;
  /** The scored text: the summary if absent. */
  readonly text?: 'draft' | undefined;
}

interface PlanOptions {
  readonly judge: JudgeIdentity;
  readonly onPlanned?: ((done: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Plans every system over every case of a set, case by case. Skips cases missing from a system's file, and cases that
 * lack what its retriever needs.
 * @param path file that names the systems, for problems
 * @returns null if aborted
 * @throws BadRecordsError if an option of a system is not available here; other errors of `retrieve`
 */
export async function planRun(
  { path, systems }: Pick<RunFiles, 'path' | 'systems'>,
  set: RunSet,
  deps: DigestDeps,
  { judge, onPlanned, signal }: PlanOptions,
): Promise<PlannedOutput[] | null> {
  const collections = new Map(set.collections.map((collection) => [collection.id, collection]));
  const planned: PlannedOutput[] = [];
  for (const [place, benchmarkCase] of set.cases.entries()) {
    // Planning blocks the thread: without a pause, Ctrl-C would not be noticed.
    await nextTurn();
    if (signal.aborted) return null;
    const collection = collections.get(benchmarkCase.collection);
    if (collection === undefined) throw new TypeError(`a case asks the collection "${benchmarkCase.collection}"`);
    const reference = contentHash(canonicalJson([SCORE_VERSION, benchmarkCase, collectionHash(collection), judge]));
    const given = givenOnce(benchmarkCase, collection, deps);
    const planOf = async (system: System): Promise<Plan | null> => {
      if (isFileSystem(system)) return ofFile(system.outputs.get(outputKey(set.name, benchmarkCase.id)), collection);
      let part = '/retrieval';
      try {
        const documents = await given(system.retrieval);
        if (system.perfect) return perfectPlan(benchmarkCase, documents);
        part = '/options';
        const plan = ofDigest(system, benchmarkCase, documents, set.keyPoints, deps);
        const model = systems.find(({ name }) => name === system.sizedBy);
        const sizedBy = model && (await planOf(model));
        if (!sizedBy) return plan;
        return { ...plan, sizedBy, outputKey: contentHash(canonicalJson([plan.outputKey, sizedBy.outputKey])) };
      } catch (cause) {
        if (cause instanceof NotRetrievableError) return null;
        if (!(cause instanceof UnusableOptionError)) throw cause;
        const where = `${path} system "${system.name}"`;
        throw new BadRecordsError([{ where, pointer: part + cause.pointer, detail: cause.message }], 'run');
      }
    };
    for (const system of systems) {
      const plan = await planOf(system);
      if (plan === null) continue;
      const text = isFileSystem(system) ? undefined : system.text;
      planned.push({
        ...plan,
        ...{ text, arm: system.name, datum: benchmarkCase.id, case: benchmarkCase, collection },
        asksModel: (plan.identity?.model ?? null) !== null || (judge.judge.name === 'llm' && isJudged(benchmarkCase)),
        key: contentHash(canonicalJson([plan.outputKey, reference, text ?? 'summary'])),
      });
    }
    onPlanned?.(place + 1);
  }
  return planned;
}

function isJudged({ insights = [], questions = [], keyPoints = [], nuggets = [] }: BenchmarkCase): boolean {
  return [insights, questions, keyPoints, nuggets].some(({ length }) => length > 0);
}

function ofFile(given: GivenOutput | undefined, collection: Collection): Plan | null {
  if (given === undefined) return null;
  const { documents } = collection;
  return {
    documents,
    outputKey: contentHash(canonicalJson([VERSION, 'file', given, documentsHash(documents)])),
    identity: null,
    output: async () => outputOfFile(given, collection),
  };
}

function perfectPlan(benchmarkCase: BenchmarkCase, documents: Collection['documents']): Plan {
  return {
    documents,
    outputKey: contentHash(canonicalJson([VERSION, 'perfect', benchmarkCase, documentsHash(documents)])),
    identity: null,
    output: async () => perfectOutput(benchmarkCase, documents),
  };
}

function ofDigest(
  system: DigestSystem,
  { intent, insights }: BenchmarkCase,
  documents: Collection['documents'],
  keyPoints: RunSet['keyPoints'],
  deps: DigestDeps,
): Plan {
  const options = withSize(system.options, keyPoints === 'insights' ? insights?.length : keyPoints);
  const documentBytes = documents.reduce((sum, { text }) => sum + utf8Length(text), 0);
  const identity = identityOfPlan(planDigest({ intent, ...options, documentBytes }, deps), options, deps);
  const size = options.selection?.size;
  const asked = typeof size === 'object' && 'keyPoints' in size ? size.keyPoints : null;
  // A default and the same explicit number give one digest, but two outputs.
  const key = [VERSION, SERVICE_VERSION, documentsHash(documents), intent ?? null, identity, asked];
  return {
    documents,
    outputKey: contentHash(canonicalJson(key)),
    identity,
    async output(signal, size) {
      const sized = size === undefined ? options : ofSize(options, size);
      const drafted: Drafted[] = [];
      const onDrafted = (sentence: Drafted) => drafted.push(sentence);
      const shown = documents.filter(({ text }) => text.trim() !== '');
      if (shown.length === 0) return unreadOutput(documents);
      const { digest } = await makeDigest({ intent, ...sized, documents: shown }, deps, { onDrafted }, signal);
      if (digest.status === 'failed') return unreadOutput(documents);
      // An arm is what its name says, or none: another strategy in its place would be scored as it.
      const isChosen = identity.strategy !== 'llm' || digest.selection.strategy === 'llm';
      if (!isChosen) throw new Error(digest.warnings.join(' '));
      const output = outputOfDigest(digest, documents, size ?? asked, drafted);
      const whole = shown.length < documents.length ? withBlanks(output, documents, shown) : output;
      return movesPlaces(system.retrieval?.show) ? withoutPlaces(whole) : whole;
    },
  };
}

function withSize(options: VariantOptions, count: number | undefined): VariantOptions {
  const { selection = {} } = options;
  const strategy = selection.strategy ?? (selection.preset === 'published' ? 'dpp-sample' : 'dpp-map');
  const isAsked = count !== undefined && count > 0 && selection.size === undefined;
  const isSized = strategy === 'naive' || strategies[strategy].sizes.includes('keyPoints');
  return isAsked && isSized ? ofSize(options, count) : options;
}

function ofSize(options: VariantOptions, keyPoints: number): VariantOptions {
  return { ...options, selection: { ...options.selection, size: { keyPoints } } };
}

/** The documents that a retrieval gives, found once for all systems. */
function givenOnce(benchmarkCase: BenchmarkCase, collection: Collection, deps: DigestDeps) {
  const found = new Map<string, Promise<Collection['documents']>>();
  return async (retrieval: Retrieval | undefined): Promise<Collection['documents']> => {
    if (retrieval === undefined) return collection.documents;
    const key = canonicalJson(retrieval);
    const retrieved = found.get(key) ?? retrieve(collection, benchmarkCase, retrieval, deps);
    found.set(key, retrieved);
    return retrieved;
  };
}

type PlanIdentity = ReturnType<typeof identityOfPlan>;

/** Everything that a digest depends on, except its documents and intent. */
function identityOfPlan(plan: DigestPlan, asked: VariantOptions, { engine, models }: DigestDeps) {
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
