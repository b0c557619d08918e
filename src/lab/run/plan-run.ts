import { canonicalJson, type Digest, type VariantOptions } from '../../contract/index.ts';
import {
  type DigestDeps,
  makeDigest,
  planDigest,
  type ResolvedRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import { strategies } from '../../selection/index.ts';
import { contentHash, nextTurn, type SourceDocument, TesseraError } from '../../text/index.ts';
import type { Collection } from '../benchmark-set.ts';
import { oncePer } from '../once-per.ts';
import type { JudgeIdentity } from '../results/judge-identity.ts';
import { NotRetrievableError, type Retrieval, type Summarise } from '../retrieval/retrieval.ts';
import { movesPlaces, retrieve } from '../retrieval/retrieve.ts';
import { identityOfPlan, type PlanIdentity, readingOf } from './plan-identity.ts';
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

/** SHA-256 in hex of a document with all its fields. Many cases ask the same documents: each is hashed once. */
const documentHash = oncePer((document: SourceDocument) => contentHash(canonicalJson(document)));

/** SHA-256 in hex of documents in their order. */
export const documentsHash = oncePer((documents: readonly SourceDocument[]) =>
  contentHash(canonicalJson(documents.map(documentHash))),
);

/** SHA-256 in hex of a collection with all its fields. */
export const collectionHash = oncePer(({ documents, ...fields }: Collection) =>
  contentHash(canonicalJson([fields, documentsHash(documents)])),
);

/** To be raised where outputs come about otherwise than before, and where only what is kept of their scores does. */
const VERSION = 3;
const SCORE_VERSION = 5;

/** One output to get and to score: a system over a case. */
export interface PlannedOutput {
  /** Name of the system, and id of the case. */
  readonly arm: string;
  readonly datum: string;
  /** Names what comes of it, so that a later run finds it: it changes with anything that the figures depend on. */
  readonly key: string;
  /** What is read and encoded for it: the same for systems that share this. */
  readonly reading: string;
  /** Whether making it asks a language model, and whether anything does, a judge of it too. */
  readonly usesModel: boolean;
  readonly asksModel: boolean;
  readonly case: RunCase;
  readonly collection: Collection;
  /** What it is made of, in the order given; all of the collection for what a file holds. */
  readonly documents: Collection['documents'];
  /** Names the output itself, whatever of it is scored, and by what. */
  readonly outputKey: string;
  /** What of the output is scored: the draft, or the summary where absent. */
  readonly text?: 'draft' | undefined;
  /** What makes it; null for what a file holds. */
  readonly identity: PlanIdentity | null;
  /** What says how many key points are asked for, where its options do not. */
  readonly sizedBy?: MadeOutput | undefined;
  /** @param size key points that what it is sized by selected */
  output(signal?: AbortSignal, size?: number): Promise<SystemOutput>;
}

/** What names and makes an output. */
export type MadeOutput = Pick<PlannedOutput, 'outputKey' | 'output'>;

interface PlanOptions {
  /** Of the service, whose stages may choose otherwise in the next one. */
  readonly version: string;
  readonly judge: JudgeIdentity;
  /** Told after every case. */
  readonly onPlanned?: ((done: number) => void) | undefined;
  /** Ends it between two cases. */
  readonly signal: AbortSignal;
}

/**
 * Every system over every case of a set, those of a case after each other. Cases that a file says nothing of, or for which
 * nothing says what to retrieve, are left out for it.
 *
 * @returns null where it was ended
 * @throws UnusableSystemError where an option of a system cannot be had here; what else `retrieve` throws
 */
export async function planRun(
  systems: readonly System[],
  set: RunSet,
  deps: DigestDeps,
  { version, judge, onPlanned, signal }: PlanOptions,
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
    const made = async (system: System): Promise<Plannable | null> => {
      if (isFileSystem(system)) return ofFile(system.outputs.get(outputKey(set.name, benchmarkCase.id)), collection);
      const documents = await usable(system, '/retrieval', given(system.retrieval));
      if (documents === null) return null;
      const digest = await usable(
        system,
        '/options',
        ofDigest(system, benchmarkCase, documents, set.keyPoints, deps, version),
      );
      const model = systems.find(({ name }) => name === system.sizedBy);
      const sizedBy = model === undefined ? null : await made(model);
      return digest === null || sizedBy === null ? digest : sizedLike(sizedBy, digest);
    };
    for (const system of systems) {
      const plan = await made(system);
      if (plan === null) continue;
      const text = isFileSystem(system) ? undefined : system.text;
      planned.push({
        ...plan,
        text,
        arm: system.name,
        datum: benchmarkCase.id,
        asksModel: plan.usesModel || (judge.judge.name === 'llm' && isJudged(benchmarkCase)),
        key: contentHash(canonicalJson([plan.outputKey, reference, text ?? 'summary'])),
        case: benchmarkCase,
        collection,
      });
    }
    onPlanned?.(place + 1);
  }
  return planned;
}

