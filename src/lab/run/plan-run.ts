import { canonicalJson, type Digest, type VariantOptions } from '../../contract/index.ts';
import {
  type DigestDeps,
  makeDigest,
  newDigestId,
  planDigest,
  type ResolvedRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import { mean, readBullet } from '../../evaluation/index.ts';
import { NO_USAGE } from '../../models/index.ts';
import { strategies } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentHash, nextTurn, type SourceDocument } from '../../text/index.ts';
import type { BenchmarkCase, Collection, PassageSpan } from '../benchmark-set.ts';
import type { JudgeIdentity } from '../bulk/judge-identity.ts';
import { figuresOfDigest } from '../comparison/figures-of-digest.ts';
import { identityOfPlan, type PlanIdentity, readingOf } from '../comparison/identity-of-plan.ts';
import type { ComparisonWork } from '../comparison/run-comparison.ts';
import { UnreadDatumError } from '../comparison/unread-datum-error.ts';
import { oncePer } from '../once-per.ts';
import { NotRetrievableError } from '../retrieval/not-retrievable-error.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import { retrieve } from '../retrieval/retrieve.ts';
import type { RunSet } from './run-set.ts';
import { type DigestSystem, type GivenOutput, isFileSystem, outputKey, type System } from './system.ts';
import type { OutputSentence, SystemOutput } from './system-output.ts';
import { UnusableSystemError } from './unusable-system-error.ts';

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

interface PlanOptions {
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
    const reference = contentHash(canonicalJson([VERSION, benchmarkCase, collectionHash(collection), judge]));
    const given = givenOnce(benchmarkCase, collection, deps);
    for (const system of systems) {
      const made = isFileSystem(system)
        ? ofFile(system.outputs.get(outputKey(set.name, benchmarkCase.id)), collection)
        : await usable(system, '/retrieval', given(system.retrieval)).then((documents) =>
            documents === null
              ? null
              : usable(system, '/options', ofDigest(system, benchmarkCase, documents, set.keyPoints, deps, version)),
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
  deps: DigestDeps,
  version: string,
): Promise<Plannable> {
  const count = keyPoints === 'insights' ? insights?.length : keyPoints;
  const options = withSize(system.options, count);
  const request: ResolvedRequest = { documents, intent, ...options };
  const plan = (signal?: AbortSignal) => planDigest(request, deps, signal);
  const identity = identityOfPlan(plan(), options, deps);
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
      const { digest } = await makeDigest(plan(signal), deps, { id: newDigestId() });
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
function givenOnce(benchmarkCase: BenchmarkCase, collection: Collection, deps: DigestDeps) {
  const found = new Map<string, Promise<Collection['documents']>>();
  return (retrieval: Retrieval | undefined): Promise<Collection['documents']> => {
    if (retrieval === undefined) return Promise.resolve(collection.documents);
    const key = canonicalJson(retrieval);
    const documents =
      found.get(key) ?? retrieve(collection, benchmarkCase, retrieval, deps).then((retrieved) => retrieved.documents);
    found.set(key, documents);
    return documents;
  };
}

/** What another system said, as it is scored: figures are those that can be told from its words alone. */
export function outputOfFile(
  { sentences, given, cost, picks, asked }: GivenOutput,
  { documents }: Collection,
): SystemOutput {
  const known = new Set(documents.map(({ id }) => id));
  const read = sentences
    .map((sentence) => ({ ...readBullet(sentence, known), quote: quoteOf(sentence) }))
    .filter(({ text }) => text !== '');
  const quotes = read.flatMap(({ quote }) => quote ?? []);
  const ids = given ?? documents.map(({ id }) => id);
  const shown = documents.filter(({ id }) => ids.includes(id));
  const cited = new Set(read.flatMap((sentence) => sentence.documents).filter((id) => ids.includes(id)));
  const sentenceWords = read.map(({ text }) => countWords(text));
  const words = sentenceWords.reduce((sum, each) => sum + each, 0);
  const inputWords = wordsOf(shown);
  return {
    sentences: read,
    picks: picks ?? (quotes.length > 0 ? quotes : null),
    asked: asked ?? null,
    given: ids,
    figures: {
      'input.words': inputWords,
      'digest.citedDocuments': ids.length === 0 ? null : cited.size / ids.length,
      'digest.compression': inputWords === 0 ? null : words / inputWords,
      'digest.words': words,
      'digest.wordsPerSentence': mean(sentenceWords),
      'digest.cost': cost ?? null,
    },
    sentenceWords,
    isPartial: false,
    usage: NO_USAGE,
  };
}

function quoteOf(sentence: GivenOutput['sentences'][number]): PassageSpan | null {
  return typeof sentence === 'string' ? null : (sentence.quote ?? null);
}

/**
 * What a digest said, as it is scored.
 *
 * @param given the documents that it was made of, in the order in which they were sent
 * @param asked key points that were asked for; null where the strategy decides
 */
export function outputOfDigest(digest: Digest, given: readonly SourceDocument[], asked: number | null): SystemOutput {
  const { summary, keyPoints } = digest;
  const spans = new Map(
    keyPoints.flatMap(({ id, document, quote }): [string, PassageSpan][] =>
      quote.status === 'unverified' ? [] : [[id, { document, start: quote.start, end: quote.end }]],
    ),
  );
  const picked = keyPoints.filter(({ selected }) => selected).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return {
    sentences: summary.sentences
      .filter(({ framing }) => !framing)
      .map(
        ({ text, citations, keyPoints: [first] }): OutputSentence => ({
          text,
          documents: [...new Set(citations.map(({ document }) => document))],
          quote: (first !== undefined && spans.get(first)) || null,
        }),
      ),
    picks: picked.flatMap(({ id }) => spans.get(id) ?? []),
    asked,
    given: given.map(({ id }) => id),
    figures: { ...figuresOfDigest(digest, []), 'input.words': wordsOf(given) },
    sentenceWords: summary.sentences.map(({ text }) => countWords(text)),
    isPartial: digest.status === 'partial',
    usage: digest.usage,
  };
}

/** Words of some documents together. */
function wordsOf(documents: readonly SourceDocument[]): number {
  return documents.reduce((sum, { text }) => sum + countWords(text), 0);
}
