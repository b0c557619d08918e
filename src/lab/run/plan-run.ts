import type { Digest } from '../../contract/digest.ts';
import type { DigestParts } from '../../digest/digest-parts.ts';
import { newDigestId } from '../../digest/digest-run.ts';
import { makeDigest } from '../../digest/make-digest.ts';
import { planDigest } from '../../digest/plan-digest.ts';
import type { DigestRequest } from '../../contract/digest-request.ts';
import { UnusableOptionError } from '../../digest/unusable-option-error.ts';
import { contentHash } from '../../text/documents/content-hash.ts';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { JudgeIdentity } from '../bulk/judge-identity.ts';
import { identityOfPlan, type PlanIdentity, readingOf } from '../comparison/identity-of-plan.ts';
import type { ComparisonWork } from '../comparison/run-comparison.ts';
import { UnreadDatumError } from '../comparison/unread-datum-error.ts';
import type { VariantOptions } from '../../contract/experiment.ts';
import { strategies } from '../../selection/strategies/registry.ts';
import { nextTurn } from '../../text/chunks.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { NotRetrievableError } from '../retrieval/not-retrievable-error.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import { retrieve } from '../retrieval/retrieve.ts';
import { collectionHash, documentsHash } from './hash-once.ts';
import { outputOfDigest } from './output-of-digest.ts';
import { outputOfFile } from './output-of-file.ts';
import type { RunSet } from './run-set.ts';
import { type DigestSystem, isFileSystem, outputKey, type System } from './system.ts';
import type { SystemOutput } from './system-output.ts';
import { UnusableSystemError } from './unusable-system-error.ts';

/** To be raised where outputs or their figures come about otherwise than before. */
const VERSION = 2;

/** One output to get and to score: a system over a case. */
export interface PlannedOutput extends ComparisonWork {
  readonly case: BenchmarkCase;
  readonly collection: Collection;
  /** What it is made of, in the order given; all of the collection for what a file holds. */
  readonly documents: Collection['documents'];
  /** Names the output itself, whatever it is scored by. */
  readonly outputKey: string;
  /** What makes it; null for what a file holds. */
  readonly identity: PlanIdentity | null;
  output(signal?: AbortSignal): Promise<SystemOutput>;
}

export interface PlanOptions {
  /** Of the service, whose stages may choose otherwise in the next one. */
  readonly version: string;
  readonly judge: JudgeIdentity;
  /** Told after every case. */
  readonly onPlanned: (done: number) => void;
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
  parts: DigestParts,
  { version, judge, onPlanned, signal }: PlanOptions,
): Promise<PlannedOutput[] | null> {
  const collections = new Map(set.collections.map((collection) => [collection.id, collection]));
  const planned: PlannedOutput[] = [];
  for (const [place, benchmarkCase] of set.cases.entries()) {
    await nextTurn(); // so that whoever wants it to stop is heard
    if (signal.aborted) return null;
    const collection = collections.get(benchmarkCase.collection);
    if (collection === undefined) throw new TypeError(`a case asks the collection "${benchmarkCase.collection}"`);
    const reference = contentHash(canonicalJson([VERSION, benchmarkCase, collectionHash(collection), judge]));
    const given = givenOnce(benchmarkCase, collection, parts);
    for (const system of systems) {
      const made = isFileSystem(system)
        ? ofFile(system.outputs.get(outputKey(set.name, benchmarkCase.id)), collection)
        : await usable(system, '/retrieval', given(system.retrieval)).then((documents) =>
            documents === null
              ? null
              : usable(system, '/options', ofDigest(system, benchmarkCase, documents, set.keyPoints, parts, version)),
          );
      if (made === null) continue;
      planned.push({
        ...made,
        arm: { name: system.name },
        datum: { id: benchmarkCase.id },
        asksModel: made.usesModel || (judge.judge.name === 'llm' && isJudged(benchmarkCase)),
        key: contentHash(canonicalJson([made.outputKey, reference])),
        case: benchmarkCase,
        collection,
      });
    }
    onPlanned(place + 1);
  }
  return planned;
}

/** Whether there is anything that a judge is asked. */
function isJudged({ insights = [], questions = [], keyPoints = [], nuggets = [] }: BenchmarkCase): boolean {
  return [insights, questions, keyPoints, nuggets].some(({ length }) => length > 0);
}

type Plannable = Pick<PlannedOutput, 'documents' | 'outputKey' | 'identity' | 'reading' | 'usesModel' | 'output'>;

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
  { intent, insights }: BenchmarkCase,
  documents: Collection['documents'],
  keyPoints: RunSet['keyPoints'],
  parts: DigestParts,
  version: string,
): Promise<Plannable> {
  const count = keyPoints === 'insights' ? insights?.length : keyPoints;
  const options = withSize(system.options, count);
  const request: DigestRequest = { documents, intent, ...options };
  const plan = (signal?: AbortSignal) => planDigest(request, parts, signal);
  const identity = identityOfPlan(plan(), options, parts);
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
    async output(signal) {
      const { digest } = await makeDigest(plan(signal), parts, { id: newDigestId() });
      if (digest.status === 'failed') throw new UnreadDatumError();
      checkOrder(digest, documents);
      return outputOfDigest(digest, documents, asked);
    },
  };
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

/** Options that ask for so many key points, where they do not say themselves and the strategy can be asked. */
function withSize(options: VariantOptions, count: number | undefined): VariantOptions {
  const { selection = {} } = options;
  const strategy = selection.strategy ?? (selection.preset === 'published' ? 'dpp-sample' : 'dpp-map');
  const isAsked = count !== undefined && count > 0 && selection.size === undefined;
  if (!isAsked || !strategies[strategy].sizes.includes('keyPoints')) return options;
  return { ...options, selection: { ...selection, size: { keyPoints: count } } };
}

/** Retrieves once for all systems that are given the same. */
function givenOnce(benchmarkCase: BenchmarkCase, collection: Collection, parts: DigestParts) {
  const found = new Map<string, Promise<Collection['documents']>>();
  return (retrieval: Retrieval | undefined): Promise<Collection['documents']> => {
    if (retrieval === undefined) return Promise.resolve(collection.documents);
    const key = canonicalJson(retrieval);
    const documents =
      found.get(key) ?? retrieve(collection, benchmarkCase, retrieval, parts).then((retrieved) => retrieved.documents);
    found.set(key, documents);
    return documents;
  };
}