/** Whether there is anything that a judge is asked. */
function isJudged({ insights = [], questions = [], keyPoints = [], nuggets = [] }: RunCase): boolean {
  return [insights, questions, keyPoints, nuggets].some(({ length }) => length > 0);
}

type Plannable = Pick<
  PlannedOutput,
  'documents' | 'outputKey' | 'identity' | 'reading' | 'usesModel' | 'sizedBy' | 'output'
>;

/** An output whose number of key points another one's says: it is another output where that one is. */
function sizedLike({ outputKey: ofModel, output }: Plannable, plan: Plannable): Plannable {
  return {
    ...plan,
    outputKey: contentHash(canonicalJson([plan.outputKey, ofModel])),
    sizedBy: { outputKey: ofModel, output },
  };
}

function ofFile(given: Parameters<typeof outputOfFile>[0] | undefined, collection: Collection): Plannable | null {
  if (given === undefined) return null;
  const { documents } = collection;
  return {
    documents,
    // What its markers cite, and what it was given, is told by the documents.
    outputKey: contentHash(canonicalJson([VERSION, 'file', given, documentsHash(documents)])),
    identity: null,
    reading: 'file',
    usesModel: false,
    output: async () => outputOfFile(given, collection),
  };
}

async function ofDigest(
  system: DigestSystem,
  { intent: problem, report, insights }: RunCase,
  documents: Collection['documents'],
  keyPoints: RunSet['keyPoints'],
  deps: DigestDeps,
  version: string,
): Promise<Plannable> {
  const intent = report ?? problem;
  const count = keyPoints === 'insights' ? insights?.length : keyPoints;
  const options = withSize(system.options, count);
  const plan = (by: VariantOptions, signal?: AbortSignal) => planDigest({ intent, ...by }, deps, signal);
  const identity = identityOfPlan(plan(options), options, deps);
  const size = options.selection?.size;
  const asked = typeof size === 'object' && 'keyPoints' in size ? size.keyPoints : null;
  return {
    documents,
    // The default is the same digest as the number asked for, and another output.
    outputKey: contentHash(
      canonicalJson([VERSION, version, documentsHash(documents), intent ?? null, identity, asked]),
    ),
    identity,
    reading: readingOf(identity),
    usesModel: identity.model !== null,
    async output(signal, size) {
      const sized = size === undefined ? options : ofSize(options, size);
      const { digest } = await makeDigest(plan(sized, signal), { documents }, deps);
      if (digest.status === 'failed') throw new UnreadDatumError();
      checkOrder(digest, documents);
      const output = outputOfDigest(digest, documents, size ?? asked);
      return movesPlaces(system.retrieval?.show) ? withoutPlaces(output) : output;
    },
  };
}

/** None of the documents could be read: an empty answer. */
export class UnreadDatumError extends TesseraError {
  readonly code = 'unread-datum';

  constructor() {
    super('None of the documents could be read.');
  }
}

/** Figures are labelled by the order in which documents were sent: a model has to have been shown them in no other. */
function checkOrder({ documents }: Digest, sent: Collection['documents']): void {
  if (documents.length === sent.length && sent.every(({ id }, place) => documents[place].id === id)) return;
  throw new TypeError('the digest did not take the documents in the order in which they were sent');
}

/**
 * @param part of the system that the pointer of a failure leads into
 * @returns null where a case does not say what to retrieve
 */
async function usable<Result>({ name }: DigestSystem, part: string, result: Promise<Result>): Promise<Result | null> {
  try {
    return await result;
  } catch (cause) {
    if (cause instanceof UnusableOptionError)
      throw new UnusableSystemError(name, part + cause.pointer, cause.message, { cause });
    if (cause instanceof NotRetrievableError) return null;
    throw cause;
  }
}

/** Summaries by this service without a language model, so that a plan asks none and comes out the same. */
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

/** Options that ask for so many key points, where they do not say themselves and the strategy can be asked. */
function withSize(options: VariantOptions, count: number | undefined): VariantOptions {
  const { selection = {} } = options;
  const strategy = selection.strategy ?? (selection.preset === 'published' ? 'dpp-sample' : 'dpp-map');
  const isAsked = count !== undefined && count > 0 && selection.size === undefined;
  if (!isAsked || !strategies[strategy].sizes.includes('keyPoints')) return options;
  return ofSize(options, count);
}

function ofSize(options: VariantOptions, keyPoints: number): VariantOptions {
  return { ...options, selection: { ...options.selection, size: { keyPoints } } };
}

/** Retrieves once for all systems that are given the same. */
function givenOnce(benchmarkCase: RunCase, collection: Collection, deps: DigestDeps) {
  const found = new Map<string, Promise<Collection['documents']>>();
  return (retrieval: Retrieval | undefined): Promise<Collection['documents']> => {
    if (retrieval === undefined) return Promise.resolve(collection.documents);
    const key = canonicalJson(retrieval);
    const documents =
      found.get(key) ??
      retrieve(collection, benchmarkCase, retrieval, { ...deps, summarise: summariser(deps) }).then(
        (retrieved) => retrieved.documents,
      );
    found.set(key, documents);
    return documents;
  };
}
